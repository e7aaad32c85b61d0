/// The bytes of a hash, at most 64, in the value itself: nothing of it is left on the heap.
struct DigestBytes: Sendable {
    // swift-format-ignore
    private var words: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0, 0, 0, 0)
    private let count: Int

    /// `count` bytes, which `fill` writes.
    init(count: Int, fill: (UnsafeMutableRawBufferPointer) -> Void) {
        self.count = count
        withUnsafeMutableBytes(of: &words) { fill(UnsafeMutableRawBufferPointer(rebasing: $0[..<count])) }
    }

    func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try Swift.withUnsafeBytes(of: words) { try body(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }
}
