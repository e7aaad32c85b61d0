import CSodium

/// Hashes without a key: they show accidents, not attacks.
package enum Digest {
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
