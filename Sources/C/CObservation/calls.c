#define _GNU_SOURCE
#include "calls.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define OUR_ARCHITECTURE AUDIT_ARCH_X86_64
// Calls of the x32 interface have the architecture of all others, and this bit.
#define FIRST_FOREIGN_CALL 0x40000000
#elif defined(__aarch64__)
#define OUR_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

// Newer than the C library's table of calls.
#ifndef __NR_fchmodat2
#define __NR_fchmodat2 452
#endif
#ifndef __NR_setxattrat
#define __NR_setxattrat 463
#define __NR_removexattrat 466
#endif
#ifndef __NR_file_setattr
#define __NR_file_setattr 469
#endif

// When the last part of a call's first name is followed, if it is a link.
enum follows {
    NEVER,
    ALWAYS,
    // Unless the flags say AT_SYMLINK_NOFOLLOW.
    UNLESS,
    // If the flags say AT_SYMLINK_FOLLOW.
    IF,
    // As open(2) does; asked about only when it may write.
    OPENS,
};

enum { NONE = -1 };

struct watched {
    int number;
    int kind;
    // Which arguments hold a folder's descriptor and a path: of the first name, and of the second.
    signed char folder, path, second_folder, second_path;
    signed char follows;
    // Which argument holds the flags.
    signed char flags;
};

#define FILE_AT(number, folder, path, follows, flags)                                                                  \
    { number, COBSERVATION_FILE, folder, path, NONE, NONE, follows, flags }
#define FILE_HERE(number, path, follows) FILE_AT(number, NONE, path, follows, NONE)
// The file behind a descriptor, which may have been opened for reading.
#define FILE_BEHIND(number) FILE_AT(number, 0, NONE, NEVER, NONE)

static const struct watched table[] = {
    {__NR_socket, COBSERVATION_SOCKET, NONE, NONE, NONE, NONE, NEVER, NONE},
    {__NR_connect, COBSERVATION_PEER, NONE, 1, NONE, 2, NEVER, NONE},
    {__NR_sendto, COBSERVATION_PEER, NONE, 4, NONE, 5, NEVER, NONE},
    {__NR_bind, COBSERVATION_NAME, NONE, 1, NONE, 2, NEVER, NONE},
    {__NR_execve, COBSERVATION_PROGRAM, NONE, 0, NONE, 1, ALWAYS, NONE},
    {__NR_execveat, COBSERVATION_PROGRAM, 0, 1, NONE, 2, UNLESS, 4},
    {__NR_mkdirat, COBSERVATION_FOLDER, 0, 1, NONE, NONE, NEVER, NONE},
    FILE_AT(__NR_openat, 0, 1, OPENS, 2),
    {__NR_renameat2, COBSERVATION_FILE, 0, 1, 2, 3, NEVER, NONE},
    {__NR_linkat, COBSERVATION_FILE, 0, 1, 2, 3, IF, 4},
    FILE_AT(__NR_symlinkat, 1, 2, NEVER, NONE),
    FILE_AT(__NR_unlinkat, 0, 1, NEVER, NONE),
    FILE_AT(__NR_mknodat, 0, 1, NEVER, NONE),
    FILE_AT(__NR_fchmodat, 0, 1, ALWAYS, NONE),
    FILE_AT(__NR_fchmodat2, 0, 1, UNLESS, 3),
    FILE_AT(__NR_fchownat, 0, 1, UNLESS, 4),
    FILE_AT(__NR_utimensat, 0, 1, UNLESS, 3),
    FILE_HERE(__NR_truncate, 0, ALWAYS),
    FILE_HERE(__NR_setxattr, 0, ALWAYS),
    FILE_HERE(__NR_lsetxattr, 0, NEVER),
    FILE_HERE(__NR_removexattr, 0, ALWAYS),
    FILE_HERE(__NR_lremovexattr, 0, NEVER),
    FILE_BEHIND(__NR_fchmod),
    FILE_BEHIND(__NR_fchown),
    FILE_BEHIND(__NR_fsetxattr),
    FILE_BEHIND(__NR_fremovexattr),
#ifdef __NR_renameat
    {__NR_renameat, COBSERVATION_FILE, 0, 1, 2, 3, NEVER, NONE},
#endif
#ifdef __NR_open
    FILE_AT(__NR_open, NONE, 0, OPENS, 1),
    FILE_HERE(__NR_creat, 0, ALWAYS),
    {__NR_mkdir, COBSERVATION_FOLDER, NONE, 0, NONE, NONE, NEVER, NONE},
    {__NR_rename, COBSERVATION_FILE, NONE, 0, NONE, 1, NEVER, NONE},
    {__NR_link, COBSERVATION_FILE, NONE, 0, NONE, 1, NEVER, NONE},
    FILE_HERE(__NR_symlink, 1, NEVER),
    FILE_HERE(__NR_unlink, 0, NEVER),
    FILE_HERE(__NR_rmdir, 0, NEVER),
    FILE_HERE(__NR_mknod, 0, NEVER),
    FILE_HERE(__NR_chmod, 0, ALWAYS),
    FILE_HERE(__NR_chown, 0, ALWAYS),
    FILE_HERE(__NR_lchown, 0, NEVER),
    FILE_HERE(__NR_utime, 0, ALWAYS),
    FILE_HERE(__NR_utimes, 0, ALWAYS),
    FILE_AT(__NR_futimesat, 0, 1, ALWAYS, NONE),
#endif
};

// What could do the same unseen. Programs know kernels that do not have them.
static const int refused[] = {
    __NR_openat2,       __NR_open_by_handle_at, __NR_io_uring_setup,  __NR_io_uring_enter,
    __NR_setxattrat,    __NR_removexattrat,     __NR_file_setattr,    __NR_io_uring_register,
};

enum { WATCHED = sizeof table / sizeof table[0], REFUSED = sizeof refused / sizeof refused[0] };

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define RETURN(what) BPF_STMT(BPF_RET | BPF_K, (what))
// The next `count` statements only for the call `number`.
#define FOR(number, count) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 0, (count))
#define ADD(...)                                                                                                       \
    do {                                                                                                               \
        const struct sock_filter added[] = {__VA_ARGS__};                                                              \
        for (size_t index = 0; index < sizeof added / sizeof added[0]; index++) filter[count++] = added[index];        \
    } while (0)

int install_filter(void) {
#ifdef OUR_ARCHITECTURE
    const unsigned writing = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC;
    struct sock_filter filter[16 + 5 * WATCHED + 2 * REFUSED];
    unsigned short count = 0;
    // Calls by other numbers would be seen as what they are not.
    ADD(LOAD(arch), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OUR_ARCHITECTURE, 1, 0), RETURN(SECCOMP_RET_KILL_PROCESS));
    ADD(LOAD(nr));
#ifdef FIRST_FOREIGN_CALL
    ADD(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, FIRST_FOREIGN_CALL, 0, 1), RETURN(SECCOMP_RET_KILL_PROCESS));
#endif
    for (int row = 0; row < REFUSED; row++) ADD(FOR((unsigned)refused[row], 1), RETURN(SECCOMP_RET_ERRNO | ENOSYS));
    for (int row = 0; row < WATCHED; row++) {
        const unsigned number = (unsigned)table[row].number;
        if (table[row].kind == COBSERVATION_SOCKET) {
            // Sockets of this machine are how every provider speaks; any other family is asked about.
            ADD(FOR(number, 4), LOAD(args[0]), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_UNIX, 0, 1),
                RETURN(SECCOMP_RET_ALLOW), RETURN(SECCOMP_RET_USER_NOTIF));
        } else if (table[row].follows == OPENS || table[row].number == __NR_sendto) {
            // Only for writing, and only with an address. The low half of an argument stands first.
            const int argument = table[row].follows == OPENS ? table[row].flags : table[row].path;
            const unsigned bits = table[row].follows == OPENS ? writing : ~0u;
            ADD(FOR(number, 4), LOAD(args[argument]), BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1),
                RETURN(SECCOMP_RET_USER_NOTIF), RETURN(SECCOMP_RET_ALLOW));
        } else {
            ADD(FOR(number, 1), RETURN(SECCOMP_RET_USER_NOTIF));
        }
    }
    ADD(RETURN(SECCOMP_RET_ALLOW));
    struct sock_fprog program = {.len = count, .filter = filter};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
    return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
#else
    errno = ENOSYS;
    return -1;
#endif
}

static int is_followed(const struct watched *row, uint64_t flags) {
    switch (row->follows) {
    case ALWAYS: return 1;
    case UNLESS: return (flags & AT_SYMLINK_NOFOLLOW) == 0;
    case IF: return (flags & AT_SYMLINK_FOLLOW) != 0;
    case OPENS: return (flags & O_NOFOLLOW) == 0 && (flags & (O_CREAT | O_EXCL)) != (O_CREAT | O_EXCL);
    default: return 0;
    }
}

void describe(const struct seccomp_notif *notice, cobservation_call *call) {
    const uint64_t *arguments = (const uint64_t *)notice->data.args;
    const struct watched *row = table;
    while (row < table + WATCHED && row->number != notice->data.nr) row++;
    if (row == table + WATCHED) return;
    const uint64_t flags = row->flags == NONE ? 0 : arguments[row->flags];
    call->kind = row->kind;
    call->first.folder = row->folder == NONE ? AT_FDCWD : (int)arguments[row->folder];
    call->first.address = row->path == NONE ? 0 : arguments[row->path];
    call->first.is_followed = is_followed(row, flags);
    switch (row->kind) {
    case COBSERVATION_SOCKET: call->family = (int)arguments[0]; break;
    case COBSERVATION_PEER:
    case COBSERVATION_NAME: call->length = arguments[row->second_path]; break;
    case COBSERVATION_PROGRAM:
        call->arguments = arguments[row->second_path];
        call->environment = arguments[row->second_path + 1];
        break;
    default:
        if (row->second_path == NONE) break;
        call->has_second = 1;
        call->second.folder = row->second_folder == NONE ? AT_FDCWD : (int)arguments[row->second_folder];
        call->second.address = arguments[row->second_path];
    }
}
