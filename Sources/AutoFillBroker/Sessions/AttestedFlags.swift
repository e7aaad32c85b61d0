import FoundationEssentials

/// The flags of the authenticator data in an attestation object (WebAuthn Level 3, section 6.5.4): CBOR, of which no
/// more is read than leads there.
///
/// Stricter than whoever reads it later may be: what could be understood in two ways (a key twice, an indefinite length,
/// bytes behind the end) is not read at all.
struct AttestedFlags {
    private static let maximumDepth = 8

    private let bytes: [UInt8]
    private var position = 0

    /// The flags; nil for what is no attestation object.
    static func read(_ attestationObject: Data) -> UInt8? {
        var reader = AttestedFlags(bytes: Array(attestationObject))
        guard let data = reader.authenticatorData(), data.count >= 37 else { return nil }
        return data[data.startIndex + 32]
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    private mutating func authenticatorData() -> ArraySlice<UInt8>? {
        guard let (major, count) = head(), major == 5 else { return nil }
        var names: Set<String> = []
        var found: ArraySlice<UInt8>?
        for _ in 0..<count {
            guard let (major, length) = head(), major == 3, let name = take(length),
                names.insert(String(decoding: name, as: UTF8.self)).inserted
            else { return nil }
            if name.elementsEqual("authData".utf8) {
                guard let (major, length) = head(), major == 2, let data = take(length) else { return nil }
                found = data
            } else {
                guard skip(depth: 1) else { return nil }
            }
        }
        return position == bytes.count ? found : nil
    }

    /// The head of one item: its major type, and its length or value (RFC 8949, section 3).
    private mutating func head() -> (major: UInt8, value: Int)? {
        guard let first = take(1)?.first else { return nil }
        let low = first & 0x1f
        guard low > 23 else { return (first >> 5, Int(low)) }
        guard low < 28, let digits = take(1 << Int(low - 24)) else { return nil }
        let value = digits.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int(exactly: value).map { (first >> 5, $0) }
    }

    private mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard count >= 0, count <= bytes.count - position else { return nil }
        defer { position += count }
        return bytes[position..<position + count]
    }

    private mutating func skip(depth: Int) -> Bool {
        guard depth < Self.maximumDepth, let first = bytes.dropFirst(position).first else { return false }
        // A negative number may be larger than any of ours.
        guard let (major, value) = first >> 5 <= 1 ? number() : head() else { return false }
        switch major {
        case 0, 1, 7: return true
        case 2, 3: return take(value) != nil
        case 4, 5:
            // Each item has one byte at least.
            guard value <= bytes.count - position else { return false }
            for _ in 0..<value * (major == 5 ? 2 : 1) { guard skip(depth: depth + 1) else { return false } }
            return true
        default: return skip(depth: depth + 1)
        }
    }

    private mutating func number() -> (major: UInt8, value: Int)? {
        guard let first = take(1)?.first else { return nil }
        let low = first & 0x1f
        guard low > 23 else { return (first >> 5, 0) }
        guard low < 28, take(1 << Int(low - 24)) != nil else { return nil }
        return (first >> 5, 0)
    }
}
