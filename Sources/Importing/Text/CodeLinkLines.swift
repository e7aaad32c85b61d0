import CodeLinks
import KeywayCrypto
import SecretDocuments

/// A text file with a link for one-time codes in each line: Aegis, Ente and others write such; a migration link of Google
/// Authenticator is one of several accounts. Empty lines and lines that begin with `#` are passed over.
enum CodeLinkLines {
    private static let schemes = ["otpauth://", "apple-otpauth://", "otpauth-migration://", "steam://"]

    /// Whether the first line that counts is such a link.
    static func fits(_ bytes: UnsafeRawBufferPointer) -> Bool {
        for line in TextLines(bytes).prefix(1000) {
            let line = line.drop { $0 <= 0x20 }
            guard let first = line.first, first != UInt8(ascii: "#") else { continue }
            return schemes.contains {
                line.prefix($0.utf8.count).map { $0 | 0x20 }.elementsEqual($0.utf8.map { $0 | 0x20 })
            }
        }
        return false
    }

    static func read(_ source: ImportSource, _ take: ImportSink) throws(ImportError) {
        let bytes: UnsafeRawBufferPointer
        do { bytes = try checkedText(source.bytes) } catch { throw ImportError(error) }
        var (number, left) = (0, DocumentLimits.mostItems)
        for line in TextLines(bytes) {
            number += 1
            let part = line.drop { $0 <= 0x20 }
            guard let first = part.first, first != UInt8(ascii: "#") else { continue }
            left -= 1
            guard left >= 0 else {
                throw ImportError(.tooLarge, "the file has more than \(DocumentLimits.mostItems) lines")
            }
            let place = "line \(number)"
            do {
                guard part.count <= MigrationLink.longest else { throw OneTimeCodeError(.tooLong, "link") }
                for setup in try CodeSetup.read(SecretBytes(copying: UnsafeRawBufferPointer(rebasing: part))) {
                    try take(.record(record(of: setup, at: place)))
                }
            } catch let error as OneTimeCodeError {
                try take(.skipped(SkippedEntry(place: place, reason: error.words)))
            } catch let error as ImportError {
                throw error
            } catch {
                throw ImportError(.failed, "the file couldn't be read")
            }
        }
    }

    /// A record that is a code and nothing else.
    static func record(of setup: CodeSetup, at place: String) -> ImportedRecord {
        var record = ImportedRecord(place: place)
        record.title = setup.issuer.isEmpty ? setup.account : setup.issuer
        record.userName = setup.account
        record.codes = [setup]
        return record
    }
}
