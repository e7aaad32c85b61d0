import CredentialExchange
package import HybridEncryption
package import KeywayCrypto
import SecretDocuments
import ZipArchives

/// What an exporting program answers: an Export Response (CXP, working draft of 2024-10-03). Until it is opened, nothing in
/// it is believed.
package struct ExchangeResponse {
    /// How it is encrypted.
    package let suite: HPKESuite
    /// Who exported, as it claims: a domain.
    package let exporter: String
    private let encapsulation: [UInt8]
    private let payload: UnsafeRawBufferPointer

    /// What stands in a package beside its documents.
    static let indexPath = "CXP-Export/index.jwe"
    /// The folder of its documents.
    static let documentFolder = "CXP-Export/documents/"
    /// The folder of what is in files that are attached to items.
    static let fileFolder = "CXP-Export/files/"
    /// The most bytes of all such files that are put into one, so that its reader gets along with 256 MiB: 32 MiB.
    package static let mostFileBytes = 32 << 20

    /// Reads the message around the package; its bytes must stay while it is read.
    ///
    /// - Throws: ``ExchangePackageError``: `damaged`, `tooLarge`; `unsupported` for another version, packing or suite.
    package init(_ bytes: UnsafeRawBufferPointer) throws(ExchangePackageError) {
        let (text, outline) = try asPackage {
            let text = try checkedText(bytes)
            return (text, try JSONOutline(text, leaving: ["payload"], longestText: text.count))
        }
        guard let outline, let place = outline.places["payload"], let parameters = outline.object["hpke"]?.object,
            place.count >= 2, text[place.lowerBound] == UInt8(ascii: "\"")
        else { throw ExchangePackageError(.damaged, "this isn't the answer to a request for an export") }
        let object = outline.object
        // No request of ours asks for a later one.
        guard (object["version"]?.integer ?? 0) == 0 else {
            throw ExchangePackageError(.unsupported, "the answer is of a version that Keyway doesn't know")
        }
        guard object.publicText("archive") == "deflate" else {
            throw ExchangePackageError(.unsupported, "the answer is packed in a way that Keyway doesn't read")
        }
        guard let suite = HPKESuite(parameters: parameters), SealedPart.names[suite.aead] != nil else {
            throw ExchangePackageError(.unsupported, "the answer is encrypted in a way that Keyway doesn't know")
        }
        self.suite = suite
        exporter = object.publicText("exporter")
        encapsulation = try ExchangeKey.publicKey(parameters["key"]?.object, suite.kem).encoded
        payload = UnsafeRawBufferPointer(rebasing: text[place.lowerBound + 1..<place.upperBound - 1])
    }

    // MARK: - Opening it

    /// The document of CXF that is in the package.
    ///
    /// - Parameter takeFile: gets what is in each file that is attached to an item; its errors are told as a failure.
    /// - Throws: ``ExchangePackageError``: `notOffered` where it is encrypted in a way that the keys are not for; `otherKey`
    ///   where it isn't encrypted for them; `damaged`, also where a file of the package is missing, stands there twice, or
    ///   isn't the one that the index names; `tooLarge`.
    package func document(
        for keys: RecipientKeys, _ takeFile: (UnsafeRawBufferPointer) throws -> Void = { _ in }
    ) throws(ExchangePackageError) -> SecretBuffer {
        guard keys.allow(suite), let key = keys.key(for: suite.kem) else {
            throw ExchangePackageError(.notOffered, "the answer is encrypted in a way that the request didn't offer")
        }
        return try asPackage {
            let context = try HPKEContext.recipient(suite, key, encapsulation: encapsulation, info: [])
            let part = try SealedPart(context, suite.aead)
            return try unpacked().withUnsafeBytes { try PackageReader(part, archive: $0).document(takeFile) }
        }
    }

    /// The archive, out of base64url.
    private func unpacked() throws(ExchangePackageError) -> SecretBytes {
        let payload = payload
        return try SecretBytes(upTo: payload.count / 4 * 3 + 3) { (room) throws(ExchangePackageError) in
            guard let count = SecretBytes.decode(base64: payload, into: room) else {
                throw ExchangePackageError(.damaged, "the package in the answer isn't base64url")
            }
            return count
        }
    }
}
