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

    /// SHA-256 of the relying party ID.
    package let relyingPartyHash: [UInt8]
    /// What was the case.
    package let flags: Flags
    /// How often the passkey signed; 0 where nobody counts.
    package let counter: UInt32
    /// The new credential of a registration.
    package let credential: AttestedCredential?
    /// The outputs of extensions, a map; ours give none.
    package let extensions: CBORValue?

    /// Makes data of its parts; that of a new `credential` says that it holds one.
    package init(relyingPartyHash: [UInt8], flags: Flags, counter: UInt32 = 0, credential: AttestedCredential?) {
        self.relyingPartyHash = relyingPartyHash
        self.flags = flags.union(credential == nil ? [] : .attestedCredential)
        self.counter = counter
        self.credential = credential
        extensions = nil
    }

    /// Takes the bytes apart. Flags are kept as they are, also those that contradict each other.
    ///
    /// - Throws: ``MalformedValue`` when they are no authenticator data, or when something follows them.
    package init(_ bytes: some Sequence<UInt8>) throws(MalformedValue) {
        let bytes = Array(bytes)
        guard bytes.count >= 37 else {
            throw MalformedValue("authenticator data of \(bytes.count) bytes")
        }
        relyingPartyHash = Array(bytes[..<32])
        flags = Flags(rawValue: bytes[32])
        counter = bytes[33..<37].reduce(0) { $0 << 8 | UInt32($1) }
        var rest = bytes[37...]
        var credential: AttestedCredential?
        if flags.contains(.attestedCredential) {
            let (parsed, count) = try AttestedCredential.first(in: rest)
            credential = parsed
            rest = rest.dropFirst(count)
        }
        var extensions: CBORValue?
        if flags.contains(.extensions) {
            let (outputs, count) = try CBORDecoder.first(in: rest)
            guard case .map = outputs else { throw MalformedValue("outputs of extensions") }
            extensions = outputs
            rest = rest.dropFirst(count)
        }
        guard rest.isEmpty else { throw MalformedValue("\(rest.count) bytes follow") }
        self.credential = credential
        self.extensions = extensions
    }

    /// The bytes that are signed, before the hash of the client data.
    package var bytes: [UInt8] {
        relyingPartyHash + [flags.rawValue] + counter.bigEndianBytes + (credential?.bytes ?? [])
            + (extensions?.encoded ?? [])
    }
}

extension FixedWidthInteger {
    /// The bytes of the number, the most significant first.
    var bigEndianBytes: [UInt8] {
        withUnsafeBytes(of: bigEndian) { Array($0) }
    }
}
