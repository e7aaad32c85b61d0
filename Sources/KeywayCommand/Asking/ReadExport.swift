import CredentialExchange
import KeywaySystem

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
    /// - Returns: what `summarize` returned.
    /// - Throws: ``CommandError``: `damaged` where the document is none; what the closures throw.
    func walk<Result>(
        _ summarize: (ExchangeHeader, ImportSummary, _ count: Int) throws -> Result,
        _ take: (ImportedAccount) throws -> Void
    ) throws -> Result {
        let outcome = try document.withUnsafeBytes { (bytes) throws(ProtocolError) -> Swift.Result<Result, any Error> in
            Swift.Result {
                do {
                    let (reader, header, account, summary) = try opened(bytes)
                    let result = try summarize(header, summary, account.itemCount)
                    var items = reader.items(of: account)
                    while let item = try items.next() { try take(ImportedAccount(item)) }
                    return result
                } catch is ExchangeError {
                    throw CommandError(.damaged, Strings.readerIsWrong(file.path))
                }
            }
        }
        return try outcome.get()
    }

    /// Looks whether the document is one.
    ///
    /// - Throws: ``CommandError``: `damaged`.
    func check() throws {
        let outcome = try document.withUnsafeBytes { (bytes) throws(ProtocolError) in Result { try opened(bytes) } }
        do { _ = try outcome.get() } catch is ExchangeError {
            throw CommandError(.damaged, Strings.readerIsWrong(file.path))
        }
    }

    private func opened(
        _ bytes: UnsafeRawBufferPointer
    ) throws -> (ExchangeReader, ExchangeHeader, ExchangeReader.Account, ImportSummary) {
        let reader = try ExchangeReader(ExchangeBundle(bytes).document)
        guard let header = reader.header, reader.accounts.count == 1, let account = reader.accounts.first,
            let summary = ImportSummary(account.account)
        else { throw CommandError(.damaged, Strings.readerIsWrong(file.path)) }
        return (reader, header, account, summary)
    }
}
