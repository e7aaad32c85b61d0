public import Foundation
import KeywayCrypto
import PasskeySignatures

extension Curve25519 {
    /// Agreeing on a secret (X25519, RFC 7748).
    public enum KeyAgreement: Sendable {
        /// A public key.
        public struct PublicKey: Sendable {
            let key: Curve25519PublicKey

            /// Reads a key of 32 bytes.
            ///
            /// - Throws: ``CryptoKitError/incorrectKeySize``.
            public init<D: ContiguousBytes>(rawRepresentation: D) throws {
                key = try orThrow(.incorrectKeySize) { () throws(PasskeySignatureError) in
                    try Curve25519PublicKey(rawRepresentation.copy, for: .agreement)
                }
            }

            init(_ key: Curve25519PublicKey) {
                self.key = key
            }

            /// The key, 32 bytes.
            public var rawRepresentation: Data { Data(key.bytes) }
        }

        /// A private key; it lies in guarded memory, and is wiped when the last copy of it goes away.
        public struct PrivateKey: DiffieHellmanKeyAgreement, Sendable {
            let key: Curve25519PrivateKey

            /// A new random key.
            public init() {
                key = Curve25519PrivateKey(for: .agreement)
            }

            /// Reads a key of 32 bytes.
            ///
            /// - Throws: ``CryptoKitError/incorrectKeySize``.
            public init<D: ContiguousBytes>(rawRepresentation: D) throws {
                key = try orThrow(.incorrectKeySize) { () throws(PasskeySignatureError) in
                    try Curve25519PrivateKey(rawRepresentation.secretCopy, for: .agreement)
                }
            }

            /// The public half.
            public var publicKey: PublicKey { PublicKey(key.publicKey) }

            /// The key, 32 bytes.
            public var rawRepresentation: Data { key.bytes.withUnsafeBytes { Data($0) } }

            /// The secret that this key shares with whoever has the private half of `publicKeyShare`.
            ///
            /// - Throws: ``CryptoKitError`` for a point of small order, with which everybody would know it.
            public func sharedSecretFromKeyAgreement(
                with publicKeyShare: Curve25519.KeyAgreement.PublicKey
            ) throws -> SharedSecret {
                SharedSecret(
                    bytes: try orThrow(.refused) { () throws(PasskeySignatureError) in
                        try key.secret(with: publicKeyShare.key)
                    })
            }
        }
    }
}
