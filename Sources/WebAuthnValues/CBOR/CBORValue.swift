/// A value of CBOR (RFC 8949), of the kinds that WebAuthn uses: no floating point numbers, no tags.
package indirect enum CBORValue: Hashable, Sendable {
    case integer(Int)
    case bytes([UInt8])
    case text(String)
    case array([CBORValue])
    case map([CBORValue: CBORValue])
    case bool(Bool)
    case null

    /// What a map holds under `key`; nil for every other value.
    package subscript(key: CBORValue) -> CBORValue? {
        guard case .map(let values) = self else { return nil }
        return values[key]
    }
}

extension CBORValue {
    /// The value in the canonical form of CTAP2 (CTAP 2.1, section 8): shortest heads, definite lengths, sorted keys.
    package var encoded: [UInt8] {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return bytes
    }

    private func append(to bytes: inout [UInt8]) {
        switch self {
        case .integer(let number):
            number >= 0
                ? Self.append(.unsigned, UInt64(number), to: &bytes)
                : Self.append(.negative, UInt64(-1 - number), to: &bytes)
        case .bytes(let content):
            Self.append(.bytes, UInt64(content.count), to: &bytes)
            bytes += content
        case .text(let content):
            Self.append(.text, UInt64(content.utf8.count), to: &bytes)
            bytes += content.utf8
        case .array(let values):
            Self.append(.array, UInt64(values.count), to: &bytes)
            for value in values { value.append(to: &bytes) }
        case .map(let values):
            Self.append(.map, UInt64(values.count), to: &bytes)
            let entries = values.map { ($0.encoded, $1) }.sorted { CBORMajor.precedes($0.0, $1.0) }
            for (key, value) in entries {
                bytes += key
                value.append(to: &bytes)
            }
        case .bool(let value):
            bytes.append(value ? 0xF5 : 0xF4)
        case .null:
            bytes.append(0xF6)
        }
    }

    /// Writes the type and the number that stands with it, in as few bytes as can be.
    private static func append(_ type: CBORMajor, _ number: UInt64, to bytes: inout [UInt8]) {
        let high = type.rawValue << 5
        let (information, count): (UInt8, Int) =
            switch number {
            case 0..<24: (UInt8(number), 0)
            case ...0xFF: (24, 1)
            case ...0xFFFF: (25, 2)
            case ...0xFFFF_FFFF: (26, 4)
            default: (27, 8)
            }
        bytes.append(high | information)
        for shift in stride(from: (count - 1) * 8, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
        }
    }
}

/// The kinds of CBOR's items: the upper three bits of the first byte.
enum CBORMajor: UInt8 {
    case unsigned, negative, bytes, text, array, map, tag, simple

    /// The order of encoded keys in a map: by kind, then the shorter first, then byte by byte.
    static func precedes(_ left: some Collection<UInt8>, _ right: some Collection<UInt8>) -> Bool {
        let kinds = ((left.first ?? 0) >> 5, (right.first ?? 0) >> 5)
        if kinds.0 != kinds.1 { return kinds.0 < kinds.1 }
        return left.count == right.count ? left.lexicographicallyPrecedes(right) : left.count < right.count
    }
}
