import CLibCrypto
package import KeywayCrypto

extension HashAlgorithm {
    /// The keyed hash (HMAC, RFC 2104) of `message` under `key`, which may have any length but none.
    ///
    /// - Throws: `unsupportedKey` for an empty key; `failed` where libcrypto refuses the function, as it may where rules
    ///   of the machine forbid it.
    package func keyedHash(
        of message: UnsafeRawBufferPointer, key: SecretBytes
    ) throws(PasskeySignatureError) -> SecretBytes {
        _ = WipedMemory.isInUse
        guard !key.isEmpty, key.count <= Int(CInt.max) else {
            throw PasskeySignatureError(.unsupportedKey, "key of a keyed hash of \(key.count) bytes")
        }
        return try SecretBytes(upTo: Int(EVP_MAX_MD_SIZE)) { (room) throws(PasskeySignatureError) in
            var count: CUnsignedInt = 0
            let result = key.withUnsafeBytes { key in
                HMAC(function, key.baseAddress, CInt(key.count), message.octets, message.count, room.octets, &count)
            }
            guard result != nil else { throw PasskeySignatureError(.failed, "keyed hash") }
            return Int(count)
        }
    }
}
