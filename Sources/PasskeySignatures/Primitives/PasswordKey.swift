import CLibCrypto
package import KeywayCrypto

extension HashAlgorithm {
    /// A key from a password by PBKDF2 (RFC 8018, section 5.2) with this function: for what other programs encrypted.
    ///
    /// - Throws: `failed` for numbers that libcrypto does not take, and where it refuses the function.
    package func passwordKey(
        _ password: SecretBytes, salt: UnsafeRawBufferPointer, rounds: Int, count: Int
    ) throws(PasskeySignatureError) -> SecretBytes {
        _ = WipedMemory.isInUse
        guard let rounds = CInt(exactly: rounds), rounds > 0, let length = CInt(exactly: count), length > 0 else {
            throw PasskeySignatureError(.failed, "PBKDF2 of \(rounds) rounds")
        }
        return try SecretBytes(count: count) { (room) throws(PasskeySignatureError) in
            let status = password.withUnsafeBytes { password in
                PKCS5_PBKDF2_HMAC(
                    password.assumingMemoryBound(to: CChar.self).baseAddress, CInt(clamping: password.count),
                    salt.octets,
                    CInt(clamping: salt.count), rounds, function, length, room.octets)
            }
            guard status == 1 else { throw PasskeySignatureError(.failed, "PBKDF2") }
        }
    }
}

/// scrypt (RFC 7914): for what other programs encrypted. It computes whatever it is asked; whoever asks has limits.
package enum Scrypt {
    /// A key of `count` bytes, over `128 * cost * blockSize` bytes of memory, `lanes` times.
    ///
    /// - Throws: `failed` for numbers that the algorithm does not take, and where there is not the memory.
    package static func passwordKey(
        _ password: SecretBytes, salt: UnsafeRawBufferPointer, cost: Int, blockSize: Int, lanes: Int, count: Int
    ) throws(PasskeySignatureError) -> SecretBytes {
        _ = WipedMemory.isInUse
        guard let cost = UInt64(exactly: cost), let size = UInt64(exactly: blockSize),
            let lanes = UInt64(exactly: lanes)
        else { throw PasskeySignatureError(.failed, "scrypt of \(cost), \(blockSize), \(lanes)") }
        return try SecretBytes(count: count) { (room) throws(PasskeySignatureError) in
            let status = password.withUnsafeBytes { password in
                EVP_PBE_scrypt(
                    UnsafeRawPointer(password.octets).assumingMemoryBound(to: CChar.self), password.count, salt.octets,
                    salt.count, cost, size, lanes, UInt64.max, room.octets, room.count)
            }
            guard status == 1 else {
                throw PasskeySignatureError(.failed, "scrypt of \(cost), \(blockSize), \(lanes)")
            }
        }
    }
}

/// AES-128 or AES-256 in CBC with the padding of PKCS #7: for what other programs encrypted, and authenticated by other means.
package enum ChainedCipher {
    /// Decrypts a message; nil where its padding is wrong. Its authentication must be checked before.
    ///
    /// - Throws: `unsupportedKey` for a key that has neither 16 nor 32 bytes, or an initial vector that has not 16; `failed`.
    package static func open(
        _ message: UnsafeRawBufferPointer, key: SecretBytes, vector: UnsafeRawBufferPointer
    ) throws(PasskeySignatureError) -> SecretBytes? {
        _ = WipedMemory.isInUse
        guard [16, 32].contains(key.count), vector.count == 16 else {
            throw PasskeySignatureError(.unsupportedKey, "cipher key of \(key.count) bytes")
        }
        guard message.count % 16 == 0, !message.isEmpty, let length = CInt(exactly: message.count) else { return nil }
        guard let context = EVP_CIPHER_CTX_new() else { throw PasskeySignatureError(.failed, "no context") }
        defer { EVP_CIPHER_CTX_free(context) }
        let cipher = key.count == 16 ? EVP_aes_128_cbc() : EVP_aes_256_cbc()
        let isReady = key.withUnsafeBytes { key in
            EVP_DecryptInit_ex(context, cipher, nil, key.octets, vector.octets) == 1
        }
        guard isReady else { throw PasskeySignatureError(.failed, "cipher") }
        var isWhole = false
        let text = SecretBytes(upTo: message.count + 16) { room in
            let start = room.octets
            var (first, last): (CInt, CInt) = (0, 0)
            guard EVP_DecryptUpdate(context, start, &first, message.octets, length) == 1,
                EVP_DecryptFinal_ex(context, start + Int(first), &last) == 1
            else { return 0 }
            isWhole = true
            return Int(first) + Int(last)
        }
        return isWhole ? text : nil
    }
}
