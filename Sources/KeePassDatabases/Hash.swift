import KeywayCrypto
import PasskeySignatures

/// Hashes of secrets, as secrets.
struct Hash {
    private let state: HashState

    /// Adds bytes.
    func add(_ bytes: UnsafeRawBufferPointer) { state.update(bytes) }
    /// Adds bytes that are public.
    func add(_ bytes: [UInt8]) { bytes.withUnsafeBytes { state.update($0) } }
    /// Adds a secret.
    func add(_ secret: SecretBytes) { secret.withUnsafeBytes { state.update($0) } }

    /// SHA-256 of what `compose` adds.
    static func sha256(_ compose: (Hash) -> Void) -> SecretBytes { hash(.sha256, 32, compose) }

    /// SHA-512 of what `compose` adds.
    static func sha512(_ compose: (Hash) -> Void) -> SecretBytes { hash(.sha512, 64, compose) }

    private static func hash(_ algorithm: HashAlgorithm, _ count: Int, _ compose: (Hash) -> Void) -> SecretBytes {
        let hash = Hash(state: HashState(algorithm))
        compose(hash)
        return SecretBytes(count: count) { hash.state.finish(into: $0) }
    }
}
