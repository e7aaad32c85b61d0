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
        var failure: ImportError?
        do throws(ExchangePackageError) {
            document = try ExchangeResponse(source.bytes).document(for: keys) { bytes in
                do throws(ImportError) { _ = try source.files?.take(bytes) } catch {
                    failure = error
                    throw error
                }
            }
        } catch {
            throw failure ?? ImportError(error)
        }
        try document.withUnsafeBytes { (bytes) throws(ImportError) in try CXFImport.read(source.part(bytes), take) }
    }
}
