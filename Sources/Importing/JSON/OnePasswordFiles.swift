import CredentialExchange
import KeywayCrypto
import SecretDocuments
import ZipArchives

/// The files of 1Password's archive: `files/IDENTIFIER__NAME`, beside `export.data`. Their names are labels, and nothing is
/// written under them.
struct OnePasswordFiles {
    private let sink: FileSink?
    private let members: [String: ZipArchive.Member]
    private let archive: ZipArchive?

    init(_ source: ImportSource) {
        (sink, archive) = (source.files, source.archive)
        var members: [String: ZipArchive.Member] = [:]
        for member in source.archive?.members ?? [] where member.name.hasPrefix("files/") {
            let name = member.name.dropFirst("files/".count)
            // Of two with one identifier neither can be trusted.
            let identifier = String(name.firstRange(of: "__").map { name[..<$0.lowerBound] } ?? name)
            members[identifier] = members[identifier] == nil ? member : ZipArchive.Member?.none
        }
        self.members = members
    }

    /// Adds a file to an entry, or tells why it is left out.
    ///
    /// - Parameter file: what the entry says of it: `documentId`, `fileName`, `decryptedSize`.
    func add(_ file: JSONObject, to record: inout ImportedRecord) {
        guard let sink, let archive else { return record.notices.append("A file is left out.") }
        let name = file.publicText("fileName")
        guard let member = members[file.publicText("documentId")] else {
            return record.notices.append("Its file “\(name)” is left out: it isn't in the archive.")
        }
        guard member.size <= ExchangeBundle.largestFile else {
            return record.notices.append(FileSink.notice(tooLarge: name))
        }
        do {
            let content = try archive.content(of: member)
            if let size = file["decryptedSize"]?.integer, size != Int64(content.count) {
                record.notices.append("Its file “\(name)” has another size than the entry says.")
            }
            let mark = try content.withUnsafeBytes { (bytes) throws(ImportError) in try sink.take(bytes) }
            guard let mark else { return record.notices.append(FileSink.notice(tooLarge: name)) }
            record.files.append(ImportedFile(name: name, mark))
        } catch let error as ZipError {
            record.notices.append("Its file “\(name)” is left out: \(error.detail).")
        } catch {
            record.notices.append("Its file “\(name)” is left out: it couldn't be read.")
        }
    }
}
