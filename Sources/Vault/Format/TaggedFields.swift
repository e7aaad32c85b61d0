import Glibc
import KeywayCrypto

/// One field of a record: what it is, and its bytes.
struct TaggedField {
    let tag: UInt8
    let bytes: UnsafeRawBufferPointer
}

/// Reads the fields of a record (`Docs/vault-format.md`, "Fields"): `tag (1) | length (4) | bytes`, tags ascending, then
/// zeros up to the size class.
struct TaggedFieldReader {
    private var reader: ByteReader
    private var previous: UInt8 = 1

    init(_ record: UnsafeRawBufferPointer, of subject: StaticString) {
        reader = ByteReader(record, of: subject)
    }

    /// The next field, or nil after the last one.
    ///
    /// - Throws: `damaged` where lengths, order or padding are not as the format says.
    @inline(__always)
    mutating func next() throws(VaultError) -> TaggedField? {
        guard let tag = reader.rest.first, tag != 0 else {
            try checkPadding()
            return nil
        }
        _ = try reader.bytes(1)
        guard tag >= previous else { throw VaultError(.damaged, "the \(reader.subject) has fields out of order") }
        previous = tag
        let length = try reader.number(UInt32.self)
        return TaggedField(tag: tag, bytes: try reader.bytes(Int(length)))
    }

    private func checkPadding() throws(VaultError) {
        guard let start = reader.rest.baseAddress, reader.rest.count > 1 else { return }
        // The first byte is zero, and every byte equals the one before it.
        guard memcmp(start, start + 1, reader.rest.count - 1) == 0 else {
            throw VaultError(.damaged, "the \(reader.subject) has content in its padding")
        }
    }

    /// What a reader does with a tag that it does not know: above 127 it keeps and ignores it, below it must not guess.
    static func unknown(_ tag: UInt8, in subject: StaticString) throws(VaultError) {
        guard tag >= 128 else { throw VaultError(.unsupported, "the \(subject) has a field of kind \(tag)") }
    }
}

extension SecretBuffer {
    /// Adds a field with these bytes.
    func append(tag: UInt8, _ bytes: UnsafeRawBufferPointer) {
        append(tag)
        append(number: UInt32(bytes.count))
        append(bytes)
    }

    /// Adds a field with this text.
    func append(tag: UInt8, _ text: String) {
        var text = text
        text.withUTF8 { append(tag: tag, UnsafeRawBufferPointer($0)) }
    }

    /// Adds a number, little-endian.
    func append(number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append($0) }
    }

    /// Adds zeros up to the size class that the content falls into.
    func pad() {
        append(count: SizeClass.padded(count) - count) { _ in }
    }
}
