import CLibCrypto
package import KeywayCrypto
package import WebAuthnValues

extension PrivateKey {
    /// Makes a new key. `random` gives what P-256 and Ed25519 keys are made of; primes for RSA (2048 bits) are searched
    /// by libcrypto with its own randomness, in a large part of a second.
    ///
    /// - Throws: `failed` when libcrypto has no memory.
    package static func make(
        _ algorithm: SignatureAlgorithm, random: any RandomSource
    ) throws(PasskeySignatureError) -> PrivateKey {
        switch algorithm {
        case .es256:
            while true {
                // Once in 2^32 keys a number is too large, and drawn again.
                let scalar = random.secretBytes(32)
                if isScalar(scalar) { return try PrivateKey(p256: scalar) }
            }
        case .edDSA:
            return try PrivateKey(ed25519: random.secretBytes(32))
        case .rs256:
            return try makeRSA(bits: 2048)
        }
    }

    /// The key of P-256 with this number: 32 bytes, the most significant first.
    ///
    /// - Throws: `malformedKey` when it is none from 1 to the order of the curve, less one.
    package init(p256 scalar: SecretBytes) throws(PasskeySignatureError) {
        guard Self.isScalar(scalar) else {
            throw PasskeySignatureError(.malformedKey, "scalar of \(scalar.count) bytes")
        }
        try self.init(Self.information(p256: scalar))
    }

    /// The key of Ed25519 with this seed of 32 bytes (RFC 8032).
    ///
    /// - Throws: `malformedKey` for another length.
    package init(ed25519 seed: SecretBytes) throws(PasskeySignatureError) {
        guard seed.count == 32 else {
            throw PasskeySignatureError(.malformedKey, "seed of \(seed.count) bytes")
        }
        try self.init(Self.information(header: Self.ed25519Header, key: seed))
    }

    /// Whether 32 bytes are a number from 1 to the order of P-256, less one.
    private static func isScalar(_ bytes: SecretBytes) -> Bool {
        bytes.withUnsafeBytes { isScalar($0) }
    }

    /// The same.
    static func isScalar(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count == 32 else { return false }
        return bytes.contains { $0 != 0 } && bytes.lexicographicallyPrecedes(p256Order)
    }

    /// The order of the group of P-256 (SEC 2, section 2.4.2).
    private static let p256Order: [UInt8] =
        [0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]
        + [0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51]

    /// PKCS #8 of an Ed25519 key, up to its seed (RFC 8410, section 7).
    private static let ed25519Header: [UInt8] =
        [0x30, 0x2E, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20]

    private static func information(header: [UInt8], key: SecretBytes) -> SecretBytes {
        SecretBytes(count: header.count + key.count) { room in
            room.copyBytes(from: header)
            key.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: room[header.count...]).copyMemory(from: $0) }
        }
    }

    private static func makeRSA(bits: CInt) throws(PasskeySignatureError) -> PrivateKey {
        _ = WipedMemory.isInUse
        guard let context = EVP_PKEY_CTX_new_from_name(nil, "RSA", nil) else {
            throw PasskeySignatureError(.failed, "no context")
        }
        defer { EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        guard EVP_PKEY_keygen_init(context) == 1, EVP_PKEY_CTX_set_rsa_keygen_bits(context, bits) == 1,
            EVP_PKEY_generate(context, &key) == 1, let handle = KeyHandle(key)
        else { throw PasskeySignatureError(.failed, "RSA key of \(bits) bits") }
        return try PrivateKey(encode(handle))
    }
}
