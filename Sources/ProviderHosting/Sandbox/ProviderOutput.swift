import BrokerBase
import Dispatch
import Glibc
import KeywaySystem

/// What a provider's program writes to its standard output and error, on its way to the log: each line behind the name of
/// who wrote it, so that none can look as if the broker had, and only so many (``OutputLines``).
// SAFETY: all but the descriptor is touched on `queue` only.
final class ProviderOutput: @unchecked Sendable {
    /// The most that is read at a time, and the pause after it: whoever writes more waits.
    private static let (portion, pause) = (1 << 14, DispatchTimeInterval.milliseconds(50))
    private static let queue = DispatchQueue(label: "org.keyway.provider-output")

    // SAFETY: a source of libdispatch may be used from any thread; its type only lacks the word.
    private struct Source: @unchecked Sendable {
        let source: any DispatchSourceRead
    }

    private let descriptor: OwnedDescriptor
    private let label: String
    private let log: EventLog
    private var lines = OutputLines()

    /// Begins to read; it ends with the last process that can write.
    ///
    /// - Returns: what becomes descriptors 1 and 2 of the program.
    /// - Throws: ``ProtocolError`` with the code `system`.
    static func begin(_ label: String, log: EventLog) throws(ProtocolError) -> OwnedDescriptor {
        var ends: [CInt] = [0, 0]
        // Programs get no descriptor but those that they are given: a start in between passes none of these on.
        guard pipe(&ends) == 0 else { throw .system("pipe", errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let output = ProviderOutput(OwnedDescriptor(ends[0]), label, log)
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        output.listen()
        return OwnedDescriptor(ends[1])
    }

    private init(_ descriptor: OwnedDescriptor, _ label: String, _ log: EventLog) {
        self.descriptor = descriptor
        self.label = label
        self.log = log
    }

    private func listen() {
        let source = Source(
            source: DispatchSource.makeReadSource(fileDescriptor: descriptor.rawValue, queue: Self.queue))
        // The source keeps this object until nobody can write any more.
        source.source.setEventHandler { [source] in
            guard self.receive() else { return source.source.cancel() }
            source.source.suspend()
            Self.queue.asyncAfter(deadline: .now() + Self.pause) { source.source.resume() }
        }
        source.source.setCancelHandler { _ = self.descriptor }
        source.source.activate()
    }

    /// Takes what is there; false at the end.
    private func receive() -> Bool {
        var bytes = [UInt8](repeating: 0, count: Self.portion)
        let count = read(descriptor.rawValue, &bytes, bytes.count)
        if count < 0 { return errno == EAGAIN || errno == EINTR }
        let second = MonotonicTime.now.nanoseconds / 1_000_000_000
        for line in lines.take(bytes[..<count], second: second) { log("\(label): \(line)") }
        if count == 0, let line = lines.rest() { log("\(label): \(line)") }
        return count > 0
    }
}
