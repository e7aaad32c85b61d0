public import Foundation
import KeywayCrypto
import PasskeySignatures

extension Curve25519 {
    /// Signing (Ed25519, RFC 8032).
    public enum Signing: Sendable {
        /// A public key.
        public struct PublicKey: Sendable {
            let key: Curve25519PublicKey

            /// Reads a key of 32 bytes.
            ///
            /// - Throws: ``CryptoKitError/incorrectKeySize``.
            public init<D: ContiguousBytes>(rawRepresentation: D) throws {
                key = try orThrow(.incorrectKeySize) { () throws(PasskeySignatureError) in
                    try Curve25519PublicKey(rawRepresentation.copy, for: .signing)
                }
            }

            init(_ key: Curve25519PublicKey) {
                self.key = key
            }

            /// The key, 32 bytes.
            public var rawRepresentation: Data { Data(key.bytes) }

            /// Whether `signature` is one of `data`.
            public func isValidSignature<S: DataProtocol, D: DataProtocol>(_ signature: S, for data: D) -> Bool {
                key.isSignature(Array(signature), of: Array(data))
            }
        }

        /// A private key; it lies in guarded memory, and is wiped when the last copy of it goes away.
        public struct PrivateKey: Sendable {
            let key: Curve25519PrivateKey

            /// A new random key.
            public init() {
                key = Curve25519PrivateKey(for: .signing)
            }

            /// Reads a key of 32 bytes.
            ///
            /// - Throws: ``CryptoKitError/incorrectKeySize``.
            public init<D: ContiguousBytes>(rawRepresentation: D) throws {
                key = try orThrow(.incorrectKeySize) { () throws(PasskeySignatureError) in
                    try Curve25519PrivateKey(rawRepresentation.secretCopy, for: .signing)
                }
            }

            /// The public half.
            public var publicKey: PublicKey { PublicKey(key.publicKey) }

            /// The key, 32 bytes.
            public var rawRepresentation: Data { key.bytes.withUnsafeBytes { Data($0) } }

            /// Signs `data`: 64 bytes. The same data get the same signature here, which Apple's do not.
            public func signature<D: DataProtocol>(for data: D) throws -> Data {
                Data(try orThrow(.refused) { () throws(PasskeySignatureError) in try key.sign(Array(data)) })
            }
        }
    }
}
