/// How much a process of a bundle may take.
package struct ResourceLimits: Hashable, Sendable {
    /// Bytes of writable memory, of each process (RLIMIT_DATA).
    package var memory: UInt64
    /// Processes and threads at one time (RLIMIT_NPROC); nil for no limit. In a user namespace of its own the kernel
    /// counts those inside alone, elsewhere all of the person's; it does not count those of root at all.
    package var processes: UInt64?
    /// Bytes of each file that it writes, those that lie in memory among them (RLIMIT_FSIZE).
    package var fileBytes: UInt64
    /// Open descriptors of each process (RLIMIT_NOFILE).
    package var descriptors: UInt64
    /// Seconds of processor time of each process (RLIMIT_CPU); nil for no limit.
    package var seconds: UInt64?

    /// Limits by their parts.
    package init(memory: UInt64, processes: UInt64?, fileBytes: UInt64, descriptors: UInt64, seconds: UInt64?) {
        self.memory = memory
        self.processes = processes
        self.fileBytes = fileBytes
        self.descriptors = descriptors
        self.seconds = seconds
    }

    /// An extension answers one request after another, and is started again when it ran out of time.
    package static let ofExtension = ResourceLimits(
        memory: 1 << 30, processes: 256, fileBytes: 1 << 28, descriptors: 1024, seconds: 600)
    /// A service may derive keys, hold what it stores, talk with a thousand extensions, and run for months.
    package static let ofService = ResourceLimits(
        memory: 4 << 30, processes: 512, fileBytes: 4 << 30, descriptors: 16384, seconds: nil)
}

/// How much processes may take together, where the kernel counts them in a control group (cgroup v2): whatever kind of
/// memory it is, shared, without a name or a file in memory, and however many processes share or divide it.
package struct SharedLimits: Hashable, Sendable {
    /// Bytes of memory (memory.max).
    package let memory: UInt64
    /// Processes and threads at one time (pids.max).
    package let processes: UInt64

    /// Limits by their parts.
    package init(memory: UInt64, processes: UInt64) {
        self.memory = memory
        self.processes = processes
    }

    /// What a single process may take is also what it and all that it starts may. Bubblewrap's own processes are in the
    /// group, too, and do not count.
    private init(_ limits: ResourceLimits, processes: UInt64) {
        self.init(memory: limits.memory, processes: processes + Self.bubblewrap)
    }

    private static let bubblewrap: UInt64 = 8

    /// An extension and all that it starts; likewise git, where it works for a bundle.
    package static let ofExtension = SharedLimits(.ofExtension, processes: 256)
    /// A service and all that it starts.
    package static let ofService = SharedLimits(.ofService, processes: 512)
    /// All processes of a bundle: its service, and as many extensions as work at one time.
    package static let ofBundle = SharedLimits(memory: 6 << 30, processes: 2048)
}
