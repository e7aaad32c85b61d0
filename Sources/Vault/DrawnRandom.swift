import KeywayCrypto
import Synchronization

/// Random bytes that are drawn some thousand at a time and handed out once each, for nonces and identifiers, which are no
/// secrets: many items are sealed one after another, and each would ask the kernel three times.
final class DrawnRandom: RandomSource {
    private struct Supply {
        var bytes: [UInt8] = []
        var used = 0
    }

    private static let drawn = 4096
    private let source: any RandomSource
    private let supply = Mutex(Supply())

    /// Draws from `source`.
    init(_ source: any RandomSource) { self.source = source }

    func fill(_ buffer: UnsafeMutableRawBufferPointer) {
        guard buffer.count <= Self.drawn else { return source.fill(buffer) }
        supply.withLock { supply in
            if supply.bytes.count - supply.used < buffer.count { supply = Supply(bytes: source.bytes(Self.drawn)) }
            buffer.copyBytes(from: supply.bytes[supply.used..<supply.used + buffer.count])
            supply.used += buffer.count
        }
    }
}
