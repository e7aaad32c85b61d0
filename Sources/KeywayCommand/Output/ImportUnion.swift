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
        let document = try SealedDocument { (write) throws(ProtocolError) in
            do {
                try self.write(exports, write)
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

    /// 24 bits in base64url.
    private static func identifier(_ number: Int) -> String {
        let characters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        return String([18, 12, 6, 0].map { characters[number >> $0 & 63] })
    }
}
