package import KeywayCrypto
import PasskeySignatures

/// A key that something is encrypted for.
package struct HPKEPublicKey: Sendable {
    private enum Key: Sendable {
        case p256(P256PublicKey)
        case x25519(Curve25519PublicKey)
    }

    private let key: Key

    /// Reads a key as RFC 9180 (section 7.1.1) writes it: 32 bytes of X25519, or 65 of a point of P-256.
    ///
    /// - Throws: `invalidKey` for another length, and for what is no point of the curve.
    package init(_ kem: HPKESuite.KEM, _ encoded: [UInt8]) throws(HybridEncryptionError) {
        do throws(PasskeySignatureError) {
            switch kem {
            case .x25519: key = .x25519(try Curve25519PublicKey(encoded, for: .agreement))
            case .p256:
                guard encoded.count == 65, encoded.first == 4 else {
                    throw PasskeySignatureError(.malformedKey, "point of \(encoded.count) bytes")
                }
                key = .p256(try P256PublicKey(point: encoded))
            }
        } catch {
            throw HybridEncryptionError(error)
        }
    }

    fileprivate init(_ key: P256PublicKey) { self.key = .p256(key) }
    fileprivate init(_ key: Curve25519PublicKey) { self.key = .x25519(key) }

    /// The key as RFC 9180 writes it.
    package var encoded: [UInt8] {
        switch key {
        case .p256(let key): [4] + key.x + key.y
        case .x25519(let key): key.bytes
        }
    }

    /// What it is for.
    package var kem: HPKESuite.KEM {
        switch key {
        case .p256: .p256
        case .x25519: .x25519
        }
    }

    fileprivate var p256: P256PublicKey? { if case .p256(let key) = key { key } else { nil } }
    fileprivate var x25519: Curve25519PublicKey? { if case .x25519(let key) = key { key } else { nil } }
}

/// A key that opens what was encrypted for its public half.
package struct HPKEPrivateKey: Sendable {
    private enum Key: Sendable {
        case p256(P256PrivateKey)
        case x25519(Curve25519PrivateKey)
    }

    private let key: Key

    /// Takes 32 bytes as a key.
    ///
    /// - Throws: `invalidKey` for another length, and for what is no number of the group.
    package init(_ kem: HPKESuite.KEM, _ bytes: SecretBytes) throws(HybridEncryptionError) {
        do throws(PasskeySignatureError) {
            switch kem {
            case .x25519: key = .x25519(try Curve25519PrivateKey(bytes, for: .agreement))
            case .p256: key = .p256(try P256PrivateKey(bytes))
            }
        } catch {
            throw HybridEncryptionError(error)
        }
    }

    /// A new key.
    ///
    /// - Throws: `failed` when libcrypto has no memory.
    package init(_ kem: HPKESuite.KEM, random: any RandomSource) throws(HybridEncryptionError) {
        do throws(PasskeySignatureError) {
            switch kem {
            case .x25519: key = .x25519(try Curve25519PrivateKey(random.secretBytes(32), for: .agreement))
            case .p256: key = .p256(try P256PrivateKey(random: random, isCompact: false))
            }
        } catch {
            throw HybridEncryptionError(error)
        }
    }

    /// The key itself: 32 bytes.
    package var bytes: SecretBytes {
        switch key {
        case .p256(let key): key.number
        case .x25519(let key): key.bytes
        }
    }

    /// Its public half.
    package var publicKey: HPKEPublicKey {
        switch key {
        case .p256(let key): HPKEPublicKey(key.publicKey)
        case .x25519(let key): HPKEPublicKey(key.publicKey)
        }
    }

    /// What the two keys agree on (`DH`).
    ///
    /// - Throws: `invalidKey` for a key of another kind, and where anybody would know what they agree on.
    func agreement(with peer: HPKEPublicKey) throws(HybridEncryptionError) -> SecretBytes {
        do throws(PasskeySignatureError) {
            switch key {
            case .p256(let key): if let peer = peer.p256 { return try key.secret(with: peer) }
            case .x25519(let key): if let peer = peer.x25519 { return try key.secret(with: peer) }
            }
        } catch {
            throw HybridEncryptionError(error)
        }
        throw HybridEncryptionError(.invalidKey, "keys of two kinds")
    }
}
