import KeywayCrypto
import Synchronization
import Testing

/// Gives these 32-bit numbers, one per draw, little-endian.
private final class FixedRandom: RandomSource {
    let drawn = Mutex(0)
    private let numbers: [UInt32]

    init(_ numbers: [UInt32]) { self.numbers = numbers }

    func fill(_ buffer: UnsafeMutableRawBufferPointer) {
        let number = drawn.withLock { drawn in
            defer { drawn += 1 }
            return numbers[drawn % numbers.count]
        }
        withUnsafeBytes(of: number.littleEndian) { buffer.copyBytes(from: $0.prefix(buffer.count)) }
    }
}

@Suite struct RandomSourceTests {
    @Test(arguments: [1, 2, 3, 6, 7, 94, 1000, 1 << 31, (1 << 31) + 1, .max] as [UInt32])
    func drawsNumbersBelowTheirBound(bound: UInt32) {
        let random = SystemRandomSource()
        var (low, high) = (UInt32.max, UInt32.min)
        for _ in 0..<5000 {
            let number = random.number(below: bound)
            low = min(low, number)
            high = max(high, number)
        }
        #expect(high < bound)
        #expect(low <= bound / 50 && high >= bound - 1 - bound / 50)
    }

    @Test func drawsAgainWhatWouldFavourLowNumbers() {
        // 2^32 mod 6 is 4: the candidates 0 to 3 are refused.
        let random = FixedRandom([0, 1, 2, 3, 4])
        #expect(random.number(below: 6) == 4)
        #expect(random.drawn.withLock { $0 } == 5)
    }
}
