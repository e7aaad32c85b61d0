import Confinement
import Glibc

/// The limits of setrlimit(2).
enum Limits {
    /// Takes the limits, soft and hard. One that is lower already stays.
    ///
    /// - Throws: ``ConfineError`` when the kernel refuses one.
    static func set(_ limits: ResourceLimits) throws(ConfineError) {
        try set("RLIMIT_CORE", coreResource, 0)
        try set("RLIMIT_DATA", dataResource, limits.memory)
        try set("RLIMIT_FSIZE", fileResource, limits.fileBytes)
        if let processes = limits.processes { try set("RLIMIT_NPROC", processesResource, processes) }
        try set("RLIMIT_NOFILE", descriptorsResource, limits.descriptors)
        if let seconds = limits.seconds { try set("RLIMIT_CPU", secondsResource, seconds) }
    }

    private static let coreResource = __rlimit_resource_t(RLIMIT_CORE.rawValue)
    private static let dataResource = __rlimit_resource_t(RLIMIT_DATA.rawValue)
    private static let fileResource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
    private static let processesResource = __rlimit_resource_t(__RLIMIT_NPROC.rawValue)
    private static let descriptorsResource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    private static let secondsResource = __rlimit_resource_t(RLIMIT_CPU.rawValue)

    private static func set(
        _ name: String, _ resource: __rlimit_resource_t, _ value: UInt64
    ) throws(ConfineError) {
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { throw ConfineError(name, errno) }
        limit.rlim_max = min(limit.rlim_max, rlim_t(value))
        limit.rlim_cur = limit.rlim_max
        guard setrlimit(resource, &limit) == 0 else { throw ConfineError(name, errno) }
    }
}
