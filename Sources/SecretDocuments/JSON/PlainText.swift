extension UnsafeRawBufferPointer {
    /// The first byte from `start` on that doesn't stand for itself in a text of JSON: a quotation mark, a backslash or a
    /// control character; the end where there is none. Eight bytes are looked at in one step.
    func firstEscaped(from start: Int) -> Int {
        var end = start
        while end + 8 <= count {
            let word = UInt64(littleEndian: loadUnaligned(fromByteOffset: end, as: UInt64.self))
            // The lowest byte that is marked is marked rightly: what is above it may have been lent to it.
            let found =
                (word &- 0x20 * Self.each) & ~word | Self.zeros(word ^ UInt64(UInt8(ascii: "\"")) * Self.each)
                | Self.zeros(word ^ UInt64(UInt8(ascii: "\\")) * Self.each)
            let marks = found & (0x80 * Self.each)
            if marks != 0 { return end + marks.trailingZeroBitCount / 8 }
            end += 8
        }
        while end < count {
            let byte = self[end]
            if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { break }
            end += 1
        }
        return end
    }

    /// One in each byte.
    private static var each: UInt64 { 0x0101_0101_0101_0101 }

    /// Marks the zeros among eight bytes by their highest bits.
    private static func zeros(_ word: UInt64) -> UInt64 { (word &- each) & ~word }
}
