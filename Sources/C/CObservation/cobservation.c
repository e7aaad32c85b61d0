#define _GNU_SOURCE
#include "cobservation.h"

#include "calls.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

// The lowest descriptor at which the child keeps what it was given while it puts 0 to 3 in order.
enum { PARKED = 64 };

static int write_file(const char *path, const char *text) {
    int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0) return -1;
    ssize_t written = write(file, text, strlen(text));
    close(file);
    return written < 0 ? -1 : 0;
}

// A user namespace in which this user is the same one: its owner, who started the program, may then read its memory,
// even where the program forbids that to others of the same user.
static int enter_namespace(void) {
    char users[64], groups[64];
    snprintf(users, sizeof users, "%u %u 1\n", geteuid(), geteuid());
    snprintf(groups, sizeof groups, "%u %u 1\n", getegid(), getegid());
    if (unshare(CLONE_NEWUSER) != 0) return -1;
    if (write_file("/proc/self/setgroups", "deny") != 0) return -1;
    if (write_file("/proc/self/uid_map", users) != 0) return -1;
    return write_file("/proc/self/gid_map", groups);
}

static int send_report(int socket, int is_readable, int listener) {
    struct iovec part = {.iov_base = &is_readable, .iov_len = sizeof is_readable};
    union {
        struct cmsghdr align;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control;
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (listener >= 0) {
        memset(&control, 0, sizeof control);
        message.msg_control = control.bytes;
        message.msg_controllen = sizeof control.bytes;
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof(int));
        memcpy(CMSG_DATA(header), &listener, sizeof(int));
    }
    return sendmsg(socket, &message, MSG_NOSIGNAL) < 0 ? -1 : 0;
}

static void receive_report(int socket, cobservation_child *child) {
    struct iovec part = {.iov_base = &child->is_readable, .iov_len = sizeof child->is_readable};
    union {
        struct cmsghdr align;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control;
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
    child->listener = -1;
    child->is_readable = 0;
    ssize_t received;
    do {
        received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    } while (received < 0 && errno == EINTR);
    struct cmsghdr *header = received > 0 ? CMSG_FIRSTHDR(&message) : NULL;
    if (header != NULL && header->cmsg_type == SCM_RIGHTS) memcpy(&child->listener, CMSG_DATA(header), sizeof(int));
}

// Runs in the child, where only what is safe after fork(2) may be called.
static void run_child(const char *path, char *const argv[], char *const envp[], int channel, int output, int report) {
    sigset_t none;
    sigemptyset(&none);
    for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
    sigprocmask(SIG_SETMASK, &none, NULL);
    setsid();
    channel = fcntl(channel, F_DUPFD_CLOEXEC, PARKED);
    output = fcntl(output, F_DUPFD_CLOEXEC, PARKED);
    report = fcntl(report, F_DUPFD_CLOEXEC, PARKED);
    int empty = open("/dev/null", O_RDONLY);
    if (channel < 0 || output < 0 || report < 0 || empty < 0) _exit(126);
    if (dup2(empty, 0) < 0 || dup2(output, 1) < 0 || dup2(output, 2) < 0 || dup2(channel, 3) < 0) _exit(126);
    if (syscall(SYS_close_range, 4, ~0u, 4 /* CLOSE_RANGE_CLOEXEC */) != 0) _exit(126);
    int is_readable = enter_namespace() == 0;
    send_report(report, is_readable, install_filter());
    execve(path, argv, envp);
    _exit(127);
}

int cobservation_start(
    const char *path, char *const argv[], char *const envp[], int channel, int output, cobservation_child *child) {
    int report[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, report) != 0) return errno;
    pid_t pid = fork();
    if (pid == 0) run_child(path, argv, envp, channel, output, report[1]);
    int error = pid < 0 ? errno : 0;
    close(report[1]);
    if (error == 0) {
        child->pid = pid;
        receive_report(report[0], child);
        child->pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
        if (child->pidfd < 0) {
            error = errno;
            kill(pid, SIGKILL);
            waitpid(pid, NULL, 0);
            if (child->listener >= 0) close(child->listener);
        }
    }
    close(report[0]);
    return error;
}

int cobservation_adopt_orphans(void) { return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); }

int cobservation_receive(int listener, cobservation_call *call) {
    struct seccomp_notif notice;
    memset(&notice, 0, sizeof notice);
    memset(call, 0, sizeof *call);
    if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &notice) != 0) return errno;
    call->identifier = notice.id;
    call->caller = (pid_t)notice.pid;
    describe(&notice, call);
    return 0;
}

int cobservation_answer(int listener, uint64_t identifier, int error) {
    struct seccomp_notif_resp answer;
    memset(&answer, 0, sizeof answer);
    answer.id = identifier;
    answer.error = -error;
    if (error == 0) answer.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
    return ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &answer) != 0 ? errno : 0;
}

// Not through /proc: there, what a program hides belongs to root, and its owner may not even look.
ssize_t cobservation_read(pid_t process, uint64_t address, void *bytes, size_t length) {
    struct iovec ours = {.iov_base = bytes, .iov_len = length};
    struct iovec theirs = {.iov_base = (void *)(uintptr_t)address, .iov_len = length};
    return process_vm_readv(process, &ours, 1, &theirs, 1, 0);
}

int cobservation_take_descriptor(int pidfd, int number) { return (int)syscall(SYS_pidfd_getfd, pidfd, number, 0); }

int cobservation_open_process(pid_t process) { return (int)syscall(SYS_pidfd_open, process, 0); }

int cobservation_is_over(int listener) {
    struct pollfd state = {.fd = listener, .events = POLLIN};
    return poll(&state, 1, 0) > 0 && (state.revents & POLLHUP) != 0 && (state.revents & POLLIN) == 0;
}
