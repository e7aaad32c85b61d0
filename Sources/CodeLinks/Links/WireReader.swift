/// Reads messages of Protocol Buffers where they lie, so that a secret in them is copied only where it is kept.
struct WireReader {
    /// One field of a message.
    struct Field {
        /// Its number.
        let number: UInt64
        /// What it holds.
        let value: Value
    }

    /// What a field holds.
    enum Value {
        /// A number (`VARINT`).
        case number(UInt64)
        /// Text, bytes or a message (`LEN`).
        case bytes(UnsafeRawBufferPointer)
        /// A number of fixed size (`I32`, `I64`), which no field of ours has.
        case fixed
    }

    private var rest: Slice<UnsafeRawBufferPointer>

    init(_ message: UnsafeRawBufferPointer) {
        rest = message[...]
    }

    /// The next field; nil at the end.
    ///
    /// - Throws: ``OneTimeCodeError``: `malformedLink` for what is cut off, too large or of a wire type that nobody writes.
    mutating func next() throws(OneTimeCodeError) -> Field? {
        guard !rest.isEmpty else { return nil }
        let key = try varint()
        guard key >> 3 > 0, key <= UInt64(UInt32.max) else { throw Self.malformed("number of a field") }
        switch key & 7 {
        case 0: return Field(number: key >> 3, value: .number(try varint()))
        case 1: return Field(number: key >> 3, value: try fixed(8))
        case 2: return Field(number: key >> 3, value: .bytes(try bytes(try varint())))
        case 5: return Field(number: key >> 3, value: try fixed(4))
        default: throw Self.malformed("wire type")
        }
    }

    private mutating func fixed(_ count: UInt64) throws(OneTimeCodeError) -> Value {
        _ = try bytes(count)
        return .fixed
    }

    private mutating func bytes(_ count: UInt64) throws(OneTimeCodeError) -> UnsafeRawBufferPointer {
        guard count <= UInt64(rest.count) else { throw Self.malformed("length") }
        let part = UnsafeRawBufferPointer(rebasing: rest.prefix(Int(count)))
        rest = rest.dropFirst(Int(count))
        return part
    }

    private mutating func varint() throws(OneTimeCodeError) -> UInt64 {
        var value: UInt64 = 0
        for index in 0..<10 {
            guard let byte = rest.popFirst() else { throw Self.malformed("end") }
            // The tenth byte has one bit left.
            guard index < 9 || byte <= 1 else { throw Self.malformed("number") }
            value |= UInt64(byte & 0x7F) << UInt64(7 * index)
            if byte & 0x80 == 0 { return value }
        }
        throw Self.malformed("number")
    }

    private static func malformed(_ what: String) -> OneTimeCodeError {
        OneTimeCodeError(.malformedLink, "\(what) in a migration link")
    }
}
