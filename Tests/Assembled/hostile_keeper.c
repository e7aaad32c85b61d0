// A provider of somebody else's that declares no programs and no network, so that it stands alone beside everything
// that is the person's. It tries what such a program must not do, and writes down what it could.
//
// Built with: REPORT, a folder in which it may write; HOME, the person's; DOOR, a socket; VICTIM, a process.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#define OWN HOME "/.ssh/id"

static FILE *report;

// Says what was done if it was: whatever is -1 was not.
static void try(const char *what, long result) {
    if (result != -1) fprintf(report, "%s\n", what);
}

// Programs of the system: whatever can be read can be run, by the loader or as a copy.
static void programs(void) {
    try("a program read", open("/usr/bin/touch", O_RDONLY));
    try("a program read by its other name", open("/bin/touch", O_RDONLY));
    try("programs listed", open("/usr/bin", O_RDONLY | O_DIRECTORY));
}

static void files(void) {
    try("read", open(OWN, O_RDONLY));
    try("listed", open(HOME, O_RDONLY | O_DIRECTORY));
    try("written", open(OWN, O_WRONLY));
    try("made", open(HOME "/.made", O_CREAT | O_WRONLY, 0600));
    try("emptied while reading", open(OWN, O_RDONLY | O_TRUNC));
    try("emptied what it may read", open(HOME "/shown", O_RDONLY | O_TRUNC));
    try("emptied while writing", open(OWN, O_WRONLY | O_TRUNC));
    try("emptied by the fourth way to open", open(OWN, O_ACCMODE | O_TRUNC));
    try("made anew", creat(OWN, 0600));
    struct open_how { unsigned long long flags, mode, resolve; } how = {O_RDONLY | O_TRUNC, 0, 0};
    try("emptied by openat2", syscall(SYS_openat2, AT_FDCWD, OWN, &how, sizeof how));
    try("truncated", truncate(OWN, 0));
    try("linked", link(OWN, REPORT "/link"));
    try("opened to others", chmod(OWN, 0666));
    try("opened to others by fchmodat", fchmodat(AT_FDCWD, OWN, 0666, 0));
    try("opened to others by fchmodat2", syscall(452, AT_FDCWD, OWN, 0666, 0));
    int named = open(OWN, O_PATH);
    char self[64];
    snprintf(self, sizeof self, "/proc/self/fd/%d", named);
    try("opened to others by a descriptor that names it", fchmod(named, 0666));
    try("opened to others by its descriptor's path", chmod(self, 0666));
    try("read by its descriptor's path", open(self, O_RDONLY));
    try("given away", chown(OWN, getuid(), getgid()));
    try("marked", setxattr(OWN, "user.mark", "1", 1, 0));
    try("dated", utimes(OWN, NULL));
    try("watched", inotify_add_watch(inotify_init(), HOME, IN_ALL_EVENTS));
    try("renamed", rename(OWN, REPORT "/id"));
    try("removed", unlink(HOME "/.profile"));
}

static void sockets(void) {
    struct sockaddr_un door = {.sun_family = AF_UNIX};
    strcpy(door.sun_path, DOOR);
    for (int type = SOCK_STREAM; type <= SOCK_SEQPACKET; type++) {
        int one = socket(AF_UNIX, type, 0);
        try("a socket", one);
        try("the door", connect(one, (struct sockaddr *)&door, sizeof door));
        int two[2] = {-1, -1};
        if (socketpair(AF_UNIX, type, 0, two) < 0) continue;
        try("the door from a pair", connect(two[0], (struct sockaddr *)&door, sizeof door));
        struct sockaddr_un name = {.sun_family = AF_UNIX, .sun_path = REPORT "/socket"};
        try("a door of its own", bind(two[0], (struct sockaddr *)&name, sizeof name));
        if (type == SOCK_DGRAM) try("datagrams", two[0]);
    }
    try("the internet", socket(AF_INET, SOCK_STREAM, 0));
    try("netlink", socket(AF_NETLINK, SOCK_RAW, 0));
    struct io_uring_params parameters = {0};
    try("io_uring", syscall(SYS_io_uring_setup, 1, &parameters));
}

static void processes(void) {
    for (int signal = 0; signal <= SIGUSR1; signal += SIGUSR1) {
        try("signalled", kill(VICTIM, signal));
        try("everybody signalled", signal ? -1 : kill(-1, signal));
        try("the broker signalled", kill(getppid(), signal ? -1 : 0));
        try("its thread signalled", syscall(SYS_tkill, VICTIM, signal));
        try("its thread signalled by both numbers", syscall(SYS_tgkill, VICTIM, VICTIM, signal));
        siginfo_t information = {.si_signo = signal, .si_code = SI_QUEUE};
        try("sent a queued signal", syscall(SYS_rt_sigqueueinfo, VICTIM, signal, &information));
        int handle = syscall(SYS_pidfd_open, VICTIM, 0);
        if (signal) try("signalled by its handle", syscall(SYS_pidfd_send_signal, handle, signal, NULL, 0));
    }
    int ends[2];
    if (pipe(ends) == 0) try("signalled by a descriptor", fcntl(ends[0], F_SETOWN, VICTIM));
    struct f_owner_ex owner = {F_OWNER_PID, VICTIM};
    try("signalled by a descriptor's other owner", fcntl(ends[0], F_SETOWN_EX, &owner));
    long child = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
    if (child == 0) _exit(0);
    try("cloned", child);
    child = fork();
    if (child == 0) _exit(0);
    try("forked", child);
    try("a session of its own", setsid());
    struct rlimit limit = {1, 1};
    try("limited", prlimit(VICTIM, RLIMIT_NOFILE, &limit, NULL));
    try("put last", setpriority(PRIO_PROCESS, VICTIM, 19));
    try("everybody put last", setpriority(PRIO_USER, 0, 19));
    try("everybody's files put last", syscall(SYS_ioprio_set, 3, 0, 3 << 13));
    char byte;
    struct iovec here = {&byte, 1}, there = {(void *)0x1000, 1};
    long seen = syscall(SYS_process_vm_readv, VICTIM, &here, 1, &there, 1, 0);
    // Nothing is there, which is known only of what may be looked into.
    try("looked into", seen < 0 && errno == EFAULT ? 0 : seen);
    try("its memory", open("/proc/" NUMBER "/mem", O_RDONLY));
    errno = 0;
    char some[1];
    try("its variables", read(open("/proc/" NUMBER "/environ", O_RDONLY), some, 1));
    try("held", syscall(SYS_ptrace, 0x4206, VICTIM, 0, 0));
}

int main(void) {
    report = fopen(REPORT "/report", "w");
    if (report == NULL) return 1;
    files();
    programs();
    sockets();
    processes();
    // Becomes another program, if it can: nothing would come after.
    fclose(report);
    rename(REPORT "/report", REPORT "/done");
    execl("/usr/bin/touch", "touch", REPORT "/ran", NULL);
    execl("/bin/sh", "sh", "-c", ": > " REPORT "/ran", NULL);
    creat(REPORT "/end", 0600);
    pause();
}
