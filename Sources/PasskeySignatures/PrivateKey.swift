import CLibCrypto
package import KeywayCrypto
package import WebAuthnValues

/// A passkey's private key, opened to sign with: a copy lies in libcrypto's memory for as long as the value lives, and is
/// wiped then. What is kept is ``encoded``.
///
/// PKCS #8 (RFC 5958) is what other managers export and import, so that a passkey goes in and out without another form.
package struct PrivateKey: Sendable {
    /// The key as PKCS #8 in DER.
    package let encoded: SecretBytes
    /// The public half, computed from the private one.
    package let publicKey: PublicKey
    let handle: KeyHandle
    /// What the key signs with.
    package var algorithm: SignatureAlgorithm { publicKey.algorithm }

    /// Reads a key of P-256, Ed25519 or RSA from PKCS #8 in DER. The encoding is kept as it is.
    ///
    /// - Throws: `malformedKey` when it is none, or something follows it; `unsupportedKey` for one of another kind.
    package init(_ encoded: SecretBytes) throws(PasskeySignatureError) {
        let handle = try Self.open(encoded)
        guard let publicKey = PublicKey(handle) else {
            throw PasskeySignatureError(.unsupportedKey, "private key of \(encoded.count) bytes")
        }
        self.encoded = encoded
        self.publicKey = publicKey
        self.handle = handle
    }

    /// Signs: ECDSA's signature as DER, the others' as the bytes that their standards define.
    ///
    /// - Throws: `failed` when libcrypto has no memory.
    package func sign(_ message: [UInt8]) throws(PasskeySignatureError) -> [UInt8] {
        guard let context = EVP_MD_CTX_new() else { throw PasskeySignatureError(.failed, "no context") }
        defer { EVP_MD_CTX_free(context) }
        var signature = [UInt8](repeating: 0, count: Int(EVP_PKEY_get_size(handle.pointer)))
        var count = signature.count
        guard EVP_DigestSignInit(context, nil, handle.digest, nil, handle.pointer) == 1,
            EVP_DigestSign(context, &signature, &count, message, message.count) == 1
        else { throw PasskeySignatureError(.failed, "signature with \(algorithm)") }
        return Array(signature[..<count])
    }

    /// Opens an encoded key.
    private static func open(_ encoded: SecretBytes) throws(PasskeySignatureError) -> KeyHandle {
        _ = WipedMemory.isInUse
        if let handle = openP256(encoded) { return handle }
        let handle: KeyHandle? = encoded.withUnsafeBytes { bytes in
            let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
            var position = start
            guard let information = d2i_PKCS8_PRIV_KEY_INFO(nil, &position, bytes.count) else { return nil }
            defer { PKCS8_PRIV_KEY_INFO_free(information) }
            guard let start, position == start + bytes.count else { return nil }
            return KeyHandle(EVP_PKCS82PKEY(information))
        }
        guard let handle else {
            throw PasskeySignatureError(.malformedKey, "private key of \(encoded.count) bytes")
        }
        return handle
    }

    /// Writes a key that libcrypto holds as PKCS #8.
    static func encode(_ key: KeyHandle) throws(PasskeySignatureError) -> SecretBytes {
        guard let information = EVP_PKEY2PKCS8(key.pointer) else {
            throw PasskeySignatureError(.failed, "PKCS #8")
        }
        // Wipes the key in it.
        defer { PKCS8_PRIV_KEY_INFO_free(information) }
        let count = i2d_PKCS8_PRIV_KEY_INFO(information, nil)
        guard count > 0 else { throw PasskeySignatureError(.failed, "PKCS #8") }
        return try SecretBytes(count: Int(count)) { (room) throws(PasskeySignatureError) in
            var start = room.baseAddress?.assumingMemoryBound(to: UInt8.self)
            guard i2d_PKCS8_PRIV_KEY_INFO(information, &start) == count else {
                throw PasskeySignatureError(.failed, "PKCS #8")
            }
        }
    }
}
