package import FoundationEssentials

/// The data that an authenticator signs (WebAuthn Level 3, section 6.1).
package struct AuthenticatorData: Hashable, Sendable {
    /// The bits of the flags.
    package struct Flags: OptionSet, Hashable, Sendable {
        /// The byte.
        package let rawValue: UInt8

        /// The flags of a byte.
        package init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// The person was present.
        package static let userPresent = Flags(rawValue: 0x01)
        /// The person was verified.
        package static let userVerified = Flags(rawValue: 0x04)
        /// The passkey may be backed up.
        package static let backupEligible = Flags(rawValue: 0x08)
        /// The passkey is backed up.
        package static let backedUp = Flags(rawValue: 0x10)
        /// A new credential follows.
        package static let attestedCredential = Flags(rawValue: 0x40)
        /// Outputs of extensions follow.
        package static let extensions = Flags(rawValue: 0x80)
    }

    /// A new credential: its ID, its public key, and the algorithm that goes with it.
    package struct Credential: Hashable, Sendable {
        /// The credential ID.
        package let identifier: [UInt8]
        /// COSE's name of the algorithm; -7 is ES256.
        package let algorithm: Int
        /// The coordinates of the point, for a key on P-256; nil for another.
        package let point: Point?
    }

    /// A point of P-256.
    package struct Point: Hashable, Sendable {
        /// 32 bytes, the most significant first.
        package let x: [UInt8]
        /// 32 bytes, the most significant first.
        package let y: [UInt8]
    }

    /// SHA-256 of the relying party ID.
    package let relyingPartyHash: [UInt8]
    /// What was the case.
    package let flags: Flags
    /// How often the passkey signed; 0 where nobody counts.
    package let counter: UInt32
    /// The new credential of a registration.
    package let credential: Credential?

    /// Takes the bytes apart; nil when they are no authenticator data, or when something follows them.
    package init?(_ data: Data) {
        let bytes = Array(data)
        guard bytes.count >= 37 else { return nil }
        relyingPartyHash = Array(bytes[..<32])
        flags = Flags(rawValue: bytes[32])
        counter = bytes[33..<37].reduce(0) { $0 << 8 | UInt32($1) }
        var rest = bytes[37...]
        var credential: Credential?
        if flags.contains(.attestedCredential) {
            guard let (parsed, end) = Self.credential(in: rest) else { return nil }
            credential = parsed
            rest = end
        }
        if flags.contains(.extensions) {
            var reader = CBORReader(Array(rest))
            guard case .map = reader.value() else { return nil }
            rest = rest.dropFirst(reader.position)
        }
        guard rest.isEmpty else { return nil }
        self.credential = credential
    }

    /// The authenticator data in an attestation object (section 6.5.4); nil when there is none.
    package static func inAttestationObject(_ object: Data) -> AuthenticatorData? {
        guard let map = CBORReader.value(in: object), case .text = map[.text("fmt")], case .map = map[.text("attStmt")],
            case .bytes(let bytes) = map[.text("authData")]
        else { return nil }
        return AuthenticatorData(Data(bytes))
    }

    private static func credential(in bytes: ArraySlice<UInt8>) -> (Credential, ArraySlice<UInt8>)? {
        // AAGUID, two bytes of length, the credential ID, the key as COSE writes it.
        let afterIdentifier = bytes.dropFirst(18)
        guard bytes.count >= 18 else { return nil }
        let length = bytes.dropFirst(16).prefix(2).reduce(0) { $0 << 8 | Int($1) }
        guard length > 0, length <= 1023, afterIdentifier.count > length else { return nil }
        var reader = CBORReader(Array(afterIdentifier.dropFirst(length)))
        guard let key = reader.value(), case .integer(let algorithm) = key[.integer(3)] else { return nil }
        let credential = Credential(
            identifier: Array(afterIdentifier.prefix(length)), algorithm: algorithm, point: point(in: key))
        return (credential, afterIdentifier.dropFirst(length + reader.position))
    }

    /// The point of a COSE key of the type EC2 on P-256 (RFC 9053, section 7.1).
    private static func point(in key: CBORReader.Value) -> Point? {
        guard key[.integer(1)] == .integer(2), key[.integer(-1)] == .integer(1),
            case .bytes(let x) = key[.integer(-2)], case .bytes(let y) = key[.integer(-3)], x.count == 32, y.count == 32
        else { return nil }
        return Point(x: x, y: y)
    }
}
