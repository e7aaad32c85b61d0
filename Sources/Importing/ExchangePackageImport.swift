import ExchangePackages
import KeywayCrypto

/// Answers of the Credential Exchange Protocol: a document of CXF, encrypted for the keys of a request. They are given in the
/// place of a key file.
enum ExchangePackageImport {
    static func read(_ source: ImportSource, _ take: ImportSink) throws(ImportError) {
        guard let given = source.keyFile else {
            throw ImportError(.needsRequestKeys, "the file answers a request for an export")
        }
        guard let keys = try? RecipientKeys(given) else {
            throw ImportError(.damagedKeyFile, "the keys aren't those of a request for an export")
        }
        let document: SecretBuffer
        do throws(ExchangePackageError) {
            document = try ExchangeResponse(source.bytes).document(for: keys)
        } catch {
            throw ImportError(error)
        }
        try document.withUnsafeBytes { (bytes) throws(ImportError) in try CXFImport.read(source.part(bytes), take) }
    }
}
