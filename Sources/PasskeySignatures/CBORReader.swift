package import FoundationEssentials

/// Reads CBOR (RFC 8949) as authenticators write it: definite lengths, no tags, at most 16 deep.
package struct CBORReader {
    /// A value.
    package indirect enum Value: Hashable, Sendable {
        case integer(Int)
        case bytes([UInt8])
        case text(String)
        case array([Value])
        case map([Value: Value])
        case bool(Bool)
        case null
    }

    private static let deepest = 16

    private let bytes: [UInt8]
    /// How many bytes have been read.
    private(set) var position = 0

    /// A reader of `bytes`.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The one value that `data` consists of; nil when it is none, or more than one.
    package static func value(in data: Data) -> Value? {
        var reader = CBORReader(Array(data))
        guard let value = reader.value(), reader.position == reader.bytes.count else { return nil }
        return value
    }

    /// The next value; nil when there is none, or one that is not read here.
    mutating func value(depth: Int = 0) -> Value? {
        guard depth < Self.deepest, let first = byte() else { return nil }
        let information = first & 0x1F
        if first >> 5 == 7 { return simple(information) }
        guard let count = argument(information) else { return nil }
        switch first >> 5 {
        case 0: return .integer(count)
        case 1: return .integer(-1 - count)
        case 2: return take(count).map(Value.bytes)
        case 3: return take(count).flatMap { String(validating: $0, as: UTF8.self) }.map(Value.text)
        case 4: return array(count, depth)
        case 5: return map(count, depth)
        default: return nil
        }
    }

    private func simple(_ information: UInt8) -> Value? {
        switch information {
        case 20: .bool(false)
        case 21: .bool(true)
        case 22: .null
        default: nil
        }
    }

    private mutating func array(_ count: Int, _ depth: Int) -> Value? {
        // Each element has a byte at least.
        guard count <= bytes.count - position else { return nil }
        var values: [Value] = []
        for _ in 0..<count {
            guard let value = value(depth: depth + 1) else { return nil }
            values.append(value)
        }
        return .array(values)
    }

    private mutating func map(_ count: Int, _ depth: Int) -> Value? {
        guard count <= (bytes.count - position) / 2 else { return nil }
        var values: [Value: Value] = [:]
        for _ in 0..<count {
            guard let key = value(depth: depth + 1), let value = value(depth: depth + 1),
                values.updateValue(value, forKey: key) == nil
            else { return nil }
        }
        return .map(values)
    }

    private mutating func argument(_ information: UInt8) -> Int? {
        if information < 24 { return Int(information) }
        guard information < 28, let parts = take(1 << (information - 24)) else { return nil }
        return Int(exactly: parts.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }

    private mutating func byte() -> UInt8? {
        guard position < bytes.count else { return nil }
        defer { position += 1 }
        return bytes[position]
    }

    private mutating func take(_ count: Int) -> [UInt8]? {
        guard count <= bytes.count - position else { return nil }
        defer { position += count }
        return Array(bytes[position..<(position + count)])
    }
}

extension CBORReader.Value {
    /// What a map holds under `key`.
    package subscript(key: CBORReader.Value) -> CBORReader.Value? {
        guard case .map(let values) = self else { return nil }
        return values[key]
    }
}
