import CSodium

/// HMAC with SHA-256 (RFC 2104): 32 bytes that nobody can tell from random ones without the key.
package enum MessageAuthentication {
    /// The length of a code in bytes.
    package static let count = Int(crypto_auth_hmacsha256_BYTES)

    /// The code of `message` under `key`, which may have any length; a secret, because it may serve as a key itself.
    package static func hmacSHA256(_ message: UnsafeRawBufferPointer, key: SecretBytes) -> SecretBytes {
        hmacSHA256(of: [message], key: key)
    }

    /// The code of a message that lies in several parts.
    package static func hmacSHA256(of parts: [UnsafeRawBufferPointer], key: SecretBytes) -> SecretBytes {
        Sodium.prepare()
        return SecretBytes(count: count) { code in
            var state = crypto_auth_hmacsha256_state()
            // What is left of the key in the state is wiped before the memory is used again.
            defer { withUnsafeMutableBytes(of: &state) { wipe($0) } }
            key.withUnsafeBytes { _ = crypto_auth_hmacsha256_init(&state, $0.octets, $0.count) }
            for part in parts { _ = crypto_auth_hmacsha256_update(&state, part.octets, UInt64(part.count)) }
            _ = crypto_auth_hmacsha256_final(&state, code.octets)
        }
    }
}
