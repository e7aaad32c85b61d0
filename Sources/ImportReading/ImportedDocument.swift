import CredentialExchange
package import Importing
import SecretDocuments

/// Reads an export of any format and writes it as a document of CXF, entry by entry.
package final class ImportedDocument {
    private let limit: Int
    private let write: (UnsafeRawBufferPointer) -> Bool
    /// How many bytes were written.
    package private(set) var written = 0
    private var count = 0
    private var skipped: [ImportSummary.Skipped] = []

    /// A document of at most `limit` bytes; `write` takes it in pieces, and says whether it could.
    package init(limit: Int, _ write: @escaping (UnsafeRawBufferPointer) -> Bool) {
        self.limit = limit
        self.write = write
    }

    /// Reads `source` and writes the document.
    ///
    /// - Parameter columns: what the columns of a CSV file hold that no format knows; nil where the file is of a format.
    /// - Throws: ``ImportError``. Part of the document may be written then.
    package func write(_ source: ImportSource, columns: ColumnMapping? = nil) throws(ImportError) {
        let format = columns == nil ? try ImportFormat.recognize(source.bytes) : nil
        try write(
            format?.rawValue ?? "csv", displayName: format?.displayName ?? "CSV", now: source.now
        ) { (take) throws(ImportError) in
            if let columns {
                try Importer.read(source, by: columns, take)
            } else if let format {
                try Importer.read(source, as: format, take)
            }
        }
    }

    /// Writes a document of what `read` finds, whatever it reads.
    ///
    /// - Throws: ``ImportError``. Part of the document may be written then.
    package func write(
        _ format: String, displayName: String, now: Int64,
        _ read: ((ImportEvent) throws(ImportError) -> Void) throws(ImportError) -> Void
    ) throws(ImportError) {
        let header = ExchangeHeader(exporter: ImportOrigin.exporter, displayName: displayName, timestamp: now)
        let writer = try ExchangeWriter<ImportError>(header) { (bytes) throws(ImportError) in try self.put(bytes) }
        try writer.begin(ExchangeAccount(id: Self.identifier(0)))
        // SAFETY: until both have ended, they are used by the thread alone that writes.
        nonisolated(unsafe) let (document, items) = (self, writer)
        try EventWriting.run({ (event) throws(ImportError) in try document.take(event, items) }, read)
        let summary = ImportSummary(format: format, skipped: skipped)
        try writer.endAccount { (writer) throws(ImportError) in try summary.write(to: writer) }
        try writer.end()
    }

    private func take(_ event: ImportEvent, _ writer: ExchangeWriter<ImportError>) throws(ImportError) {
        count += 1
        // An archive has several files with entries in it.
        guard count <= DocumentLimits.mostItems else {
            throw ImportError(.tooLarge, "the file has more than \(DocumentLimits.mostItems) entries")
        }
        switch event {
        case .item(let item, let origin):
            try writer.addItem { (writer) throws(ImportError) in try item.write(saying: origin, to: writer) }
        case .skipped(let entry): skipped.append(.init(place: entry.place, reason: entry.reason))
        case .record(let record):
            try writer.addItem { (writer) throws(ImportError) in
                try record.write(asItem: Self.identifier(count), to: writer)
            }
        }
    }

    private func put(_ bytes: UnsafeRawBufferPointer) throws(ImportError) {
        written += bytes.count
        guard written <= limit else {
            throw ImportError(.tooLarge, "what is in the file has more than \(limit >> 20) MiB")
        }
        guard write(bytes) else { throw ImportError(.failed, "what was read couldn't be written") }
    }

    /// An identifier by its number: 24 bits in base64url.
    private static func identifier(_ number: Int) -> String {
        String(unsafeUninitializedCapacity: 4) { text in
            for place in 0..<4 { text[place] = characters[number >> (18 - place * 6) & 63] }
            return 4
        }
    }

    private static let characters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
}
