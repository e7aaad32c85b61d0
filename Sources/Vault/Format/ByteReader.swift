/// Reads a byte string from the front; every step checks that enough is left. Numbers are little-endian.
struct ByteReader {
    /// What was not read yet.
    private(set) var rest: UnsafeRawBufferPointer
    /// What is read, for messages.
    let subject: StaticString

    init(_ bytes: UnsafeRawBufferPointer, of subject: StaticString) {
        rest = bytes
        self.subject = subject
    }

    /// The next `count` bytes.
    @inline(__always)
    mutating func bytes(_ count: Int) throws(VaultError) -> UnsafeRawBufferPointer {
        guard count >= 0, count <= rest.count else {
            throw VaultError(.damaged, "the \(subject) ends \(count - rest.count) bytes early")
        }
        let taken = UnsafeRawBufferPointer(rebasing: rest[..<count])
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        return taken
    }

    /// The next number.
    @inline(__always)
    mutating func number<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) throws(VaultError) -> Number {
        Number(littleEndian: try bytes(MemoryLayout<Number>.size).loadUnaligned(as: Number.self))
    }
}

extension [UInt8] {
    /// Adds a number, little-endian.
    mutating func append(number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }
}
