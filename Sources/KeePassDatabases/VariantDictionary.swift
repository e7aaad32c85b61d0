/// Names with numbers, truths, texts and bytes, as KDBX 4 writes the parameters of a derivation.
struct VariantDictionary {
    /// The version of the form; its upper half must be known.
    private static let version: UInt16 = 0x0100
    /// The most values that are read.
    private static let mostValues = 100

    /// The kinds of values, by their numbers in the file.
    enum Kind: UInt8 {
        case uint32 = 0x04
        case uint64 = 0x05
        case boolean = 0x08
        case int32 = 0x0C
        case int64 = 0x0D
        case text = 0x18
        case bytes = 0x42
    }

    private var values: [(name: String, kind: UInt8, bytes: [UInt8])] = []

    init() {}

    init(_ bytes: UnsafeRawBufferPointer) throws(KeePassError) {
        var reader = ByteReader(bytes)
        guard try reader.number(UInt16.self) & 0xFF00 == Self.version & 0xFF00 else {
            throw KeePassError(.unsupported, "the database describes its key in a newer form")
        }
        while true {
            let kind = try reader.number(UInt8.self)
            if kind == 0 { return }
            let name = try reader.take(Int(reader.number(UInt32.self)))
            let value = try reader.take(Int(reader.number(UInt32.self)))
            let text = String(decoding: name, as: UTF8.self)
            guard values.count < Self.mostValues, !values.contains(where: { $0.name == text }) else {
                throw KeePassError(.damaged, "the database describes its key in a damaged form")
            }
            values.append((text, kind, Array(value)))
        }
    }

    mutating func add(_ name: String, _ kind: Kind, _ bytes: [UInt8]) {
        values.append((name, kind.rawValue, bytes))
    }

    /// A value of that kind; nil where there is none.
    subscript(_ name: String, _ kind: Kind) -> [UInt8]? {
        values.first { $0.name == name && $0.kind == kind.rawValue }?.bytes
    }

    /// A number in it, whatever its width, unless it is negative.
    func number(_ name: String) -> UInt64? {
        if let bytes = self[name, .uint64] { return UInt64(littleEndianBytes: bytes) }
        if let bytes = self[name, .uint32] { return UInt32(littleEndianBytes: bytes).map(UInt64.init) }
        if let bytes = self[name, .int32] { return Int32(littleEndianBytes: bytes).flatMap { UInt64(exactly: $0) } }
        return self[name, .int64].flatMap { Int64(littleEndianBytes: $0) }.flatMap { UInt64(exactly: $0) }
    }

    /// The dictionary as it stands in a file.
    var encoded: [UInt8] {
        var bytes = Self.version.littleEndianBytes
        for value in values {
            bytes.append(value.kind)
            bytes += UInt32(value.name.utf8.count).littleEndianBytes + Array(value.name.utf8)
            bytes += UInt32(value.bytes.count).littleEndianBytes + value.bytes
        }
        return bytes + [0]
    }
}
