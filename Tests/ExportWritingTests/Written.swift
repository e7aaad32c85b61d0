import CodeLinks
import CredentialExchange
import FoundationEssentials
import KeywayCrypto
import SecretDocuments
import Testing

@testable import ExportWriting
@testable import Importing

/// What records come to in a format, and what is read of it again.
struct Written {
    let bytes: [UInt8]
    let report: ExportReport

    /// The text of a table.
    var text: String { String(decoding: bytes, as: UTF8.self) }

    init(_ records: [ImportedRecord], as format: ExportFormat) throws {
        let document = try Self.document(records)
        (bytes, report) = try document.withUnsafeBytes { document in
            let writer = ExportWriter(document, now: 1_790_000_000, random: SystemRandomSource())
            var bytes: [UInt8] = []
            let sink = { (piece: UnsafeRawBufferPointer) throws(ImportError) in bytes += piece }
            let report =
                format == .keepassDatabase
                ? try writer.database(SecretBytes(copyingUTF8Of: Self.password), sink)
                : try writer.table(format, sink)
            return (bytes, report)
        }
    }

    static let password = "pass wörd"

    /// A document with these records.
    static func document(_ records: [ImportedRecord]) throws -> [UInt8] {
        var bytes: [UInt8] = []
        let header = ExchangeHeader(exporter: "keyway.org", displayName: "Keyway", timestamp: 1_790_000_000)
        let writer = ExchangeWriter<Never>(header) { bytes += $0 }
        writer.begin(ExchangeAccount(id: "AAAA", collections: records.enumerated().compactMap { folder($1, "A\($0)") }))
        for (number, record) in records.enumerated() { writer.addItem { record.write(asItem: "A\(number)", to: $0) } }
        writer.endAccount()
        writer.end()
        return bytes
    }

    /// The folders of a record as collections, each within the one before.
    private static func folder(_ record: ImportedRecord, _ item: String) -> ExchangeCollection? {
        record.folder.enumerated().reversed().reduce(nil as ExchangeCollection?) { inner, folder in
            ExchangeCollection(
                id: "C", title: folder.element, items: inner == nil ? [ExchangeLink(item: item)] : [],
                subCollections: inner.map { [$0] } ?? [])
        }
    }

    /// What is read of it again, and as which format.
    func read() throws -> (format: ImportFormat, records: [ImportedRecord]) {
        try bytes.withUnsafeBytes { bytes in
            var records: [ImportedRecord] = []
            let source = ImportSource(
                bytes, password: SecretBytes(copyingUTF8Of: Self.password), now: 1_790_000_000)
            let format = try Importer.read(source) { event in
                if case .record(let record) = event { records.append(record) }
            }
            return (format, records)
        }
    }

    /// The records from which the exports of the tests were generated.
    static func generated() throws -> [ImportedRecord] {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Vectors/imports/bitwarden/generated_individual.json")
        let bytes = Array(try Data(contentsOf: file))
        return try bytes.withUnsafeBytes { bytes in
            var records: [ImportedRecord] = []
            try Importer.read(ImportSource(bytes, now: 1_790_000_000)) { event in
                if case .record(let record) = event { records.append(record) }
            }
            return records
        }
    }
}

/// A record with some of what it may have.
func record(_ title: String, _ password: String? = nil, _ fill: (inout ImportedRecord) throws -> Void = { _ in })
    rethrows
    -> ImportedRecord
{
    var record = ImportedRecord(place: "")
    record.title = title
    record.password = password.map(SecretText.init(copyingUTF8Of:))
    try fill(&record)
    return record
}

/// What a person would compare.
struct Seen: Equatable {
    var title, user, password, notes: String
    var urls, tags, folder, codes: [String]
    var fields: [[String]]
    var isFavorite, isForHTTP: Bool
    var passkeys: [[UInt8]]
    var created, modified: Int64?

    init(_ record: ImportedRecord) {
        (title, user) = (record.title, record.userName)
        (password, notes) = (record.password?.publicText ?? "", record.notes?.publicText ?? "")
        (urls, tags, folder) = (record.urls, record.tags, record.folder)
        codes = record.codes.map { String(decoding: $0.link.withUnsafeBytes { Array($0) }, as: UTF8.self) }
        fields = record.fields.map { [$0.label, $0.value.publicText, $0.isHidden ? "hidden" : ""] }
        (isFavorite, isForHTTP) = (record.isFavorite, record.isForHTTP)
        passkeys = record.passkeys.map(\.credentialID)
        (created, modified) = (record.created, record.modified)
    }
}
