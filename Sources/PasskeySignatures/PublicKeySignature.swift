import CLibCrypto

/// Checks what a passkey signed. The only door to libcrypto; nothing here makes keys or signs.
package enum PublicKeySignature {
    /// SHA-256 of `message` (FIPS 180-4).
    package static func sha256(_ message: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        var count: UInt32 = 0
        let isDone = EVP_Digest(message, message.count, &digest, &count, EVP_sha256(), nil)
        return isDone == 1 ? digest : []
    }

    /// Whether `signature` (DER, as WebAuthn carries it) is one of `message` by the P-256 key with the coordinates
    /// `x` and `y` (ECDSA with SHA-256: COSE's ES256). False for a key or a signature that is none.
    package static func isES256(_ signature: [UInt8], of message: [UInt8], x: [UInt8], y: [UInt8]) -> Bool {
        guard x.count == 32, y.count == 32, let key = publicKey([4] + x + y) else { return false }
        defer { EVP_PKEY_free(key) }
        guard let context = EVP_MD_CTX_new() else { return false }
        defer { EVP_MD_CTX_free(context) }
        guard EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, key) == 1 else { return false }
        return EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    }

    /// The key of an uncompressed point of P-256; nil when the point does not lie on the curve.
    private static func publicKey(_ point: [UInt8]) -> OpaquePointer? {
        guard let context = EVP_PKEY_CTX_new_from_name(nil, "EC", nil) else { return nil }
        defer { EVP_PKEY_CTX_free(context) }
        guard EVP_PKEY_fromdata_init(context) == 1 else { return nil }
        var key: OpaquePointer?
        var group = Array("prime256v1".utf8CString)
        var point = point
        let isMade = group.withUnsafeMutableBufferPointer { group in
            point.withUnsafeMutableBytes { point in
                // The parameters point to their names: these must live until the key is made.
                OSSL_PKEY_PARAM_GROUP_NAME.withCString { groupName in
                    OSSL_PKEY_PARAM_PUB_KEY.withCString { pointName in
                        var parameters = [
                            OSSL_PARAM_construct_utf8_string(groupName, group.baseAddress, 0),
                            OSSL_PARAM_construct_octet_string(pointName, point.baseAddress, point.count),
                            OSSL_PARAM_construct_end(),
                        ]
                        return EVP_PKEY_fromdata(context, &key, CInt(CLIBCRYPTO_PUBLIC_KEY), &parameters)
                    }
                }
            }
        }
        guard isMade == 1, let key else { return nil }
        return key
    }
}
