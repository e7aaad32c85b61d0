import KeywayCrypto
import Synchronization
import Testing

@testable import Vault

@Suite("random bytes that are drawn many at a time")
struct DrawnRandomTests {
    /// Counts upwards.
    private final class Counting: RandomSource {
        private let next = Mutex<UInt32>(0)
        private let calls = Mutex(0)
        var callCount: Int { calls.withLock { $0 } }

        func fill(_ buffer: UnsafeMutableRawBufferPointer) {
            calls.withLock { $0 += 1 }
            next.withLock { next in
                for start in stride(from: 0, to: buffer.count - 3, by: 4) {
                    buffer.storeBytes(of: next, toByteOffset: start, as: UInt32.self)
                    next += 1
                }
            }
        }
    }

    @Test func noBytesAreHandedOutTwice() {
        let source = Counting()
        let random = DrawnRandom(source)
        var seen: Set<UInt32> = []
        var count = 0
        for _ in 0..<2000 {
            for bytes in [random.bytes(24), random.bytes(16), random.bytes(24)] {
                for start in stride(from: 0, to: bytes.count, by: 4) {
                    seen.insert(bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: start, as: UInt32.self) })
                    count += 1
                }
            }
        }
        #expect(seen.count == count)
        #expect(source.callCount <= 2000 * 64 / 4000 + 1)
    }

    @Test func whatIsLongIsDrawnByItself() {
        let source = Counting()
        let bytes = DrawnRandom(source).bytes(8192)
        #expect(bytes.count == 8192 && source.callCount == 1)
    }
}
