#define _GNU_SOURCE
#include "csys.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <linux/sched.h>
#include <locale.h>
#include <malloc.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD 77
#endif

typedef union {
    struct cmsghdr align;
    char bytes[CMSG_SPACE(sizeof(int) * CSYS_MAX_DESCRIPTORS)];
} control_buffer;

ssize_t csys_send(int fd, const void *bytes, size_t length, const int *descriptors, size_t count) {
    if (count > CSYS_MAX_DESCRIPTORS || (count > 0 && descriptors == NULL)) {
        errno = EINVAL;
        return -1;
    }
    struct iovec part = {.iov_base = (void *)bytes, .iov_len = length};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    control_buffer control;
    if (count > 0) {
        memset(&control, 0, sizeof control);
        message.msg_control = control.bytes;
        message.msg_controllen = CMSG_SPACE(sizeof(int) * count);
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof(int) * count);
        memcpy(CMSG_DATA(header), descriptors, sizeof(int) * count);
    }
    ssize_t sent;
    do {
        sent = sendmsg(fd, &message, MSG_NOSIGNAL);
    } while (sent < 0 && errno == EINTR);
    return sent;
}

ssize_t csys_receive(int fd, void *bytes, size_t length, int *descriptors, size_t capacity, size_t *count, int *truncated) {
    struct iovec part = {.iov_base = bytes, .iov_len = length};
    control_buffer control;
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
    *count = 0;
    *truncated = 0;
    ssize_t received;
    do {
        received = recvmsg(fd, &message, MSG_CMSG_CLOEXEC);
    } while (received < 0 && errno == EINTR);
    if (received < 0) return received;
    *truncated = (message.msg_flags & MSG_CTRUNC) != 0;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header != NULL; header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
        size_t found = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t index = 0; index < found; index++) {
            int descriptor;
            memcpy(&descriptor, CMSG_DATA(header) + index * sizeof(int), sizeof(int));
            if (*count < capacity) {
                descriptors[(*count)++] = descriptor;
            } else {
                close(descriptor);
                *truncated = 1;
            }
        }
    }
    return received;
}

int csys_socketpair(int pair[2]) { return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair); }

static int address_of(const char *path, struct sockaddr_un *address) {
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    if (strlen(path) >= sizeof address->sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    strcpy(address->sun_path, path);
    return 0;
}

static int close_keeping_errno(int fd) {
    int saved = errno;
    close(fd);
    errno = saved;
    return -1;
}

int csys_listen(const char *path, int backlog) {
    struct sockaddr_un address;
    if (address_of(path, &address) < 0) return -1;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) return -1;
    mode_t previous = umask(0177);
    int bound = bind(fd, (struct sockaddr *)&address, sizeof address);
    int saved = errno;
    umask(previous);
    errno = saved;
    if (bound < 0 || listen(fd, backlog) < 0) return close_keeping_errno(fd);
    return fd;
}

int csys_connect(const char *path, int milliseconds) {
    struct sockaddr_un address;
    if (address_of(path, &address) < 0) return -1;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0) return -1;
    struct timeval patience = {.tv_sec = milliseconds / 1000, .tv_usec = milliseconds % 1000 * 1000};
    if (setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience) < 0) return close_keeping_errno(fd);
    int result;
    do {
        result = connect(fd, (struct sockaddr *)&address, sizeof address);
    } while (result < 0 && errno == EINTR);
    return result < 0 ? close_keeping_errno(fd) : fd;
}

int csys_accept(int fd) {
    int accepted;
    do {
        accepted = accept4(fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    } while (accepted < 0 && errno == EINTR);
    return accepted;
}

int csys_peer_credentials(int fd, csys_peer *peer) {
    struct ucred credentials;
    socklen_t length = sizeof credentials;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &credentials, &length) < 0) return -1;
    peer->pid = credentials.pid;
    peer->uid = credentials.uid;
    peer->gid = credentials.gid;
    return 0;
}

int csys_peer_pidfd(int fd) {
    int pidfd = -1;
    socklen_t length = sizeof pidfd;
    return getsockopt(fd, SOL_SOCKET, SO_PEERPIDFD, &pidfd, &length) < 0 ? -1 : pidfd;
}

int csys_rename_new(const char *from, const char *to)
{
    return renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE);
}

int csys_memfd_create(const char *name) { return memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING); }

enum { ALL_SEALS = F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK };

int csys_memfd_seal(int fd) { return fcntl(fd, F_ADD_SEALS, ALL_SEALS | F_SEAL_SEAL); }

int csys_memfd_is_sealed(int fd) {
    int seals = fcntl(fd, F_GET_SEALS);
    return seals < 0 ? -1 : (seals & ALL_SEALS) == ALL_SEALS;
}

void csys_wipe(void *bytes, size_t length) { explicit_bzero(bytes, length); }

int csys_harden(void) {
    struct rlimit none = {0, 0};
    int limited = setrlimit(RLIMIT_CORE, &none);
    int hidden = prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    return limited == 0 && hidden == 0 ? 0 : -1;
}

int csys_show(int shown) { return prctl(PR_SET_DUMPABLE, shown != 0, 0, 0, 0); }

int csys_allow_tracers(void) { return prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0); }

int csys_die_with_parent(void) { return prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0); }

int csys_pidfd_open(pid_t pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }

int csys_pidfd_send_signal(int pidfd, int signal) {
    return (int)syscall(SYS_pidfd_send_signal, pidfd, signal, NULL, 0);
}

int csys_want_credentials(int fd) {
    int on = 1;
    return setsockopt(fd, SOL_SOCKET, SO_PASSCRED, &on, sizeof on);
}

ssize_t csys_receive_credentials(int fd, void *bytes, size_t length, csys_peer *peer) {
    struct iovec part = {.iov_base = bytes, .iov_len = length};
    control_buffer control;
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
    memset(peer, 0, sizeof *peer);
    ssize_t received;
    do {
        received = recvmsg(fd, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
    } while (received < 0 && errno == EINTR);
    if (received < 0) return received;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header != NULL; header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET) continue;
        if (header->cmsg_type == SCM_CREDENTIALS) {
            struct ucred sender;
            memcpy(&sender, CMSG_DATA(header), sizeof sender);
            *peer = (csys_peer){sender.pid, sender.uid, sender.gid};
        } else if (header->cmsg_type == SCM_RIGHTS) {
            size_t found = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
            for (size_t index = 0; index < found; index++) {
                int descriptor;
                memcpy(&descriptor, CMSG_DATA(header) + index * sizeof(int), sizeof(int));
                close(descriptor);
            }
        }
    }
    return received;
}

static int spawn(
    pid_t *pid, const char *path, char *const argv[], char *const envp[], int channel, int report, int output,
    int input, int new_session) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int error = posix_spawn_file_actions_init(&actions);
    if (error != 0) return error;
    error = posix_spawnattr_init(&attributes);
    if (error != 0) {
        posix_spawn_file_actions_destroy(&actions);
        return error;
    }
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    short flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
    if (new_session) flags |= POSIX_SPAWN_SETSID;
    int first = report >= 0 ? 5 : channel >= 0 ? 4 : 3;
    if ((error = posix_spawnattr_setflags(&attributes, flags)) == 0 &&
        (error = posix_spawnattr_setsigmask(&attributes, &none)) == 0 &&
        (error = posix_spawnattr_setsigdefault(&attributes, &all)) == 0 &&
        (error = input < 0 ? posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
                           : posix_spawn_file_actions_adddup2(&actions, input, 0)) == 0 &&
        (output < 0 || (error = posix_spawn_file_actions_adddup2(&actions, output, 1)) == 0) &&
        (output < 0 || (error = posix_spawn_file_actions_adddup2(&actions, output, 2)) == 0) &&
        (channel < 0 || (error = posix_spawn_file_actions_adddup2(&actions, channel, 3)) == 0) &&
        (report < 0 || (error = posix_spawn_file_actions_adddup2(&actions, report, 4)) == 0) &&
        (error = posix_spawn_file_actions_addclosefrom_np(&actions, first)) == 0) {
        error = posix_spawn(pid, path, &actions, &attributes, argv, envp);
    }
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

enum { FIRST_UNNAMED = 5 };

// Puts descriptor `from` at `to`, where programs find it.
static int place(int from, int to) {
    // dup2(2) would leave it to be closed.
    return from == to ? fcntl(to, F_SETFD, 0) : dup2(from, to);
}

static int join(int group) {
    int tasks = openat(group, "cgroup.procs", O_WRONLY | O_CLOEXEC);
    if (tasks < 0) return -1;
    ssize_t written = write(tasks, "0", 1);
    return written == 1 ? close(tasks) : close_keeping_errno(tasks);
}

// In the child, a copy of a process with threads: nothing but system calls. Returns only when it cannot be done.
static void become(
    const char *path, char *const argv[], char *const envp[], int channel, int report, int output, int input,
    int new_session, int group) {
    if (group >= 0 && join(group) < 0) return;
    for (int signal = 1; signal < NSIG; signal++) {
        struct sigaction usual = {.sa_handler = SIG_DFL};
        // Two cannot be changed, and two more are the C library's.
        sigaction(signal, &usual, NULL);
    }
    sigset_t none;
    sigemptyset(&none);
    if (new_session && setsid() < 0) return;
    if (input < 0) input = open("/dev/null", O_RDONLY);
    if (input < 0 || place(input, 0) < 0) return;
    if (output >= 0 && (place(output, 1) < 0 || place(output, 2) < 0)) return;
    if (channel >= 0 && place(channel, 3) < 0) return;
    if (report >= 0 && place(report, 4) < 0) return;
    int first = report >= 0 ? FIRST_UNNAMED : channel >= 0 ? 4 : 3;
    if (close_range((unsigned)first, ~0U, CLOSE_RANGE_CLOEXEC) < 0) return;
    if (sigprocmask(SIG_SETMASK, &none, NULL) < 0) return;
    execve(path, argv, envp);
}

static int spawn_into(
    pid_t *pid, const char *path, char *const argv[], char *const envp[], int channel, int report, int output,
    int input, int new_session, int group) {
    int ends[2], failure;
    if (pipe2(ends, O_CLOEXEC) < 0) return errno;
    failure = fcntl(ends[1], F_DUPFD_CLOEXEC, FIRST_UNNAMED);
    int error = errno;
    close(ends[1]);
    if (failure < 0) {
        close(ends[0]);
        return error;
    }
    // No handler of this process may run in its copy.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    struct clone_args arguments = {
        .flags = CLONE_VFORK | CLONE_INTO_CGROUP, .exit_signal = SIGCHLD, .cgroup = (unsigned)group};
    int joins = 0;
    pid_t child = (pid_t)syscall(SYS_clone3, &arguments, sizeof arguments);
    if (child < 0) {
        // Filters of system calls in containers do not know the call: then the child goes there by itself.
        joins = 1;
        child = _Fork();
    }
    if (child == 0) {
        become(path, argv, envp, channel, report, output, input, new_session, joins ? group : -1);
        int number = errno;
        // Whoever waits at the other end hears of it.
        if (write(failure, &number, sizeof number) < 0) _exit(126);
        _exit(127);
    }
    error = child < 0 ? errno : 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    close(failure);
    if (child > 0) {
        ssize_t count;
        do {
            count = read(ends[0], &error, sizeof error);
        } while (count < 0 && errno == EINTR);
        if (count > 0) {
            while (waitpid(child, NULL, 0) < 0 && errno == EINTR) continue;
        } else {
            error = 0;
            *pid = child;
        }
    }
    close(ends[0]);
    return error;
}

int csys_spawn(
    pid_t *pid, const char *path, char *const argv[], char *const envp[], int channel, int report, int output,
    int input, int new_session, int group) {
    if (report >= 0 && channel < 0) return EINVAL;
    // What becomes 3 first must not be what becomes 4 then.
    int copy = report < 0 ? -1 : fcntl(report, F_DUPFD_CLOEXEC, FIRST_UNNAMED);
    if (report >= 0 && copy < 0) return errno;
    int error = group < 0 ? spawn(pid, path, argv, envp, channel, copy, output, input, new_session)
                          : spawn_into(pid, path, argv, envp, channel, copy, output, input, new_session, group);
    if (copy >= 0) close(copy);
    return error;
}

ssize_t csys_attribute(const char *path, const char *name, void *value, size_t size) {
    return getxattr(path, name, value, size);
}

int csys_terminal_size(int fd, uint16_t *columns, uint16_t *rows) {
    struct winsize size;
    if (ioctl(fd, TIOCGWINSZ, &size) < 0) return -1;
    *columns = size.ws_col;
    *rows = size.ws_row;
    return 0;
}

int csys_character_width(uint32_t character) {
    static _Thread_local locale_t utf8;
    if (utf8 == NULL) utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", NULL);
    if (utf8 == NULL) return character >= 0x20 && character != 0x7f ? 1 : -1;
    locale_t before = uselocale(utf8);
    int width = wcwidth((wchar_t)character);
    uselocale(before);
    return width;
}

void csys_trim_heap(void) { malloc_trim(0); }

int csys_lock(int fd, int wait) {
    int result;
    do {
        result = flock(fd, LOCK_EX | (wait ? 0 : LOCK_NB));
    } while (result < 0 && errno == EINTR);
    return result;
}

static uint64_t nanoseconds_of(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint32_t csys_file_system(const char *path) {
    struct statfs status;
    return statfs(path, &status) == 0 ? (uint32_t)status.f_type : 0;
}

uint64_t csys_monotonic_nanoseconds(void) { return nanoseconds_of(CLOCK_MONOTONIC); }

uint64_t csys_boottime_nanoseconds(void) { return nanoseconds_of(CLOCK_BOOTTIME); }
