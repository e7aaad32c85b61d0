import CLibGcrypt
package import KeywayCrypto

/// A block encrypted by AES-256 over and over: what KeePass derived keys with before Argon2.
package enum RepeatedAES {
    /// How many rounds are computed by one call of the library.
    private static let roundsAtOnce = 4096

    /// Encrypts each of the two blocks of `secret` that often with `key`.
    ///
    /// - Throws: ``OtherCipherError``: `invalidParameter` unless both have 32 bytes; `failed`.
    package static func derive(
        from secret: SecretBytes, key: [UInt8], rounds: UInt64
    ) throws(OtherCipherError) -> SecretBytes {
        try Gcrypt.prepare()
        guard secret.count == 32, key.count == 32 else {
            throw OtherCipherError(.invalidParameter, "secret of \(secret.count) bytes, key of \(key.count)")
        }
        var opened: gcry_cipher_hd_t?
        // The chain over zeros encrypts its initial vector once for each block; only the last one is written.
        try Gcrypt.check(
            gcry_cipher_open(
                &opened, CInt(GCRY_CIPHER_AES256.rawValue), CInt(GCRY_CIPHER_MODE_CBC.rawValue),
                GCRY_CIPHER_CBC_MAC.rawValue), "cipher")
        guard let opened else { throw OtherCipherError(.failed, "cipher") }
        defer { gcry_cipher_close(opened) }
        try Gcrypt.check(gcry_cipher_setkey(opened, key, key.count), "key")
        let zeros = [UInt8](repeating: 0, count: 16 * roundsAtOnce)
        return try SecretBytes(count: 32) { (room) throws(OtherCipherError) in
            secret.withUnsafeBytes { room.copyMemory(from: $0) }
            for start in [0, 16] {
                let block = UnsafeMutableRawBufferPointer(rebasing: room[start..<start + 16])
                try repeatOne(block, opened, rounds: rounds, zeros)
            }
        }
    }

    private static func repeatOne(
        _ block: UnsafeMutableRawBufferPointer, _ handle: gcry_cipher_hd_t, rounds: UInt64, _ zeros: [UInt8]
    ) throws(OtherCipherError) {
        var left = rounds
        while left > 0 {
            let count = Int(min(left, UInt64(roundsAtOnce)))
            try Gcrypt.check(gcry_cipher_setiv(handle, block.octets, block.count), "block")
            try Gcrypt.check(gcry_cipher_encrypt(handle, block.octets, block.count, zeros, 16 * count), "rounds")
            left -= UInt64(count)
        }
    }
}
