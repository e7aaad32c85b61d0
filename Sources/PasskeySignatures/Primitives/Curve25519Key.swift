import CLibCrypto
package import KeywayCrypto

/// The two uses of Curve25519, whose keys cannot be told apart by their bytes.
package enum Curve25519Use: Sendable {
    /// X25519 (RFC 7748).
    case agreement
    /// Ed25519 (RFC 8032).
    case signing

    fileprivate var name: String { self == .agreement ? "X25519" : "ED25519" }
}

/// A public key of Curve25519.
package struct Curve25519PublicKey: Sendable {
    /// The length of every key in bytes.
    package static let count = 32
    /// The key.
    package let bytes: [UInt8]
    fileprivate let handle: KeyHandle

    /// Takes 32 bytes as a key for `use`.
    ///
    /// - Throws: `malformedKey` for another length.
    package init(_ bytes: [UInt8], for use: Curve25519Use) throws(PasskeySignatureError) {
        _ = WipedMemory.isInUse
        guard bytes.count == Self.count,
            let handle = KeyHandle(EVP_PKEY_new_raw_public_key_ex(nil, use.name, nil, bytes, bytes.count))
        else { throw PasskeySignatureError(.malformedKey, "public key of \(bytes.count) bytes") }
        self.bytes = bytes
        self.handle = handle
    }

    /// Whether `signature` is one of `message` by this key, which is one for signing.
    package func isSignature(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        guard let context = EVP_MD_CTX_new() else { return false }
        defer { EVP_MD_CTX_free(context) }
        return EVP_DigestVerifyInit(context, nil, nil, nil, handle.pointer) == 1
            && EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    }
}

/// A private key of Curve25519: its 32 bytes, and a copy in libcrypto's memory, both wiped with the last reference.
package struct Curve25519PrivateKey: Sendable {
    /// The key.
    package let bytes: SecretBytes
    /// Its public half.
    package let publicKey: Curve25519PublicKey
    private let handle: KeyHandle

    /// Takes 32 bytes as a key for `use`; any 32 bytes are one.
    ///
    /// - Throws: `malformedKey` for another length.
    package init(_ bytes: SecretBytes, for use: Curve25519Use) throws(PasskeySignatureError) {
        _ = WipedMemory.isInUse
        guard bytes.count == Curve25519PublicKey.count,
            let handle = KeyHandle(
                bytes.withUnsafeBytes { EVP_PKEY_new_raw_private_key_ex(nil, use.name, nil, $0.octets, $0.count) })
        else { throw PasskeySignatureError(.malformedKey, "private key of \(bytes.count) bytes") }
        var point = [UInt8](repeating: 0, count: Curve25519PublicKey.count)
        var count = point.count
        guard EVP_PKEY_get_raw_public_key(handle.pointer, &point, &count) == 1 else {
            throw PasskeySignatureError(.failed, "public key")
        }
        self.bytes = bytes
        self.publicKey = try Curve25519PublicKey(point, for: use)
        self.handle = handle
    }

    /// Signs `message`; the key is one for signing.
    package func sign(_ message: [UInt8]) throws(PasskeySignatureError) -> [UInt8] {
        guard let context = EVP_MD_CTX_new() else { throw PasskeySignatureError(.failed, "no context") }
        defer { EVP_MD_CTX_free(context) }
        var signature = [UInt8](repeating: 0, count: 64)
        var count = signature.count
        guard EVP_DigestSignInit(context, nil, nil, nil, handle.pointer) == 1,
            EVP_DigestSign(context, &signature, &count, message, message.count) == 1
        else { throw PasskeySignatureError(.failed, "Ed25519") }
        return signature
    }

    /// The secret shared with `peer`; both are keys for agreement.
    ///
    /// - Throws: `malformedKey` for a point of small order, with which the secret would be known to everybody.
    package func secret(with peer: Curve25519PublicKey) throws(PasskeySignatureError) -> SecretBytes {
        try KeyAgreement.secret(of: handle, with: peer.handle)
    }
}
