import CredentialExchange
import KeywaySystem
import SecretDocuments

/// A file to import that was read: the document that `keyway-import-reader` made of it.
struct ReadExport: Sendable {
    /// The file.
    let file: ExportFile
    /// The document.
    let document: SealedDocument
    /// Whether the file has a password of its own.
    let isProtected: Bool
    /// Whether it answers the request that waits.
    var isAnswer = false

    /// Goes through the document: what is said of the whole file, then each item.
    ///
    /// - Parameter opened: the document, where it was looked through already.
    /// - Returns: what `summarize` returned.
    /// - Throws: ``CommandError``: `damaged` where the document is none; what the closures throw.
    func walk<Result>(
        _ opened: OpenedExport? = nil, _ summarize: (ExchangeHeader, ImportSummary, _ count: Int) throws -> Result,
        _ take: (ImportedAccount) throws -> Void
    ) throws -> Result {
        let opened = try opened ?? open()
        do {
            let result = try summarize(opened.header, opened.summary, opened.account.itemCount)
            var items = opened.reader.items(of: opened.account)
            while let item = try items.next() { try take(ImportedAccount(item)) }
            return result
        } catch is ExchangeError {
            throw CommandError(.damaged, Strings.readerIsWrong(file.path))
        }
    }

    /// Looks through the document: whether it is one, and where its items lie.
    ///
    /// - Throws: ``CommandError``: `damaged`.
    func open() throws -> OpenedExport {
        let bytes = try document.map()
        guard let opened = try? OpenedExport(bytes) else {
            throw CommandError(.damaged, Strings.readerIsWrong(file.path))
        }
        return opened
    }
}

/// A document that was looked through.
// SAFETY: what it holds does not change, and reading lets go only of pages that are read from the file again.
final class OpenedExport: @unchecked Sendable {
    private let document: MappedDocument
    let reader: ExchangeReader
    let header: ExchangeHeader
    /// The one account of it.
    let account: ExchangeReader.Account
    /// What is said of the whole file.
    let summary: ImportSummary

    /// Looks through a document; nil where the reader doesn't write such ones.
    ///
    /// - Throws: ``ExchangeError``.
    init?(_ document: MappedDocument) throws(ExchangeError) {
        let text = try ExchangeBundle(document.bytes).document
        let reader = try ExchangeReader(text, passed: MappedText.releasing(text))
        guard let header = reader.header, reader.accounts.count == 1, let account = reader.accounts.first,
            let summary = ImportSummary(account.account)
        else { return nil }
        self.document = document
        (self.reader, self.header, self.account, self.summary) = (reader, header, account, summary)
    }
}
