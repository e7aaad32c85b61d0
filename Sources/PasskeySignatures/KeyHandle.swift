import CLibCrypto

/// A key as libcrypto holds it, freed (and, where it is private, wiped by libcrypto) with the last reference.
// SAFETY: the pointer never changes, nobody changes the key behind it, and libcrypto lets several threads read one.
final class KeyHandle: @unchecked Sendable {
    let pointer: OpaquePointer

    /// Takes over `pointer`; nil when there is none.
    init?(_ pointer: OpaquePointer?) {
        guard let pointer else { return nil }
        self.pointer = pointer
    }

    deinit {
        EVP_PKEY_free(pointer)
    }

    /// Whether the key is of this type, by libcrypto's name.
    func isA(_ type: String) -> Bool {
        EVP_PKEY_is_a(pointer, type) == 1
    }

    /// The name of an elliptic curve's group; nil when the key has none.
    var group: String? {
        var name = [CChar](repeating: 0, count: 64)
        var count = 0
        guard EVP_PKEY_get_group_name(pointer, &name, name.count, &count) == 1 else { return nil }
        return String(validating: name[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// A number of the key, the most significant byte first: exactly `count` bytes, or as many as it takes. Nil when
    /// the key has no such number, or it is longer.
    func number(_ name: String, count: Int? = nil) -> [UInt8]? {
        var number: OpaquePointer?
        guard EVP_PKEY_get_bn_param(pointer, name, &number) == 1, let number else { return nil }
        defer { BN_clear_free(number) }
        var bytes = [UInt8](repeating: 0, count: count ?? (Int(BN_num_bits(number)) + 7) / 8)
        guard BN_bn2binpad(number, &bytes, CInt(bytes.count)) == CInt(bytes.count) else { return nil }
        return bytes
    }

    /// What the digest functions take: Ed25519 hashes by itself.
    var digest: OpaquePointer? { isA("ED25519") ? nil : EVP_sha256() }
}
