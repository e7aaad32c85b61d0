import CObservation
import Glibc
import KeywaySystem

/// A process that the kit started, with its descriptors.
struct OtherProcess: Sendable {
    /// Numbers are given out from below; more than this no program of ours may have.
    private static let mostDescriptors: CInt = 4096

    private let pidfd: OwnedDescriptor

    /// The process behind `pidfd`.
    init(_ pidfd: OwnedDescriptor) {
        self.pidfd = pidfd
    }

    /// The process that the thread `thread` belongs to; nil when it has ended.
    init?(of thread: pid_t) {
        guard let status = FileText.bytes("/proc/\(thread)/status", limit: 1 << 16),
            let line = String(decoding: status, as: UTF8.self).split(separator: "\n").first(where: {
                $0.hasPrefix("Tgid:")
            }),
            let leader = line.split(whereSeparator: \.isWhitespace).last.flatMap({ pid_t($0) })
        else { return nil }
        let descriptor = cobservation_open_process(leader)
        guard descriptor >= 0 else { return nil }
        pidfd = OwnedDescriptor(descriptor)
    }

    /// A copy of its descriptor `number`; nil when it has none of that number, or the kernel forbids to ask.
    func descriptor(_ number: CInt) -> OwnedDescriptor? {
        let copy = cobservation_take_descriptor(pidfd.rawValue, number)
        guard copy >= 0 else { return nil }
        _ = fcntl(copy, F_SETFD, FD_CLOEXEC)
        return OwnedDescriptor(copy)
    }

    /// How many descriptors it has; nil when the kernel forbids to ask.
    var descriptorCount: Int? {
        // Every program has its standard output.
        guard descriptor(1) != nil else { return nil }
        return (0..<Self.mostDescriptors).count { descriptor($0) != nil }
    }
}
