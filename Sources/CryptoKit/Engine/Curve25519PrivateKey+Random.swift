import KeywayCrypto
import PasskeySignatures

extension Curve25519PrivateKey {
    /// A new random key.
    init(for use: Curve25519Use) {
        do {
            try self.init(SystemRandomSource().secretBytes(Curve25519PublicKey.count), for: use)
        } catch {
            // Any 32 bytes are a key: it fails where libcrypto has no memory, as any Swift allocation may.
            preconditionFailure("no memory for a key")
        }
    }
}
