/// How the kit starts a program of a provider and watches what it asks the kernel for: a user namespace of its own, and a
/// seccomp filter whose questions the kit answers. Nothing of it needs privileges.
#ifndef KEYWAY_COBSERVATION_H
#define KEYWAY_COBSERVATION_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#pragma clang assume_nonnull begin

/// A started program.
typedef struct {
    pid_t pid;
    /// Readable when the program ends.
    int pidfd;
    /// Where the kernel asks about watched calls; -1 where the kernel has no such filter.
    int listener;
    /// Whether the program has a user namespace of its own, so that whoever started it may look at all of it.
    int is_readable;
} cobservation_child;

/// What the program wants to do.
enum {
    COBSERVATION_OTHER = 0,
    /// A socket of the address family `family`.
    COBSERVATION_SOCKET = 1,
    /// A file is opened for writing, made, changed, renamed or removed: `first`, and `second` where there are two names.
    COBSERVATION_FILE = 2,
    /// A program is started: `first`, and `arguments` and `environment` are its vectors.
    COBSERVATION_PROGRAM = 3,
    /// A folder is made: `first`.
    COBSERVATION_FOLDER = 4,
    /// A socket is to reach the address at `first.address`, of `length` bytes.
    COBSERVATION_PEER = 5,
    /// A socket is to have the address at `first.address`, of `length` bytes.
    COBSERVATION_NAME = 6,
};

/// The name of a file, as a call has it.
typedef struct {
    /// A descriptor of the caller, or AT_FDCWD.
    int folder;
    /// Whether the file is meant that the name points to, when it is a symbolic link.
    int is_followed;
    /// Where the path is that begins at `folder`; 0, or empty: the file behind `folder` itself.
    uint64_t address;
} cobservation_name;

/// One watched call, which waits for its answer.
typedef struct {
    uint64_t identifier;
    /// The thread that calls.
    pid_t caller;
    int kind;
    int family;
    int has_second;
    cobservation_name first;
    cobservation_name second;
    uint64_t length;
    uint64_t arguments;
    uint64_t environment;
} cobservation_call;

/// Starts `path`. Descriptor `channel` becomes 3, `output` becomes 1 and 2, 0 is empty; it has no other. It leads a session
/// of its own. 0, or an error number; a program that cannot be executed ends with 127.
int cobservation_start(
    const char *path, char *const _Nullable argv[_Nonnull], char *const _Nullable envp[_Nonnull], int channel, int output,
    cobservation_child *child);

/// Makes orphans of programs that this process started its own children.
int cobservation_adopt_orphans(void);

/// The next call that waits; 0, or an error number: ENOENT when the caller was interrupted or has ended.
int cobservation_receive(int listener, cobservation_call *call);

/// Lets a call go on (`error` 0), or fail.
int cobservation_answer(int listener, uint64_t identifier, int error);

/// Copies memory of a process that this one started, at most up to the end of a page. As pread(2) returns.
ssize_t cobservation_read(pid_t process, uint64_t address, void *bytes, size_t length);

/// A copy of a descriptor of a process that this one started; -1 when it has none of that number, or may not be asked.
int cobservation_take_descriptor(int pidfd, int number);

/// A descriptor for the process `process`, which is no thread of another.
int cobservation_open_process(pid_t process);

/// Whether everyone who was watched has ended.
int cobservation_is_over(int listener);

#pragma clang assume_nonnull end
#endif
