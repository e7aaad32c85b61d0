import PasskeySignatures

/// The algorithms of one use of hybrid public key encryption (RFC 9180, section 7).
package struct HPKESuite: Hashable, Sendable {
    /// How a secret is shared with the owner of a key. The raw values are RFC 9180's.
    package enum KEM: UInt16, Sendable, CaseIterable {
        /// DHKEM(P-256, HKDF-SHA256)
        case p256 = 0x0010
        /// DHKEM(X25519, HKDF-SHA256)
        case x25519 = 0x0020
    }

    /// How keys are derived from it.
    package enum KDF: UInt16, Sendable, CaseIterable {
        /// HKDF-SHA256
        case sha256 = 1
        /// HKDF-SHA384
        case sha384 = 2
        /// HKDF-SHA512
        case sha512 = 3

        var hash: (algorithm: HashAlgorithm, count: Int) {
            switch self {
            case .sha256: (.sha256, 32)
            case .sha384: (.sha384, 48)
            case .sha512: (.sha512, 64)
            }
        }
    }

    /// What messages are encrypted with.
    package enum AEAD: UInt16, Sendable, CaseIterable {
        /// AES-128-GCM
        case aes128 = 1
        /// AES-256-GCM
        case aes256 = 2
        /// ChaCha20Poly1305
        case chaChaPoly = 3
        /// Nothing: the suite only exports secrets.
        case exportOnly = 0xFFFF

        /// How long its keys are, in bytes; none where it only exports.
        package var keyCount: Int {
            switch self {
            case .aes128: 16
            case .aes256, .chaChaPoly: 32
            case .exportOnly: 0
            }
        }

        var cipher: AuthenticatedCipher? {
            switch self {
            case .aes128, .aes256: .aesGCM
            case .chaChaPoly: .chaChaPoly
            case .exportOnly: nil
            }
        }
    }

    /// How a secret is shared.
    package let kem: KEM
    /// How keys are derived from it.
    package let kdf: KDF
    /// What messages are encrypted with.
    package let aead: AEAD

    /// A suite by its parts.
    package init(_ kem: KEM, _ kdf: KDF, _ aead: AEAD) {
        self.kem = kem
        self.kdf = kdf
        self.aead = aead
    }

    /// A suite by its numbers; nil for one that isn't known.
    package init?(kem: Int64, kdf: Int64, aead: Int64) {
        func known<Name: RawRepresentable<UInt16>>(_ number: Int64, _ type: Name.Type) -> Name? {
            UInt16(exactly: number).flatMap(Name.init)
        }
        guard let kem = known(kem, KEM.self), let kdf = known(kdf, KDF.self), let aead = known(aead, AEAD.self) else {
            return nil
        }
        self.init(kem, kdf, aead)
    }
}
