import CSodium

/// A key of 32 secret bytes. One key has one purpose: use ``derive(_:context:)`` to get keys for several.
package struct SecretKey: Sendable {
    /// The length of every key in bytes.
    package static let count = 32

    /// The key itself; to be wrapped, or compared, never shown.
    package let bytes: SecretBytes

    /// Takes 32 bytes as a key.
    ///
    /// - Precondition: there are exactly 32.
    package init(_ bytes: SecretBytes) {
        precondition(bytes.count == Self.count)
        self.bytes = bytes
    }

    /// A new random key.
    package init(random: any RandomSource) {
        self.init(random.secretBytes(Self.count))
    }

    /// Derives the key with this number for this purpose (`crypto_kdf_derive_from_key`: BLAKE2b, keyed with this key,
    /// number as salt, purpose as personalisation).
    ///
    /// - Precondition: `context` is exactly 8 ASCII characters.
    package func derive(_ number: UInt64, context: StaticString) -> SecretKey {
        precondition(context.utf8CodeUnitCount == Int(crypto_kdf_CONTEXTBYTES))
        let derived = SecretBytes(count: Self.count) { subkey in
            bytes.withUnsafeBytes { key in
                // Eight characters and a final zero: a string literal of C.
                let name = UnsafeRawPointer(context.utf8Start).assumingMemoryBound(to: CChar.self)
                _ = crypto_kdf_derive_from_key(subkey.octets, subkey.count, number, name, key.octets)
            }
        }
        return SecretKey(derived)
    }

    /// Keyed BLAKE2b over a message, into `hash` (16 to 64 bytes): a message authentication code, a keyed name.
    ///
    /// - Precondition: `hash` has a length that BLAKE2b can produce.
    package func hash(_ message: UnsafeRawBufferPointer, into hash: UnsafeMutableRawBufferPointer) {
        precondition(hash.count >= crypto_generichash_BYTES_MIN && hash.count <= crypto_generichash_BYTES_MAX)
        bytes.withUnsafeBytes { key in
            _ = crypto_generichash(
                hash.octets, hash.count, message.octets, UInt64(message.count), key.octets, key.count)
        }
    }

    /// Keyed BLAKE2b over a message: `count` bytes, 16 to 64.
    package func hash(_ message: [UInt8], count: Int = 32) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            message.withUnsafeBytes { hash($0, into: UnsafeMutableRawBufferPointer(buffer)) }
            initialized = count
        }
    }
}
