/// Reads numbers and stretches of bytes one after another; the least significant byte stands first.
struct ByteReader {
    private let bytes: UnsafeRawBufferPointer
    /// How many bytes were read.
    private(set) var position = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// How many bytes are left.
    var left: Int { bytes.count - position }

    /// The bytes that were read.
    var read: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[..<position]) }

    /// The bytes that are left.
    var rest: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[position...]) }

    mutating func take(_ count: Int) throws(KeePassError) -> UnsafeRawBufferPointer {
        guard count >= 0, count <= left else { throw .cut }
        defer { position += count }
        return UnsafeRawBufferPointer(rebasing: bytes[position..<position + count])
    }

    mutating func number<Number: FixedWidthInteger>(_ type: Number.Type) throws(KeePassError) -> Number {
        Number(littleEndian: try take(MemoryLayout<Number>.size).loadUnaligned(as: Number.self))
    }
}

extension FixedWidthInteger {
    /// The bytes of the number, the least significant first.
    var littleEndianBytes: [UInt8] { withUnsafeBytes(of: littleEndian) { Array($0) } }

    /// The number that these bytes are; nil where they are more or fewer.
    init?(littleEndianBytes bytes: [UInt8]) {
        guard bytes.count == MemoryLayout<Self>.size else { return nil }
        self = bytes.withUnsafeBytes { Self(littleEndian: $0.loadUnaligned(as: Self.self)) }
    }
}
