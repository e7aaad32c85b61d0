import Glibc
import KeywayCrypto
import KeywaySystem

/// The pipes through which programs paste. None of them keeps the others waiting.
struct PastePipes {
    private struct Pipe {
        let descriptor: OwnedDescriptor
        let bytes: SecretBytes
        var done = 0
    }

    private var pipes: [Pipe] = []

    /// Those that somebody has not read to the end yet.
    var descriptors: [CInt] { pipes.map(\.descriptor.rawValue) }

    /// Writes `bytes` to `descriptor`, which is closed after them.
    mutating func write(_ bytes: SecretBytes, to descriptor: OwnedDescriptor) {
        let flags = fcntl(descriptor.rawValue, F_GETFL)
        guard flags >= 0, fcntl(descriptor.rawValue, F_SETFL, flags | O_NONBLOCK) == 0 else { return }
        pipes.append(Pipe(descriptor: descriptor, bytes: bytes))
        work()
    }

    /// Writes what the pipes take, and closes those that have all, and those that nobody reads any more.
    mutating func work() {
        for index in pipes.indices.reversed() where Self.isDone(&pipes[index]) { pipes.remove(at: index) }
    }

    private static func isDone(_ pipe: inout Pipe) -> Bool {
        while pipe.done < pipe.bytes.count {
            let done = pipe.done
            let count = pipe.bytes.withUnsafeBytes { bytes in
                Glibc.write(pipe.descriptor.rawValue, bytes.baseAddress.map { $0 + done }, bytes.count - done)
            }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return !(count < 0 && errno == EAGAIN) }
            pipe.done += count
        }
        return true
    }
}
