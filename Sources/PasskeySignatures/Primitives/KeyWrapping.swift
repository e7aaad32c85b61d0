import CLibCrypto
package import KeywayCrypto

/// Keys wrapped in other keys: AES Key Wrap with its default initial value (RFC 3394).
package enum KeyWrapping {
    /// How many bytes longer a wrapped key is.
    package static let overhead = 8

    /// `key` under `wrappingKey`.
    ///
    /// - Throws: `unsupportedKey` for a wrapping key that is none of AES; `malformedKey` where there is no whole number
    ///   of 8 bytes to wrap, or fewer than 16.
    package static func wrap(
        _ key: SecretBytes, under wrappingKey: SecretBytes
    ) throws(PasskeySignatureError) -> [UInt8] {
        guard key.count >= 16, key.count.isMultiple(of: 8) else {
            throw PasskeySignatureError(.malformedKey, "key of \(key.count) bytes to wrap")
        }
        let function = try function(of: wrappingKey)
        var wrapped = [UInt8](repeating: 0, count: key.count + overhead)
        let isDone = wrapped.withUnsafeMutableBytes { room in
            key.withUnsafeBytes { run(function, $0, under: wrappingKey, isWrapping: true, into: room) }
        }
        guard isDone else { throw PasskeySignatureError(.failed, "key wrap") }
        return wrapped
    }

    /// The key in `wrapped`; nil where it was not wrapped under `wrappingKey`, or was altered.
    ///
    /// - Throws: `unsupportedKey` for a wrapping key that is none of AES.
    package static func unwrap(
        _ wrapped: UnsafeRawBufferPointer, under wrappingKey: SecretBytes
    ) throws(PasskeySignatureError) -> SecretBytes? {
        guard wrapped.count >= 16 + overhead, wrapped.count.isMultiple(of: 8) else { return nil }
        let function = try function(of: wrappingKey)
        var isDone = false
        // The function writes a block more than there is in the end.
        let key = SecretBytes(upTo: wrapped.count) { room in
            isDone = run(function, wrapped, under: wrappingKey, isWrapping: false, into: room)
            return wrapped.count - overhead
        }
        return isDone ? key : nil
    }

    private static func function(of key: SecretBytes) throws(PasskeySignatureError) -> OpaquePointer? {
        _ = WipedMemory.isInUse
        switch key.count {
        case 16: return EVP_aes_128_wrap()
        case 24: return EVP_aes_192_wrap()
        case 32: return EVP_aes_256_wrap()
        default: throw PasskeySignatureError(.unsupportedKey, "wrapping key of \(key.count) bytes")
        }
    }

    private static func run(
        _ function: OpaquePointer?, _ bytes: UnsafeRawBufferPointer, under key: SecretBytes, isWrapping: Bool,
        into room: UnsafeMutableRawBufferPointer
    ) -> Bool {
        guard let context = EVP_CIPHER_CTX_new() else { return false }
        defer { EVP_CIPHER_CTX_free(context) }
        EVP_CIPHER_CTX_set_flags(context, CInt(EVP_CIPHER_CTX_FLAG_WRAP_ALLOW))
        var written: CInt = 0
        return key.withUnsafeBytes { key in
            EVP_CipherInit_ex(context, function, nil, key.octets, nil, isWrapping ? 1 : 0) == 1
                && EVP_CipherUpdate(context, room.octets, &written, bytes.octets, CInt(bytes.count)) == 1
                && Int(written) == bytes.count + (isWrapping ? overhead : -overhead)
        }
    }
}
