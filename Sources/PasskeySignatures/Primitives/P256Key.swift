import CLibCrypto
package import KeywayCrypto
import WebAuthnValues

/// A point of P-256 that is a public key, in the forms in which it is written.
package struct P256PublicKey: Sendable {
    /// The first coordinate: 32 bytes, the most significant first.
    package let x: [UInt8]
    /// The second one.
    package let y: [UInt8]
    fileprivate let handle: KeyHandle

    /// Reads a point as SEC 1 (section 2.3.3) writes it, compressed or not.
    ///
    /// - Throws: `malformedKey` where it is none of the curve, or the point at infinity.
    package init(point: [UInt8]) throws(PasskeySignatureError) {
        guard let whole = Self.expand(point) else {
            throw PasskeySignatureError(.malformedKey, "point of \(point.count) bytes")
        }
        try self.init(x: Array(whole[1...32]), y: Array(whole[33...]))
    }

    /// Reads a SubjectPublicKeyInfo in DER (RFC 5480).
    ///
    /// - Throws: `malformedKey` when it is none, or something follows it; `unsupportedKey` for one of another kind.
    package init(subjectPublicKeyInfo bytes: [UInt8]) throws(PasskeySignatureError) {
        _ = WipedMemory.isInUse
        let handle = bytes.withUnsafeBufferPointer { bytes -> KeyHandle? in
            var position = bytes.baseAddress
            guard let key = KeyHandle(d2i_PUBKEY(nil, &position, bytes.count)) else { return nil }
            return position == bytes.baseAddress.map { $0 + bytes.count } ? key : nil
        }
        guard let handle else { throw PasskeySignatureError(.malformedKey, "public key of \(bytes.count) bytes") }
        guard case .p256(let x, let y)? = PublicKey(handle) else {
            throw PasskeySignatureError(.unsupportedKey, "public key of \(bytes.count) bytes")
        }
        try self.init(x: x, y: y)
    }

    init(x: [UInt8], y: [UInt8]) throws(PasskeySignatureError) {
        guard let handle = PublicKey.p256(x: x, y: y).handle else {
            throw PasskeySignatureError(.malformedKey, "point beside the curve")
        }
        (self.x, self.y, self.handle) = (x, y, handle)
    }

    /// The key as a SubjectPublicKeyInfo in DER.
    package var subjectPublicKeyInfo: [UInt8] { PublicKey.p256Header + x + y }

    /// Whether `y` is the smaller of the two coordinates that go with `x`: then `x` alone names the key
    /// (draft-jivsov-ecc-compact-05).
    package var isCompact: Bool { !Self.halfOfTheField.lexicographicallyPrecedes(y) }

    /// Whether `signature`, two numbers in DER, is one of what has this digest.
    package func isSignature(_ signature: [UInt8], ofDigest digest: [UInt8]) -> Bool {
        guard let context = EVP_PKEY_CTX_new(handle.pointer, nil) else { return false }
        defer { EVP_PKEY_CTX_free(context) }
        return EVP_PKEY_verify_init(context) == 1
            && EVP_PKEY_verify(context, signature, signature.count, digest, digest.count) == 1
    }

    /// (p - 1) / 2, where p is the prime of the field (SEC 2, section 2.4.2).
    private static let halfOfTheField: [UInt8] =
        [0x7F, 0xFF, 0xFF, 0xFF, 0x80, 0x00, 0x00, 0x00, 0x80, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00]
        + [0x00, 0x00, 0x00, 0x00, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]

    /// The point, not compressed: 65 bytes.
    private static func expand(_ bytes: [UInt8]) -> [UInt8]? {
        _ = WipedMemory.isInUse
        guard let group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1) else { return nil }
        defer { EC_GROUP_free(group) }
        guard let point = EC_POINT_new(group) else { return nil }
        defer { EC_POINT_free(point) }
        var whole = [UInt8](repeating: 0, count: 65)
        guard EC_POINT_oct2point(group, point, bytes, bytes.count, nil) == 1,
            EC_POINT_point2oct(group, point, POINT_CONVERSION_UNCOMPRESSED, &whole, whole.count, nil) == whole.count
        else { return nil }
        return whole
    }
}

/// A private key of P-256: its number, and a copy in libcrypto's memory, both wiped with the last reference.
package struct P256PrivateKey: Sendable {
    /// The number: 32 bytes, the most significant first.
    package let number: SecretBytes
    /// The point that belongs to it.
    package let publicKey: P256PublicKey
    private let key: PrivateKey

    /// The key with this number.
    ///
    /// - Throws: `malformedKey` when it is none from 1 to the order of the curve, less one.
    package init(_ number: SecretBytes) throws(PasskeySignatureError) {
        let key = try PrivateKey(p256: number)
        guard case .p256(let x, let y) = key.publicKey else {
            throw PasskeySignatureError(.failed, "public point")
        }
        self.number = number
        self.publicKey = try P256PublicKey(x: x, y: y)
        self.key = key
    }

    /// A new key; one whose public half is compact, where that is asked for.
    ///
    /// - Throws: `failed` when libcrypto has no memory.
    package init(random: any RandomSource, isCompact: Bool) throws(PasskeySignatureError) {
        while true {
            // Once in 2^32 keys a number is too large; every other point is compact.
            let made = try P256PrivateKey(Self.number(random))
            if made.publicKey.isCompact || !isCompact {
                self = made
                return
            }
        }
    }

    private static func number(_ random: any RandomSource) -> SecretBytes {
        while true {
            let number = random.secretBytes(32)
            if number.withUnsafeBytes({ PrivateKey.isScalar($0) }) { return number }
        }
    }

    /// Reads a key from DER: a PrivateKeyInfo (RFC 5958) or an ECPrivateKey (RFC 5915).
    ///
    /// - Throws: `malformedKey` when it is none, something follows it, or its point is not that of its number;
    ///   `unsupportedKey` for a key of another kind.
    package init(encoded: SecretBytes) throws(PasskeySignatureError) {
        _ = WipedMemory.isInUse
        let handle: KeyHandle? = encoded.withUnsafeBytes { bytes in
            let start = bytes.octets
            var position: UnsafePointer<UInt8>? = start
            guard let key = KeyHandle(d2i_AutoPrivateKey(nil, &position, bytes.count)) else { return nil }
            return position == start + bytes.count ? key : nil
        }
        guard let handle else {
            throw PasskeySignatureError(.malformedKey, "private key of \(encoded.count) bytes")
        }
        guard handle.isA("EC"), handle.group == "prime256v1", case .p256(let x, let y)? = PublicKey(handle) else {
            throw PasskeySignatureError(.unsupportedKey, "private key of \(encoded.count) bytes")
        }
        try self.init(Self.number(of: handle))
        guard publicKey.x == x, publicKey.y == y else {
            throw PasskeySignatureError(.malformedKey, "public point of another key")
        }
    }

    /// The key as a PrivateKeyInfo in DER, with its public point.
    package var encoded: SecretBytes { key.encoded }

    /// Signs what has this digest: two numbers in DER.
    package func sign(digest: [UInt8]) throws(PasskeySignatureError) -> [UInt8] {
        guard let context = EVP_PKEY_CTX_new(key.handle.pointer, nil) else {
            throw PasskeySignatureError(.failed, "no context")
        }
        defer { EVP_PKEY_CTX_free(context) }
        var signature = [UInt8](repeating: 0, count: Int(EVP_PKEY_get_size(key.handle.pointer)))
        var count = signature.count
        guard EVP_PKEY_sign_init(context) == 1,
            EVP_PKEY_sign(context, &signature, &count, digest, digest.count) == 1
        else { throw PasskeySignatureError(.failed, "signature of \(digest.count) bytes") }
        return Array(signature[..<count])
    }

    /// The secret shared with `peer`: the first coordinate of a point.
    package func secret(with peer: P256PublicKey) throws(PasskeySignatureError) -> SecretBytes {
        try KeyAgreement.secret(of: key.handle, with: peer.handle)
    }

    private static func number(of handle: KeyHandle) throws(PasskeySignatureError) -> SecretBytes {
        var number: OpaquePointer?
        guard EVP_PKEY_get_bn_param(handle.pointer, OSSL_PKEY_PARAM_PRIV_KEY, &number) == 1, let number else {
            throw PasskeySignatureError(.malformedKey, "key without a number")
        }
        defer { BN_clear_free(number) }
        return try SecretBytes(count: 32) { (room) throws(PasskeySignatureError) in
            guard BN_bn2binpad(number, room.octets, CInt(room.count)) == CInt(room.count) else {
                throw PasskeySignatureError(.malformedKey, "number of the key")
            }
        }
    }
}
