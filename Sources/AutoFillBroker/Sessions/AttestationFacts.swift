import FoundationEssentials

/// What an attestation object says of the passkey (WebAuthn Level 3, section 6.5.4): CBOR, of which no more is read than
/// leads to the authenticator data.
///
/// Stricter than whoever reads it later may be: what could be understood in two ways (a key twice, an indefinite length,
/// bytes behind the end) is not read at all.
struct AttestationFacts: Hashable {
    /// The hash of the relying party ID, 32 bytes.
    let relyingPartyHash: Data
    /// The flags (section 6.1).
    let flags: UInt8
    /// The ID of the passkey; nil where no passkey is attested.
    let credentialID: Data?

    /// Reads `attestationObject`; nil for what is none.
    init?(_ attestationObject: Data) {
        var reader = AttestationReader(bytes: Array(attestationObject))
        guard let data = reader.authenticatorData(), data.count >= Self.headBytes else { return nil }
        relyingPartyHash = Data(data.prefix(32))
        flags = data[data.startIndex + 32]
        guard flags & Self.attestedCredential != 0 else {
            credentialID = nil
            return
        }
        // The model of the authenticator, and the length of the ID, come first (section 6.5.2).
        let attested = data.dropFirst(Self.headBytes + 16)
        guard attested.count >= 2 else { return nil }
        let length = Int(attested[attested.startIndex]) << 8 | Int(attested[attested.startIndex + 1])
        guard attested.count >= 2 + length else { return nil }
        credentialID = Data(attested.dropFirst(2).prefix(length))
    }

    /// Hash, flags and counter.
    private static let headBytes = 37
    private static let attestedCredential: UInt8 = 0x40
}

/// Reads as much CBOR (RFC 8949) as it takes.
private struct AttestationReader {
    private static let maximumDepth = 8

    private let bytes: [UInt8]
    private var position = 0

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The authenticator data of an attestation object; nil for what is none.
    mutating func authenticatorData() -> ArraySlice<UInt8>? {
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
