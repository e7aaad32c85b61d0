public import Foundation
import KeywayCrypto
import PasskeySignatures

extension P256 {
    /// Agreeing on a secret (ECDH).
    public enum KeyAgreement: Sendable {
        /// A public key.
        public struct PublicKey: Sendable {
            let key: P256PublicKey

            init(_ key: P256PublicKey) {
                self.key = key
            }

            /// Reads both coordinates, 64 bytes.
            ///
            /// - Throws: ``CryptoKitError`` where they are no point of the curve.
            public init<D: ContiguousBytes>(rawRepresentation: D) throws {
                key = try P256PublicKey(raw: rawRepresentation.copy)
            }

            /// Reads a point of 65 bytes, not compressed (ANSI X9.63).
            ///
            /// - Throws: ``CryptoKitError`` where it is none of the curve.
            public init<D: ContiguousBytes>(x963Representation: D) throws {
                key = try P256PublicKey(sec1: x963Representation.copy, count: 65, marks: [4])
            }

            /// Reads a compressed point, 33 bytes.
            ///
            /// - Throws: ``CryptoKitError`` where it is none of the curve.
            public init<D: ContiguousBytes>(compressedRepresentation: D) throws {
                key = try P256PublicKey(sec1: compressedRepresentation.copy, count: 33, marks: [2, 3])
            }

            /// Reads the first coordinate of a compact point, 32 bytes.
            ///
            /// - Throws: ``CryptoKitError`` where there is none.
            public init<D: ContiguousBytes>(compactRepresentation: D) throws {
                key = try P256PublicKey(compact: compactRepresentation.copy)
            }

            /// Reads a SubjectPublicKeyInfo as text.
            ///
            /// - Throws: ``CryptoKitASN1Error``.
            public init(pemRepresentation: String) throws {
                key = try P256PublicKey(pem: pemRepresentation)
            }

            /// Reads a SubjectPublicKeyInfo in DER.
            ///
            /// - Throws: ``CryptoKitASN1Error``.
            public init<Bytes: RandomAccessCollection>(derRepresentation: Bytes) throws where Bytes.Element == UInt8 {
                key = try P256PublicKey(der: Array(derRepresentation))
            }

            /// Both coordinates, 64 bytes.
            public var rawRepresentation: Data { key.raw }
            /// The point, not compressed, 65 bytes.
            public var x963Representation: Data { key.x963 }
            /// The compressed point, 33 bytes.
            public var compressedRepresentation: Data { key.compressed }
            /// The first coordinate where that alone names the point, else nil.
            public var compactRepresentation: Data? { key.compact }
            /// The key as a SubjectPublicKeyInfo in DER.
            public var derRepresentation: Data { key.der }
            /// The same as text.
            public var pemRepresentation: String { key.pem }
        }

        /// A private key; its number lies in guarded memory, and is wiped when the last copy of the key goes away.
        public struct PrivateKey: DiffieHellmanKeyAgreement, Sendable {
            let key: P256PrivateKey

            /// A new random key; one whose public half has a ``PublicKey/compactRepresentation``, if so wished.
            public init(compactRepresentable: Bool = true) {
                key = P256PrivateKey(isCompact: compactRepresentable)
            }

            /// Reads the number, 32 bytes.
            ///
            /// - Throws: ``CryptoKitError`` where it is no key.
            public init<Bytes: ContiguousBytes>(rawRepresentation: Bytes) throws {
                key = try P256PrivateKey(raw: rawRepresentation)
            }

            /// Reads the point, not compressed, and the number behind it: 97 bytes.
            ///
            /// - Throws: ``CryptoKitError`` where they are no key.
            public init<Bytes: ContiguousBytes>(x963Representation: Bytes) throws {
                key = try P256PrivateKey(x963: x963Representation)
            }

            /// Reads a PrivateKeyInfo or an ECPrivateKey as text.
            ///
            /// - Throws: ``CryptoKitASN1Error``.
            public init(pemRepresentation: String) throws {
                key = try P256PrivateKey(pem: pemRepresentation)
            }

            /// Reads a PrivateKeyInfo or an ECPrivateKey in DER.
            ///
            /// - Throws: ``CryptoKitASN1Error``.
            public init<Bytes: RandomAccessCollection>(derRepresentation: Bytes) throws where Bytes.Element == UInt8 {
                let bytes = SecretBytes(count: derRepresentation.count) { $0.copyBytes(from: derRepresentation) }
                key = try P256PrivateKey(der: bytes)
            }

            /// The public half.
            public var publicKey: PublicKey { PublicKey(key.publicKey) }

            /// The number, 32 bytes.
            public var rawRepresentation: Data { key.raw }
            /// The point, not compressed, and the number behind it: 97 bytes.
            public var x963Representation: Data { key.x963 }
            /// The key as a PrivateKeyInfo in DER, with its public half.
            public var derRepresentation: Data { key.der }
            /// The same as text.
            public var pemRepresentation: String { key.pem }

            /// The secret that this key shares with whoever has the private half of `publicKeyShare`.
            public func sharedSecretFromKeyAgreement(
                with publicKeyShare: P256.KeyAgreement.PublicKey
            ) throws -> SharedSecret {
                SharedSecret(
                    bytes: try orThrow(.refused) { () throws(PasskeySignatureError) in
                        try key.secret(with: publicKeyShare.key)
                    })
            }
        }
    }
}
