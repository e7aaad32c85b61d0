import CSodium

/// Hashes without a key: whoever can change what is hashed can change the hash with it.
package enum Digest {
    /// SHA-256 (FIPS 180-4): 32 bytes.
    package static func sha256(_ message: some Sequence<UInt8>) -> [UInt8] {
        Sodium.prepare()
        let message = Array(message)
        var hash = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_BYTES))
        _ = crypto_hash_sha256(&hash, message, UInt64(message.count))
        return hash
    }

    /// BLAKE2b of `count` bytes, 16 to 64 (RFC 7693).
    package static func blake2b(_ message: UnsafeRawBufferPointer, count: Int) -> [UInt8] {
        Sodium.prepare()
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            let hash = UnsafeMutableRawBufferPointer(buffer)
            _ = crypto_generichash(hash.octets, count, message.octets, UInt64(message.count), nil, 0)
            initialized = count
        }
    }
}

/// SHA-256 (FIPS 180-4) of what comes in pieces.
package struct SHA256Stream {
    private var state = crypto_hash_sha256_state()

    /// Of nothing yet.
    package init() {
        Sodium.prepare()
        _ = crypto_hash_sha256_init(&state)
    }

    /// Takes the next piece.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        _ = crypto_hash_sha256_update(&state, bytes.octets, UInt64(bytes.count))
    }

    /// The 32 bytes of all that was taken.
    package mutating func finish() -> [UInt8] {
        var hash = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_BYTES))
        _ = crypto_hash_sha256_final(&state, &hash)
        withUnsafeMutableBytes(of: &state) { wipe($0) }
        return hash
    }
}
