import CLandlock
import CSeccomp
import Glibc

/// What a keeper of secrets may not do beside everybody else (``ConfineCommand/isKeeper``).
///
/// It has no namespaces, so other processes, sockets and files of the person are there for it to name. Landlock forbids
/// most of that, each kernel as much as it knows: that of Debian 12 (version 2) neither truncating nor signals nor
/// sockets, and no version changing what is known of a file by its path. All of it is forbidden here for every kernel.
enum KeeperCalls {
    /// Adds the rules to `filter`, for the program that `process` becomes.
    ///
    /// - Throws: ``ConfineError`` when libseccomp takes one of them not.
    static func forbid(_ filter: scmp_filter_ctx, process: pid_t) throws(ConfineError) {
        let fail = cseccomp_fail_with(UInt16(EPERM))
        for name in never { try SystemCallFilter.add(filter, fail, name, []) }
        try sockets(filter, fail)
        try processes(filter, fail, UInt64(process))
        try files(filter, fail)
    }

    /// Calls that nothing about their arguments makes harmless.
    private static let never =
        // Whoever is spoken to is handed over, connected.
        ["socket", "connect", "bind", "listen"]
        // It is one process, in the session that it was started in.
        + ["fork", "vfork", "setsid", "setpgid", "tkill"]
        // Files by their paths: the person's own could be opened to others, or emptied.
        + ["chmod", "fchmodat", "fchmodat2", "chown", "lchown", "fchownat", "setxattr", "lsetxattr", "removexattr"]
        + ["lremovexattr", "utime", "utimes", "futimesat", "truncate", "openat2"]
        // Which files the person changes; and what processes of others share.
        + ["inotify_add_watch", "semget", "semop", "semctl", "semtimedop"]

    private static func sockets(_ filter: scmp_filter_ctx, _ fail: UInt32) throws(ConfineError) {
        // Of a pair, one that sends datagrams could send them to any socket that has a name.
        for kind in [SOCK_DGRAM, SOCK_RAW] {
            try SystemCallFilter.add(
                filter, fail, "socketpair", [SystemCallFilter.when(1, SCMP_CMP_MASKED_EQ, 0xf, UInt64(kind.rawValue))])
        }
    }

    private static func processes(
        _ filter: scmp_filter_ctx, _ fail: UInt32, _ process: UInt64
    ) throws(ConfineError) {
        // Threads, and no process.
        let thread = UInt64(CLANDLOCK_THREAD)
        try SystemCallFilter.add(filter, fail, "clone", [SystemCallFilter.when(0, SCMP_CMP_MASKED_EQ, thread, 0)])
        for name in ["kill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo"] {
            try SystemCallFilter.add(filter, fail, name, [SystemCallFilter.when(0, SCMP_CMP_NE, process)])
        }
        // Whether somebody still runs may be asked.
        try SystemCallFilter.add(filter, fail, "pidfd_send_signal", [SystemCallFilter.when(1, SCMP_CMP_NE, 0)])
        // A signal can be had sent to anybody when a descriptor becomes ready.
        for command in [UInt64(F_SETOWN), UInt64(CLANDLOCK_SET_OWNER)] {
            try SystemCallFilter.add(
                filter, fail, "fcntl",
                [SystemCallFilter.when(1, SCMP_CMP_MASKED_EQ, SystemCallFilter.lower, command)])
        }
        for request in [UInt64(CLANDLOCK_FILE_SET_OWNER), UInt64(CLANDLOCK_SOCKET_SET_OWNER)] {
            try SystemCallFilter.add(
                filter, fail, "ioctl",
                [SystemCallFilter.when(1, SCMP_CMP_MASKED_EQ, SystemCallFilter.lower, request)])
        }
        // Limits and priorities, of this process alone.
        for (name, argument) in [
            ("prlimit64", UInt32(0)), ("sched_setaffinity", 0), ("sched_setparam", 0), ("sched_setscheduler", 0),
            ("sched_setattr", 0), ("setpriority", 0), ("setpriority", 1), ("ioprio_set", 1),
        ] {
            try SystemCallFilter.add(filter, fail, name, [SystemCallFilter.when(argument, SCMP_CMP_NE, 0)])
        }
        // Of a process, and not of all that the person has (ioprio_set(2)).
        try SystemCallFilter.add(filter, fail, "ioprio_set", [SystemCallFilter.when(0, SCMP_CMP_NE, 1)])
    }

    private static func files(_ filter: scmp_filter_ctx, _ fail: UInt32) throws(ConfineError) {
        // A descriptor and no path means that descriptor.
        try SystemCallFilter.add(filter, fail, "utimensat", [SystemCallFilter.when(1, SCMP_CMP_NE, 0)])
        // Opened for reading, or for neither, a file could be emptied all the same.
        let mask = UInt64(O_ACCMODE | O_TRUNC)
        for access in [O_RDONLY, O_ACCMODE] {
            for (name, argument) in [("open", UInt32(1)), ("openat", 2)] {
                try SystemCallFilter.add(
                    filter, fail, name,
                    [SystemCallFilter.when(argument, SCMP_CMP_MASKED_EQ, mask, UInt64(access | O_TRUNC))])
            }
        }
    }
}
