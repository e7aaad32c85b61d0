import CredentialExchange
import KeywaySystem
import SecretDocuments

/// The documents of several files as one, so that all of them are stored in one transaction, and taken back in one step.
enum ImportUnion {
    /// One document with the items of all files, in their order; of a single file its own.
    ///
    /// - Throws: ``CommandError``, ``ProtocolError``.
    static func document(of exports: [ReadExport]) throws -> SealedDocument {
        if exports.count == 1, let export = exports.first { return export.document }
        var failure: (any Error)?
        let document = try SealedDocument(limit: ExchangeBundle.longest) { (write) throws(ProtocolError) in
            do {
                var written = 0
                let count = { (bytes: UnsafeRawBufferPointer) throws(ProtocolError) in
                    written += bytes.count
                    try write(bytes)
                }
                try self.write(exports, count)
                try addFiles(of: exports, behind: written, write)
            } catch let error as ProtocolError {
                throw error
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return document
    }

    private static func write(
        _ exports: [ReadExport], _ write: @escaping (UnsafeRawBufferPointer) throws(ProtocolError) -> Void
    ) throws {
        var number = 0
        var writer: ExchangeWriter<ProtocolError>?
        for export in exports {
            _ = try export.walk { header, _, _ in
                guard writer == nil else { return }
                let new = try ExchangeWriter<ProtocolError>(header, write)
                try new.begin(ExchangeAccount(id: "AAAA"))
                writer = new
            } _: { account in
                number += 1
                var item = account.item
                // Of other formats than CXF identifiers are those of one document.
                if account.origin.account == nil { item.id = identifier(number) }
                try writer?.add(item)
            }
        }
        try writer?.endAccount()
        try writer?.end()
    }

    /// What is in the files of all of them, behind the document; each once.
    private static func addFiles(
        of exports: [ReadExport], behind count: Int, _ write: (UnsafeRawBufferPointer) throws(ProtocolError) -> Void
    ) throws {
        var (files, end): ([(hash: [UInt8], place: Range<Int>)], Int) = ([], count)
        var known: Set<[UInt8]> = []
        for export in exports {
            let mapping = try export.document.map()
            guard let bundle = try? ExchangeBundle(mapping.bytes) else { continue }
            for hash in bundle.hashes where known.insert(hash).inserted {
                guard let bytes = bundle[hash] else { continue }
                try write(bytes)
                files.append((hash, end..<end + bytes.count))
                end += bytes.count
            }
        }
        guard !files.isEmpty else { return }
        guard end - count <= ExchangeBundle.mostBytes, files.count <= ExchangeBundle.mostFiles else {
            throw CommandError(.refused, Strings.filesTooLarge(ExchangeBundle.mostBytes))
        }
        let bytes = ExchangeBundle.end(document: count, table: end, files)
        let outcome = bytes.withUnsafeBytes { bytes in Result { () throws(ProtocolError) in try write(bytes) } }
        try outcome.get()
    }

    /// 24 bits in base64url.
    private static func identifier(_ number: Int) -> String {
        let characters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        return String([18, 12, 6, 0].map { characters[number >> $0 & 63] })
    }
}
