/// What Swift cannot import from the C library and the kernel: variadic calls, control-message macros, names that
/// need `_GNU_SOURCE`. Every function returns what the call behind it returns and leaves `errno` as that call set it.
#ifndef KEYWAY_CSYS_H
#define KEYWAY_CSYS_H

#include <stddef.h>
#include <stdint.h>
// Swift's module of the C library has no epoll(7).
#include <sys/epoll.h>
#include <sys/types.h>

#pragma clang assume_nonnull begin

/// Renames a file where nothing has the new name; else -1 with `EEXIST` (renameat2(2)).
int csys_rename_new(const char *from, const char *to);

/// The most descriptors that one call of `csys_send` or `csys_receive` carries.
enum { CSYS_MAX_DESCRIPTORS = 64 };

/// Who is at the other end of a Unix socket, as the kernel knows it.
typedef struct {
    pid_t pid;
    uid_t uid;
    gid_t gid;
} csys_peer;

/// Sends bytes and, beside the first of them, `count` descriptors. Never raises SIGPIPE.
ssize_t csys_send(int fd, const void *bytes, size_t length, const int *_Nullable descriptors, size_t count);

/// Receives bytes and the descriptors beside them (close-on-exec). `*truncated` is 1 when the kernel dropped some.
ssize_t csys_receive(int fd, void *bytes, size_t length, int *descriptors, size_t capacity, size_t *count, int *truncated);

/// A connected pair of stream sockets, close-on-exec.
int csys_socketpair(int pair[_Nonnull 2]);

/// A close-on-exec stream socket that listens on `path`, mode 0600 by the umask of the caller's folder.
int csys_listen(const char *path, int backlog);

/// A close-on-exec stream socket connected to `path`; EAGAIN when whoever listens takes no connection for so long. 0 is
/// as long as it takes.
int csys_connect(const char *path, int milliseconds);

/// Accepts one connection, close-on-exec and non-blocking.
int csys_accept(int fd);

/// SO_PEERCRED.
int csys_peer_credentials(int fd, csys_peer *peer);

/// SO_PEERPIDFD: a descriptor of the peer process that cannot come to mean another; -1 where the kernel has none.
int csys_peer_pidfd(int fd);

/// An anonymous memory file that can be sealed.
int csys_memfd_create(const char *name);

/// Seals a memory file against writing, growing, shrinking and further seals.
int csys_memfd_seal(int fd);

/// The seals of a memory file; 1 when it can be neither written nor resized, 0 when it can, -1 when `fd` is none.
int csys_memfd_is_sealed(int fd);

/// Overwrites memory in a way that no optimiser drops.
void csys_wipe(void *bytes, size_t length);

/// No core dump, no ptrace, no read of /proc/PID/mem by the same user. 0 when all of it took.
int csys_harden(void);

/// Lets the same user see what this process is (/proc/PID/exe), and with it its memory; or not any more. 0 when it took.
int csys_show(int shown);

/// Lets processes of the same user that are no ancestors trace this one, where only ancestors might (Yama).
int csys_allow_tracers(void);

/// Makes SIGKILL arrive when the thread that started this process ends; 0 when it took.
int csys_die_with_parent(void);

/// A descriptor that becomes readable when the process ends.
int csys_pidfd_open(pid_t pid);

/// Sends a signal through a descriptor of `csys_pidfd_open`.
int csys_pidfd_send_signal(int pidfd, int signal);

/// From now on, what arrives at a Unix socket comes with the credentials of the process that sent it (SO_PASSCRED).
int csys_want_credentials(int fd);

/// Receives bytes and who sent them; `peer->pid` is 0 when the kernel does not say. Descriptors beside them are closed.
ssize_t csys_receive_credentials(int fd, void *bytes, size_t length, csys_peer *peer);

/// Starts a program. Descriptor `channel` becomes 3 in the child, `report` 4, and `output` 1 and 2, which stay without;
/// `input` becomes 0, which is /dev/null without; every other descriptor is closed. -1 is for none, and there is no report without a channel. Signal
/// dispositions and mask are reset; the child leads a session of its own when `new_session` is not 0. Where `group` is a
/// descriptor of a control group's folder, the child is in it before it becomes the program. Returns 0, or an error number.
int csys_spawn(
    pid_t *pid, const char *path, char *const _Nullable argv[_Nonnull], char *const _Nullable envp[_Nonnull],
    int channel, int report, int output, int input, int new_session, int group);

/// Copies an extended attribute of a file (getxattr(2)): its size, or -1 with `errno`.
ssize_t csys_attribute(const char *path, const char *name, void *value, size_t size);

/// The size of the terminal behind `fd` in characters.
int csys_terminal_size(int fd, uint16_t *columns, uint16_t *rows);

/// How many columns a terminal gives a Unicode character (wcwidth(3) under UTF-8, whatever the locale); -1 for a control.
int csys_character_width(uint32_t character);

/// Gives freed memory back to the system, of all threads' heaps.
void csys_trim_heap(void);

/// Exclusive advisory lock on an open file, for this description; `wait` 0 returns at once.
int csys_lock(int fd, int wait);

/// What kind of file system `path` lies in, as statfs(2) numbers them; 0 where it does not say.
uint32_t csys_file_system(const char *path);

/// Nanoseconds of CLOCK_MONOTONIC.
uint64_t csys_monotonic_nanoseconds(void);

/// Nanoseconds of CLOCK_BOOTTIME, which also counts while the machine sleeps.
uint64_t csys_boottime_nanoseconds(void);

#pragma clang assume_nonnull end
#endif
