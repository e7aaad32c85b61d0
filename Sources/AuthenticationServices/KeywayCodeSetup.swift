import AutoFillProtocol
import Foundation
package import KeywaySystem

/// A link that sets one-time codes up, as a site hands it out (`otpauth:`): the person opened it, and agreed that your
/// provider keeps it. Apple's systems open the provider's app with the link instead.
public struct KeywayCodeSetup: Sendable {
    /// Who asks for the codes, as the link says; may be empty. It is no address: whoever wrote the link chose it.
    public let issuer: String
    /// The account, as the link says; may be empty.
    public let account: String
    /// The link.
    package let link: SealedMemory

    init(_ code: CodeToSetUp) throws {
        issuer = code.issuer
        account = code.account
        link = try code.link.sealedMemory()
    }

    /// Lends the bytes of the link: whoever has them makes all codes of the account. Throws what `body` throws, and where the
    /// memory cannot be read.
    public func withUnsafeLink<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) throws -> Result {
        try link.withUnsafeBytes(body)
    }
}
