import Glibc
package import KeywaySystem

/// Another process that is attached to one of the broker's, as a debugger is (ptrace(2)).
///
/// Nothing can attach to one of our processes once it has hidden itself, or from its first instruction on if its file
/// can't be read. Whatever attached before that stays attached and controls the process. The kernel reports it to this
/// process, which is outside every sandbox; the broker checks it before it tells a process anything.
package enum Onlooker {
    /// How far above a process somebody looks.
    private static let maximumDepth = 8

    /// Why nothing is said to `process`, which this one has started; nil where nobody looks on.
    package static func objection(to process: Int32, _ name: String) -> ProtocolError? {
        guard let onlooker = Self.process(watching: process) else { return nil }
        return ProtocolError(
            .refused,
            "\(name) is watched by process \(onlooker), like a debugger would. Keyway ended it before it received anything."
        )
    }

    /// The process that traces `process`, or one of those through which this one has started it; nil where none does.
    static func process(watching process: Int32) -> Int32? {
        var current = process
        for _ in 0..<maximumDepth where current > 1 && current != getpid() {
            guard let status = read(current) else { return nil }
            if status.tracer != 0 { return status.tracer }
            current = status.parent
        }
        return nil
    }

    /// Two lines of `/proc/PID/status` (proc(5)), which everybody may read.
    static func fields(in text: String) -> (tracer: Int32, parent: Int32)? {
        func number(_ label: String) -> Int32? {
            text.split(separator: "\n").first { $0.hasPrefix(label) }
                .flatMap { Int32($0.dropFirst(label.count).trimmingPrefix { $0 == "\t" || $0 == " " }) }
        }
        guard let tracer = number("TracerPid:"), let parent = number("PPid:") else { return nil }
        return (tracer, parent)
    }

    private static func read(_ process: Int32) -> (tracer: Int32, parent: Int32)? {
        let file = open("/proc/\(process)/status", O_RDONLY | O_CLOEXEC)
        guard file >= 0, let bytes = try? FileContents.read(OwnedDescriptor(file), limit: 1 << 16) else { return nil }
        return fields(in: String(decoding: bytes, as: UTF8.self))
    }
}
