import CSodium

/// Sealing: XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha-03) with a random nonce in front.
///
/// Sealed bytes are `nonce (24) | ciphertext | tag (16)`. The *context* is authenticated with them and not stored: it
/// says what the bytes are and where they belong, so that they cannot be moved to another place.
extension SecretKey {
    /// The length of a nonce in bytes.
    package static let nonceCount = Int(crypto_aead_xchacha20poly1305_ietf_NPUBBYTES)
    /// The length of a tag in bytes.
    package static let tagCount = Int(crypto_aead_xchacha20poly1305_ietf_ABYTES)
    /// How many bytes longer sealed bytes are than what is in them.
    package static let sealOverhead = nonceCount + tagCount

    /// Seals bytes under this key with this context.
    package func seal(
        _ plaintext: UnsafeRawBufferPointer, context: UnsafeRawBufferPointer, random: any RandomSource
    ) -> [UInt8] {
        let count = plaintext.count + Self.sealOverhead
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            let sealed = UnsafeMutableRawBufferPointer(buffer)
            random.fill(UnsafeMutableRawBufferPointer(rebasing: sealed[..<Self.nonceCount]))
            encrypt(plaintext, context: context, sealed: sealed)
            initialized = count
        }
    }

    /// Seals a secret under this key with this context.
    package func seal(_ secret: SecretBytes, context: [UInt8], random: any RandomSource) -> [UInt8] {
        secret.withUnsafeBytes { secret in
            context.withUnsafeBytes { seal(secret, context: $0, random: random) }
        }
    }

    /// Opens sealed bytes into memory of the caller and returns how many bytes it got.
    ///
    /// - Throws: `authenticationFailed` when key, context or bytes are not those that were sealed; nothing is written
    ///   then. `invalidParameter` when `plaintext` is too small.
    @discardableResult
    package func open(
        _ sealed: UnsafeRawBufferPointer, context: UnsafeRawBufferPointer,
        into plaintext: UnsafeMutableRawBufferPointer
    ) throws(CryptoError) -> Int {
        let count = sealed.count - Self.sealOverhead
        guard count >= 0 else {
            throw CryptoError(.authenticationFailed, "\(sealed.count) sealed bytes are too few")
        }
        guard plaintext.count >= count else {
            throw CryptoError(.invalidParameter, "room for \(plaintext.count) of \(count) bytes")
        }
        let status = bytes.withUnsafeBytes { key in
            let nonce = sealed.octets
            return crypto_aead_xchacha20poly1305_ietf_decrypt(
                plaintext.octets, nil, nil,
                nonce + Self.nonceCount, UInt64(count + Self.tagCount),
                context.octets, UInt64(context.count),
                nonce, key.octets)
        }
        guard status == 0 else {
            throw CryptoError(.authenticationFailed, "tag over \(count) bytes does not match")
        }
        return count
    }

    /// Opens sealed bytes into secret memory.
    ///
    /// - Throws: `authenticationFailed` when key, context or bytes are not those that were sealed.
    package func open(
        _ sealed: UnsafeRawBufferPointer, context: UnsafeRawBufferPointer
    ) throws(CryptoError) -> SecretBytes {
        try SecretBytes(count: max(0, sealed.count - Self.sealOverhead)) { (room) throws(CryptoError) in
            try open(sealed, context: context, into: room)
        }
    }

    /// Opens sealed bytes into secret memory.
    ///
    /// - Throws: `authenticationFailed` when key, context or bytes are not those that were sealed.
    package func open(_ sealed: [UInt8], context: [UInt8]) throws(CryptoError) -> SecretBytes {
        try sealed.lend { (sealed) throws(CryptoError) in
            try context.lend { (context) throws(CryptoError) in try open(sealed, context: context) }
        }
    }

    /// Encrypts behind the nonce that stands at the start of `sealed`.
    private func encrypt(
        _ plaintext: UnsafeRawBufferPointer, context: UnsafeRawBufferPointer, sealed: UnsafeMutableRawBufferPointer
    ) {
        bytes.withUnsafeBytes { key in
            let nonce = sealed.octets
            // Never fails: the lengths are right by construction.
            _ = crypto_aead_xchacha20poly1305_ietf_encrypt(
                nonce + Self.nonceCount, nil,
                plaintext.octets, UInt64(plaintext.count),
                context.octets, UInt64(context.count),
                nil, nonce, key.octets)
        }
    }
}
