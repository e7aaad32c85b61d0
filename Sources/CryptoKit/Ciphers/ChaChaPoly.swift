public import Foundation
import KeywayCrypto
import PasskeySignatures

/// ChaCha20-Poly1305 (RFC 8439): encrypts and authenticates, with keys of 256 bits.
public enum ChaChaPoly: Sendable {
    /// A number that is used once under one key: the same one for two messages gives both away.
    public struct Nonce: ContiguousBytes, Sequence, Sendable {
        let bytes: [UInt8]

        /// A random one of 12 bytes.
        public init() {
            bytes = SystemRandomSource().bytes(12)
        }

        /// A nonce of 12 bytes.
        ///
        /// - Throws: ``CryptoKitError/incorrectParameterSize``.
        public init<D: DataProtocol>(data: D) throws {
            guard data.count == 12 else { throw CryptoKitError.incorrectParameterSize }
            bytes = Array(data)
        }

        /// Lends the bytes to `body`.
        public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
            try bytes.withUnsafeBytes(body)
        }

        /// The bytes, one after another.
        public func makeIterator() -> Array<UInt8>.Iterator { bytes.makeIterator() }
    }

    /// What sealing makes of a message.
    public struct SealedBox: Sendable {
        /// The number that was used.
        public let nonce: Nonce
        /// The message, encrypted: as long as before.
        public let ciphertext: Data
        /// What shows that nothing was altered: 16 bytes.
        public let tag: Data

        /// All of it in one: nonce, encrypted message, tag.
        public var combined: Data { Data(nonce) + ciphertext + tag }

        /// A box from its parts.
        ///
        /// - Throws: ``CryptoKitError/incorrectParameterSize`` where the tag has not 16 bytes.
        public init<C: DataProtocol, T: DataProtocol>(nonce: Nonce, ciphertext: C, tag: T) throws {
            guard tag.count == AuthenticatedCipher.tagCount else { throw CryptoKitError.incorrectParameterSize }
            self.nonce = nonce
            self.ciphertext = Data(ciphertext)
            self.tag = Data(tag)
        }

        /// A box from its parts in one: a nonce of 12 bytes, the encrypted message, the tag.
        ///
        /// - Throws: ``CryptoKitError/incorrectParameterSize`` where there are too few bytes.
        public init<D: DataProtocol>(combined: D) throws {
            let tagCount = AuthenticatedCipher.tagCount
            guard combined.count >= 12 + tagCount else { throw CryptoKitError.incorrectParameterSize }
            try self.init(
                nonce: Nonce(data: combined.prefix(12)),
                ciphertext: combined.dropFirst(12).dropLast(tagCount), tag: combined.suffix(tagCount))
        }
    }

    /// Seals `message` under `key`, with a random nonce where none is given.
    ///
    /// - Throws: ``CryptoKitError/incorrectKeySize``.
    public static func seal<Plaintext: DataProtocol>(
        _ message: Plaintext, using key: SymmetricKey, nonce: Nonce? = nil
    ) throws -> SealedBox {
        try seal(message, using: key, nonce: nonce, authenticating: Data())
    }

    /// Seals `message` under `key`; `authenticatedData` must be there to open it, and are not in the box.
    ///
    /// - Throws: ``CryptoKitError/incorrectKeySize``.
    public static func seal<Plaintext: DataProtocol, AuthenticatedData: DataProtocol>(
        _ message: Plaintext, using key: SymmetricKey, nonce: Nonce? = nil,
        authenticating authenticatedData: AuthenticatedData
    ) throws -> SealedBox {
        let nonce = nonce ?? Nonce()
        let sealed = try AuthenticatedCipher.chaChaPoly.seal(
            message, under: key, nonce: nonce.bytes, authenticating: authenticatedData)
        return try SealedBox(nonce: nonce, ciphertext: sealed.ciphertext, tag: sealed.tag)
    }

    /// Opens a box.
    ///
    /// - Throws: ``CryptoKitError/authenticationFailure`` where it was not sealed so, or was altered;
    ///   ``CryptoKitError/incorrectKeySize``.
    public static func open(_ sealedBox: SealedBox, using key: SymmetricKey) throws -> Data {
        try open(sealedBox, using: key, authenticating: Data())
    }

    /// Opens a box that was sealed with `authenticatedData`.
    ///
    /// - Throws: ``CryptoKitError/authenticationFailure`` where it was not sealed so, or was altered;
    ///   ``CryptoKitError/incorrectKeySize``.
    public static func open<AuthenticatedData: DataProtocol>(
        _ sealedBox: SealedBox, using key: SymmetricKey, authenticating authenticatedData: AuthenticatedData
    ) throws -> Data {
        try AuthenticatedCipher.chaChaPoly.open(
            sealedBox.ciphertext, tag: sealedBox.tag, under: key, nonce: sealedBox.nonce.bytes,
            authenticating: authenticatedData)
    }
}
