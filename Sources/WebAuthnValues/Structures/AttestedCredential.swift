/// A new credential in authenticator data (WebAuthn Level 3, section 6.5.1).
package struct AttestedCredential: Hashable, Sendable {
    /// The longest credential ID, in bytes.
    package static let longestIdentifier = 1023

    /// The kind of authenticator: 16 bytes.
    package let aaguid: [UInt8]
    /// The credential ID.
    package let identifier: [UInt8]
    /// The public key as COSE writes it.
    package let key: CBORValue

    /// Makes one of its parts; `aaguid` has 16 bytes, `identifier` 1 to 1023.
    package init(aaguid: [UInt8], identifier: [UInt8], publicKey: PublicKey) {
        self.aaguid = aaguid
        self.identifier = identifier
        key = publicKey.cose
    }

    /// COSE's number of the algorithm that goes with the key; nil when the key has none.
    package var algorithm: Int? {
        guard case .integer(let algorithm) = key[.integer(3)] else { return nil }
        return algorithm
    }

    /// The key, where it is of a kind that we know.
    package var publicKey: PublicKey? { PublicKey(cose: key) }

    /// AAGUID, two bytes of length, the credential ID, the key.
    var bytes: [UInt8] {
        aaguid + UInt16(truncatingIfNeeded: identifier.count).bigEndianBytes + identifier + key.encoded
    }

    /// The credential that `bytes` start with, and how many of them it takes.
    ///
    /// - Throws: ``MalformedValue`` when they start with none.
    static func first(
        in bytes: ArraySlice<UInt8>
    ) throws(MalformedValue) -> (AttestedCredential, count: Int) {
        let length = bytes.dropFirst(16).prefix(2).reduce(0) { $0 << 8 | Int($1) }
        guard bytes.count > 18 + length, (1...longestIdentifier).contains(length) else {
            throw MalformedValue("attested credential")
        }
        let (key, count) = try CBORDecoder.first(in: bytes.dropFirst(18 + length))
        let credential = AttestedCredential(
            aaguid: Array(bytes.prefix(16)), identifier: Array(bytes.dropFirst(18).prefix(length)), key: key)
        guard credential.algorithm != nil else { throw MalformedValue("key without an algorithm") }
        return (credential, 18 + length + count)
    }

    private init(aaguid: [UInt8], identifier: [UInt8], key: CBORValue) {
        self.aaguid = aaguid
        self.identifier = identifier
        self.key = key
    }
}
