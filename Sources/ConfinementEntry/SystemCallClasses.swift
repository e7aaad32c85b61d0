/// Which system calls a provider's program may make, by what they are for. Whatever is not here, and whatever a kernel
/// learns later, does not exist for it (ENOSYS).
///
/// Not here, on purpose: ptrace and what reads the memory of others; namespaces, mounts and roots; modules, kexec, bpf,
/// userfaultfd, perf, io_uring; keyrings; shared memory of System V, which no limit counts; quotas, swap, clocks, host names; nodes of devices; raw ports.
enum SystemCallClasses {
    /// All of them.
    static let allowed = memory + files + descriptors + waiting + processes + signals + sockets + clocks + own

    static let memory = [
        "brk", "mmap", "munmap", "mprotect", "mremap", "madvise", "msync", "mincore", "mlock", "mlock2", "mlockall",
        "munlock", "munlockall", "membarrier", "memfd_create", "memfd_secret", "pkey_alloc", "pkey_free",
        "pkey_mprotect", "process_madvise", "get_mempolicy", "map_shadow_stack",
        "mseal",
    ]

    static let files = [
        "access", "faccessat", "faccessat2", "chdir", "fchdir", "getcwd", "chmod", "fchmod", "fchmodat", "fchmodat2",
        "chown", "fchown", "fchownat", "lchown", "creat", "open", "openat", "openat2", "link", "linkat", "symlink",
        "symlinkat", "readlink", "readlinkat", "mkdir", "mkdirat", "rmdir", "rename", "renameat", "renameat2", "unlink",
        "unlinkat", "stat", "fstat", "lstat", "newfstatat", "statx", "statfs", "fstatfs", "truncate", "ftruncate",
        "fallocate", "utime", "utimes", "utimensat", "futimesat", "getdents", "getdents64", "getxattr", "lgetxattr",
        "fgetxattr", "listxattr", "llistxattr", "flistxattr", "setxattr", "lsetxattr", "fsetxattr", "removexattr",
        "lremovexattr", "fremovexattr", "mknod", "mknodat", "umask", "flock", "sync", "syncfs", "fsync", "fdatasync",
        "sync_file_range", "inotify_init", "inotify_init1", "inotify_add_watch", "inotify_rm_watch", "ustat",
    ]

    static let descriptors = [
        "read", "write", "readv", "writev", "pread64", "pwrite64", "preadv", "pwritev", "preadv2", "pwritev2", "lseek",
        "close", "close_range", "dup", "dup2", "dup3", "fcntl", "ioctl", "pipe", "pipe2", "splice", "tee", "vmsplice",
        "sendfile", "copy_file_range", "readahead", "fadvise64", "eventfd", "eventfd2", "signalfd", "signalfd4",
        "timerfd_create", "timerfd_settime", "timerfd_gettime", "pidfd_open", "pidfd_send_signal", "cachestat",
    ]

    static let waiting = [
        "poll", "ppoll", "select", "pselect6", "epoll_create", "epoll_create1", "epoll_ctl", "epoll_wait",
        "epoll_pwait", "epoll_pwait2", "futex", "futex_waitv", "futex_wake", "futex_wait", "futex_requeue",
        "get_robust_list", "set_robust_list", "rseq", "restart_syscall", "pause", "semget", "semop", "semctl",
        "semtimedop", "io_setup", "io_submit", "io_cancel", "io_destroy", "io_getevents", "io_pgetevents",
    ]

    static let processes = [
        "clone", "fork", "vfork", "execve", "execveat", "exit", "exit_group", "wait4", "waitid", "getpid", "gettid",
        "getppid", "getpgid", "getpgrp", "setpgid", "getsid", "setsid", "sched_yield", "sched_getaffinity",
        "sched_setaffinity", "sched_getparam", "sched_setparam", "sched_getscheduler", "sched_setscheduler",
        "sched_getattr", "sched_setattr", "sched_get_priority_max", "sched_get_priority_min", "sched_rr_get_interval",
        "getpriority", "setpriority", "ioprio_get", "ioprio_set", "set_tid_address", "prctl", "arch_prctl", "getcpu",
        "getrlimit", "setrlimit", "prlimit64", "getrusage", "times", "sysinfo", "uname", "seccomp",
        "landlock_create_ruleset", "landlock_add_rule", "landlock_restrict_self", "set_thread_area",
        "get_thread_area",
    ]

    static let signals = [
        "kill", "tkill", "tgkill", "rt_sigaction", "rt_sigprocmask", "rt_sigpending", "rt_sigsuspend",
        "rt_sigtimedwait", "rt_sigreturn", "rt_sigqueueinfo", "rt_tgsigqueueinfo", "sigaltstack", "alarm", "getitimer",
        "setitimer",
    ]

    static let sockets = [
        "socket", "socketpair", "bind", "connect", "listen", "accept", "accept4", "getsockname", "getpeername",
        "getsockopt", "setsockopt", "shutdown", "sendto", "recvfrom", "sendmsg", "recvmsg", "sendmmsg", "recvmmsg",
    ]

    static let clocks = [
        "clock_gettime", "clock_getres", "clock_nanosleep", "nanosleep", "gettimeofday", "time", "timer_create",
        "timer_settime", "timer_gettime", "timer_getoverrun", "timer_delete",
    ]

    /// Who the process is; it can become nobody else.
    static let own = [
        "getuid", "geteuid", "getgid", "getegid", "getresuid", "getresgid", "getgroups", "setuid", "setgid", "setreuid",
        "setregid", "setresuid", "setresgid", "setfsuid", "setfsgid", "capget", "capset", "getrandom",
    ]
}
