import CLibCrypto
package import WebAuthnValues

extension PublicKey {
    /// Whether `signature` is one of `message` by this key. ECDSA's is DER, as WebAuthn carries it. False for a key or a
    /// signature that is none.
    package func isSignature(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        guard let key = handle, let context = EVP_MD_CTX_new() else { return false }
        defer { EVP_MD_CTX_free(context) }
        guard EVP_DigestVerifyInit(context, nil, key.digest, nil, key.pointer) == 1 else { return false }
        return EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    }

    /// The key as a SubjectPublicKeyInfo (RFC 5280) in DER, which pages get from `getPublicKey()`; nil for a key that
    /// is none.
    package var subjectPublicKeyInfo: [UInt8]? {
        guard let key = handle else { return nil }
        // libcrypto's encoders take longer than to verify a signature.
        if case .p256(let x, let y) = self { return Self.p256Header + x + y }
        let count = i2d_PUBKEY(key.pointer, nil)
        guard count > 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(count))
        let written = bytes.withUnsafeMutableBufferPointer { buffer in
            // The function moves the pointer behind what it wrote.
            var start = buffer.baseAddress
            return i2d_PUBKEY(key.pointer, &start)
        }
        return written == count ? bytes : nil
    }

    /// A SubjectPublicKeyInfo of id-ecPublicKey with prime256v1 (RFC 5480), up to the coordinates.
    static let p256Header: [UInt8] =
        [0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]
        + [0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00, 0x04]

    /// Reads the public half of a key that libcrypto holds; nil for one of another kind.
    init?(_ key: KeyHandle) {
        if key.isA("EC"), key.group == "prime256v1", let x = key.number(OSSL_PKEY_PARAM_EC_PUB_X, count: 32),
            let y = key.number(OSSL_PKEY_PARAM_EC_PUB_Y, count: 32)
        {
            self = .p256(x: x, y: y)
        } else if key.isA("ED25519") {
            var bytes = [UInt8](repeating: 0, count: 32)
            var count = bytes.count
            guard EVP_PKEY_get_raw_public_key(key.pointer, &bytes, &count) == 1, count == 32 else { return nil }
            self = .ed25519(bytes)
        } else if key.isA("RSA"), let modulus = key.number(OSSL_PKEY_PARAM_RSA_N),
            let exponent = key.number(OSSL_PKEY_PARAM_RSA_E), Self.modulusCounts.contains(modulus.count)
        {
            self = .rsa(modulus: modulus, exponent: exponent)
        } else {
            return nil
        }
    }

    /// How many bytes a modulus may have: 2048 to 8192 bits. Longer ones only cost time.
    private static let modulusCounts = 256...1024

    /// The key for libcrypto; nil when it is none, such as a point beside the curve.
    var handle: KeyHandle? {
        _ = WipedMemory.isInUse
        switch self {
        case .p256(let x, let y):
            guard x.count == 32, y.count == 32 else { return nil }
            return KeyHandle(Self.make(point: [4] + x + y))
        case .ed25519(let bytes):
            guard bytes.count == 32 else { return nil }
            return KeyHandle(EVP_PKEY_new_raw_public_key_ex(nil, "ED25519", nil, bytes, bytes.count))
        case .rsa(let modulus, let exponent):
            guard Self.modulusCounts.contains(modulus.count), (1...8).contains(exponent.count) else { return nil }
            return KeyHandle(Self.rsa(modulus: modulus, exponent: exponent))
        }
    }

    /// The key of P-256 with this point, and this number where it is a private one: 32 bytes in the machine's own order.
    static func make(point: [UInt8], number: UnsafeMutableRawBufferPointer? = nil) -> OpaquePointer? {
        var group = Array("prime256v1".utf8CString)
        var point = point
        // The parameters point to their names and values: these must live until the key is made.
        return group.withUnsafeMutableBufferPointer { group in
            point.withUnsafeMutableBytes { point in
                OSSL_PKEY_PARAM_GROUP_NAME.withCString { groupName in
                    OSSL_PKEY_PARAM_PUB_KEY.withCString { pointName in
                        OSSL_PKEY_PARAM_PRIV_KEY.withCString { numberName in
                            var parameters = [
                                OSSL_PARAM_construct_utf8_string(groupName, group.baseAddress, 0),
                                OSSL_PARAM_construct_octet_string(pointName, point.baseAddress, point.count),
                            ]
                            guard let number else { return make("EC", parameters) }
                            let start = number.baseAddress?.assumingMemoryBound(to: UInt8.self)
                            parameters.append(OSSL_PARAM_construct_BN(numberName, start, number.count))
                            return make("EC", parameters, CLIBCRYPTO_KEY_PAIR)
                        }
                    }
                }
            }
        }
    }

    private static func rsa(modulus: [UInt8], exponent: [UInt8]) -> OpaquePointer? {
        // Numbers come to the function in the machine's own byte order.
        var modulus = isLittleEndian ? modulus.reversed() : modulus
        var exponent = isLittleEndian ? exponent.reversed() : exponent
        return modulus.withUnsafeMutableBufferPointer { modulus in
            exponent.withUnsafeMutableBufferPointer { exponent in
                OSSL_PKEY_PARAM_RSA_N.withCString { modulusName in
                    OSSL_PKEY_PARAM_RSA_E.withCString { exponentName in
                        make(
                            "RSA",
                            [
                                OSSL_PARAM_construct_BN(modulusName, modulus.baseAddress, modulus.count),
                                OSSL_PARAM_construct_BN(exponentName, exponent.baseAddress, exponent.count),
                            ])
                    }
                }
            }
        }
    }

    private static var isLittleEndian: Bool { UInt16(1).littleEndian == 1 }

    private static func make(
        _ type: String, _ parameters: [OSSL_PARAM], _ selection: CLibCryptoSelection = CLIBCRYPTO_PUBLIC_KEY
    ) -> OpaquePointer? {
        guard let context = EVP_PKEY_CTX_new_from_name(nil, type, nil) else { return nil }
        defer { EVP_PKEY_CTX_free(context) }
        var parameters = parameters + [OSSL_PARAM_construct_end()]
        var key: OpaquePointer?
        guard EVP_PKEY_fromdata_init(context) == 1,
            EVP_PKEY_fromdata(context, &key, CInt(selection.rawValue), &parameters) == 1
        else { return nil }
        return key
    }
}
