public import Foundation
import PasskeySignatures

extension P256.Signing {
    /// A signature: two numbers.
    public struct ECDSASignature: ContiguousBytes, Hashable, Sendable {
        /// Both numbers, 32 bytes each.
        public let rawRepresentation: Data

        /// Reads both numbers, 64 bytes.
        ///
        /// - Throws: ``CryptoKitError/incorrectParameterSize``.
        public init<D: DataProtocol>(rawRepresentation: D) throws {
            guard rawRepresentation.count == 64 else { throw CryptoKitError.incorrectParameterSize }
            self.rawRepresentation = Data(rawRepresentation)
        }

        /// Reads an ECDSA-Sig-Value in DER, as WebAuthn and TLS carry it.
        ///
        /// - Throws: ``CryptoKitASN1Error/invalidASN1Object``.
        public init<D: DataProtocol>(derRepresentation: D) throws {
            guard let raw = ECDSANumbers.raw(fromDER: Array(derRepresentation)) else {
                throw CryptoKitASN1Error.invalidASN1Object
            }
            rawRepresentation = Data(raw)
        }

        /// The signature as an ECDSA-Sig-Value in DER.
        public var derRepresentation: Data { Data(ECDSANumbers.der(fromRaw: Array(rawRepresentation))) }

        /// Lends both numbers to `body`.
        public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
            try rawRepresentation.withUnsafeBytes(body)
        }
    }
}
