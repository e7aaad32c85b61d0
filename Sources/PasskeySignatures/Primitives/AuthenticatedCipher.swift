import CLibCrypto
package import KeywayCrypto

/// The ciphers that `CryptoKit` seals with; all of them append a tag of 16 bytes.
package enum AuthenticatedCipher: Sendable {
    /// AES in Galois/Counter Mode (NIST SP 800-38D), with keys of 16, 24 or 32 bytes and nonces of any length.
    case aesGCM
    /// ChaCha20-Poly1305 (RFC 8439), with keys of 32 bytes and nonces of 12.
    case chaChaPoly

    /// The length of a tag in bytes.
    package static let tagCount = 16

    /// Whether keys may have this length in bytes.
    package func takesKeys(of count: Int) -> Bool { function(keyCount: count) != nil }

    /// What was sealed as one message; nil where it is not under this key, with this nonce and this tag.
    ///
    /// - Throws: `unsupportedKey`, `failed`.
    package func open(
        _ message: UnsafeRawBufferPointer, tag: UnsafeRawBufferPointer, key: SecretBytes,
        nonce: UnsafeRawBufferPointer
    ) throws(PasskeySignatureError) -> SecretBytes? {
        let run = try CipherRun(self, key: key, nonce: nonce, isSealing: false)
        let text = try SecretBytes(count: message.count) { (room) throws(PasskeySignatureError) in
            try run.update(message, into: room.baseAddress)
        }
        return run.open(tag: tag) ? text : nil
    }

    fileprivate func function(keyCount: Int) -> OpaquePointer? {
        switch (self, keyCount) {
        case (.aesGCM, 16): EVP_aes_128_gcm()
        case (.aesGCM, 24): EVP_aes_192_gcm()
        case (.aesGCM, 32): EVP_aes_256_gcm()
        case (.chaChaPoly, 32): EVP_chacha20_poly1305()
        default: nil
        }
    }
}

/// One message on its way through a cipher: first what is only authenticated, then what is encrypted, then the tag.
package final class CipherRun {
    private let context: OpaquePointer
    private let isSealing: Bool

    /// A run that seals or opens under `key`. A nonce must never be used for two messages under one key.
    ///
    /// - Throws: `unsupportedKey` for a length that the cipher has no keys of; `failed` for a nonce that it does not take.
    package init(
        _ cipher: AuthenticatedCipher, key: SecretBytes, nonce: UnsafeRawBufferPointer, isSealing: Bool
    ) throws(PasskeySignatureError) {
        _ = WipedMemory.isInUse
        guard let function = cipher.function(keyCount: key.count) else {
            throw PasskeySignatureError(.unsupportedKey, "cipher key of \(key.count) bytes")
        }
        guard let context = EVP_CIPHER_CTX_new() else { throw PasskeySignatureError(.failed, "no context") }
        self.context = context
        self.isSealing = isSealing
        let nonceCount = CInt(clamping: nonce.count)
        let isReady = key.withUnsafeBytes { key in
            EVP_CipherInit_ex(context, function, nil, nil, nil, isSealing ? 1 : 0) == 1
                && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, nonceCount, nil) == 1
                && EVP_CipherInit_ex(context, nil, nil, key.octets, nonce.octets, isSealing ? 1 : 0) == 1
        }
        guard isReady else { throw PasskeySignatureError(.failed, "nonce of \(nonce.count) bytes") }
    }

    deinit {
        // Wipes the key in it.
        EVP_CIPHER_CTX_free(context)
    }

    /// Authenticates bytes that are not encrypted; before any that are.
    package func authenticate(_ bytes: UnsafeRawBufferPointer) throws(PasskeySignatureError) {
        try update(bytes, into: nil)
    }

    /// Encrypts or decrypts `bytes` into `output`, which has room for as many. What was decrypted must reach nobody
    /// before ``open(tag:)`` has returned.
    package func update(
        _ bytes: UnsafeRawBufferPointer, into output: UnsafeMutableRawPointer?
    ) throws(PasskeySignatureError) {
        // The function counts in 32 bits.
        let most = 1 << 30
        for start in stride(from: 0, to: bytes.count, by: most) {
            let part = UnsafeRawBufferPointer(rebasing: bytes[start..<min(start + most, bytes.count)])
            let target = output.map { ($0 + start).assumingMemoryBound(to: UInt8.self) }
            var written: CInt = 0
            guard EVP_CipherUpdate(context, target, &written, part.octets, CInt(part.count)) == 1,
                target == nil || Int(written) == part.count
            else { throw PasskeySignatureError(.failed, "cipher over \(bytes.count) bytes") }
        }
    }

    /// Ends sealing.
    ///
    /// - Returns: the tag.
    package func seal() throws(PasskeySignatureError) -> [UInt8] {
        precondition(isSealing)
        var tag = [UInt8](repeating: 0, count: AuthenticatedCipher.tagCount)
        guard end(), EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, CInt(tag.count), &tag) == 1 else {
            throw PasskeySignatureError(.failed, "tag")
        }
        return tag
    }

    /// Ends opening.
    ///
    /// - Returns: whether the bytes are those that were sealed: under this key, with this nonce and this tag.
    package func open(tag: UnsafeRawBufferPointer) -> Bool {
        precondition(!isSealing)
        guard tag.count == AuthenticatedCipher.tagCount else { return false }
        // The function takes the tag without `const` and only reads it.
        let start = UnsafeMutableRawPointer(mutating: tag.baseAddress)
        return EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, CInt(tag.count), start) == 1 && end()
    }

    private func end() -> Bool {
        // Nothing is left to write: these ciphers have no blocks to fill.
        var rest = [UInt8](repeating: 0, count: 32)
        var written: CInt = 0
        return EVP_CipherFinal_ex(context, &rest, &written) == 1 && written == 0
    }
}
