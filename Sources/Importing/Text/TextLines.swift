/// The lines of a text, one after the other, without their ends: a list of all of them would be many times as large as a
/// file that holds nothing else.
struct TextLines: Sequence, IteratorProtocol {
    private let bytes: UnsafeRawBufferPointer
    private var position: Int?

    /// Those in `bytes`, which stay lent meanwhile. What follows the last end of a line is a line, too.
    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    mutating func next() -> UnsafeRawBufferPointer.SubSequence? {
        guard let start = position else { return nil }
        let end = bytes[start...].firstIndex(of: 0x0A)
        position = end.map { $0 + 1 }
        return bytes[start..<(end ?? bytes.endIndex)]
    }
}
