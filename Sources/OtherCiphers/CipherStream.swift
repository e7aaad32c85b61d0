import CLibGcrypt
package import KeywayCrypto

/// Ciphers without authentication, which other programs use: what they decrypt is checked by other means.
package enum OtherCipher: Sendable, CaseIterable {
    /// AES-256 in CBC, blocks of 16 bytes.
    case aesChained
    /// Twofish with keys of 32 bytes in CBC, blocks of 16 bytes.
    case twofishChained
    /// ChaCha20 (RFC 8439), nonces of 12 bytes, counted from 0.
    case chaCha20
    /// Salsa20, nonces of 8 bytes.
    case salsa20

    /// The length of every key in bytes.
    package static let keyCount = 32

    /// The length of an initial vector, or a nonce.
    package var vectorCount: Int {
        switch self {
        case .aesChained, .twofishChained: 16
        case .chaCha20: 12
        case .salsa20: 8
        }
    }

    /// The length of a block; 1 for those that have none.
    package var blockCount: Int {
        switch self {
        case .aesChained, .twofishChained: 16
        case .chaCha20, .salsa20: 1
        }
    }

    fileprivate var numbers: (algorithm: CInt, mode: CInt) {
        switch self {
        case .aesChained: (CInt(GCRY_CIPHER_AES256.rawValue), CInt(GCRY_CIPHER_MODE_CBC.rawValue))
        case .twofishChained: (CInt(GCRY_CIPHER_TWOFISH.rawValue), CInt(GCRY_CIPHER_MODE_CBC.rawValue))
        case .chaCha20: (CInt(GCRY_CIPHER_CHACHA20.rawValue), CInt(GCRY_CIPHER_MODE_STREAM.rawValue))
        case .salsa20: (CInt(GCRY_CIPHER_SALSA20.rawValue), CInt(GCRY_CIPHER_MODE_STREAM.rawValue))
        }
    }
}

/// Bytes on their way through a cipher, piece by piece and in place.
package final class CipherStream {
    private let handle: gcry_cipher_hd_t
    private let blockCount: Int

    /// A stream that begins.
    ///
    /// - Throws: ``OtherCipherError``: `invalidParameter` for a key or a vector of another length; `failed`.
    package init(_ cipher: OtherCipher, key: SecretBytes, vector: [UInt8]) throws(OtherCipherError) {
        try Gcrypt.prepare()
        guard key.count == OtherCipher.keyCount, vector.count == cipher.vectorCount else {
            throw OtherCipherError(.invalidParameter, "key of \(key.count) bytes, vector of \(vector.count)")
        }
        let numbers = cipher.numbers
        var opened: gcry_cipher_hd_t?
        try Gcrypt.check(gcry_cipher_open(&opened, numbers.algorithm, numbers.mode, 0), "cipher")
        guard let opened else { throw OtherCipherError(.failed, "cipher") }
        handle = opened
        blockCount = cipher.blockCount
        try Gcrypt.check(key.withUnsafeBytes { gcry_cipher_setkey(opened, $0.octets, $0.count) }, "key")
        try Gcrypt.check(gcry_cipher_setiv(opened, vector, vector.count), "vector")
    }

    deinit {
        // Wipes the key in it.
        gcry_cipher_close(handle)
    }

    /// Encrypts bytes, whole blocks of them.
    ///
    /// - Throws: ``OtherCipherError``: `invalidParameter` for a part of a block; `failed`.
    package func encrypt(_ bytes: UnsafeMutableRawBufferPointer) throws(OtherCipherError) {
        guard try mayBegin(bytes) else { return }
        try Gcrypt.check(gcry_cipher_encrypt(handle, bytes.octets, bytes.count, nil, 0), "encryption")
    }

    /// Decrypts bytes, whole blocks of them.
    ///
    /// - Throws: ``OtherCipherError``: `invalidParameter` for a part of a block; `failed`.
    package func decrypt(_ bytes: UnsafeMutableRawBufferPointer) throws(OtherCipherError) {
        guard try mayBegin(bytes) else { return }
        try Gcrypt.check(gcry_cipher_decrypt(handle, bytes.octets, bytes.count, nil, 0), "decryption")
    }

    private func mayBegin(_ bytes: UnsafeMutableRawBufferPointer) throws(OtherCipherError) -> Bool {
        guard bytes.count % blockCount == 0 else {
            throw OtherCipherError(.invalidParameter, "\(bytes.count) bytes are no whole blocks")
        }
        return !bytes.isEmpty
    }
}
