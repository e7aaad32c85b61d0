/// Reads CBOR in the canonical form of CTAP2, and nothing else: what is read is written back byte for byte.
///
/// Refused are longer heads than needed, indefinite lengths, keys out of order or twice, text that is not UTF-8, tags,
/// floating point numbers, numbers beyond 63 bits, more than ``deepest`` levels, and more than ``longest`` bytes.
package struct CBORDecoder {
    /// How deep arrays and maps may stand in each other. A compound attestation, the deepest of WebAuthn, has five.
    package static let deepest = 8
    /// The most bytes that are looked at.
    package static let longest = 1 << 16

    private let bytes: ArraySlice<UInt8>
    private var position: Int

    private init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    /// The one value that `bytes` consist of.
    ///
    /// - Throws: ``MalformedValue`` when they are none, or more than one.
    package static func value(in bytes: some Sequence<UInt8>) throws(MalformedValue) -> CBORValue {
        let bytes = Array(bytes)
        let (value, count) = try first(in: bytes[...])
        guard count == bytes.count else {
            throw MalformedValue("CBOR: \(bytes.count - count) bytes follow")
        }
        return value
    }

    /// The value that `bytes` start with, and how many of them it takes.
    ///
    /// - Throws: ``MalformedValue`` when they start with none.
    package static func first(in bytes: ArraySlice<UInt8>) throws(MalformedValue) -> (CBORValue, count: Int) {
        guard bytes.count <= longest else {
            throw MalformedValue("CBOR: \(bytes.count) bytes are too many")
        }
        var decoder = CBORDecoder(bytes)
        let value = try decoder.value(levels: deepest)
        return (value, decoder.position - bytes.startIndex)
    }

    /// The next value, with at most `levels` of arrays and maps.
    private mutating func value(levels: Int) throws(MalformedValue) -> CBORValue {
        let head = try byte()
        guard let type = CBORMajor(rawValue: head >> 5), type != .tag else { throw malformed("tag") }
        if type == .simple { return try simple(head) }
        let number = try argument(head & 0x1F)
        switch type {
        case .unsigned: return .integer(number)
        case .negative: return .integer(-1 - number)
        case .bytes: return .bytes(Array(try take(number)))
        case .text:
            guard let text = String(validating: try take(number), as: UTF8.self) else { throw malformed("UTF-8") }
            return .text(text)
        case .array: return try array(number, levels)
        default: return try map(number, levels)
        }
    }

    private func simple(_ head: UInt8) throws(MalformedValue) -> CBORValue {
        switch head {
        case 0xF4: return .bool(false)
        case 0xF5: return .bool(true)
        case 0xF6: return .null
        default: throw malformed("simple value")
        }
    }

    private mutating func array(_ count: Int, _ levels: Int) throws(MalformedValue) -> CBORValue {
        // Each element has a byte at least.
        guard levels > 0, count <= bytes.endIndex - position else { throw malformed("array") }
        var values: [CBORValue] = []
        for _ in 0..<count { values.append(try value(levels: levels - 1)) }
        return .array(values)
    }

    private mutating func map(_ count: Int, _ levels: Int) throws(MalformedValue) -> CBORValue {
        guard levels > 0, count <= (bytes.endIndex - position) / 2 else { throw malformed("map") }
        var values: [CBORValue: CBORValue] = [:]
        var last: ArraySlice<UInt8>?
        for _ in 0..<count {
            let start = position
            let key = try value(levels: levels - 1)
            let encoded = bytes[start..<position]
            if let last, !CBORMajor.precedes(last, encoded) { throw malformed("order of keys") }
            last = encoded
            // Keys that differ in bytes may still be the same text to Swift.
            guard values.updateValue(try value(levels: levels - 1), forKey: key) == nil else {
                throw malformed("key twice")
            }
        }
        return .map(values)
    }

    /// The number that stands with a type; it must not fit into a shorter form.
    private mutating func argument(_ information: UInt8) throws(MalformedValue) -> Int {
        guard information >= 24 else { return Int(information) }
        guard information < 28 else { throw malformed("length") }
        let count = 1 << (information - 24)
        let number = try take(count).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let least: UInt64 = count == 1 ? 24 : 1 << (UInt64(count) * 4)
        guard number >= least, let number = Int(exactly: number) else { throw malformed("number") }
        return number
    }

    private mutating func byte() throws(MalformedValue) -> UInt8 {
        guard position < bytes.endIndex else { throw malformed("end") }
        defer { position += 1 }
        return bytes[position]
    }

    private mutating func take(_ count: Int) throws(MalformedValue) -> ArraySlice<UInt8> {
        guard count <= bytes.endIndex - position else { throw malformed("end") }
        defer { position += count }
        return bytes[position..<(position + count)]
    }

    private func malformed(_ what: String) -> MalformedValue {
        MalformedValue("CBOR: \(what) at byte \(position - bytes.startIndex)")
    }
}
