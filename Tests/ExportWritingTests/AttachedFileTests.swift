import CredentialExchange
import ExchangePackages
import KeywayCrypto
import SecretDocuments
import Testing

@testable import ExportWriting
@testable import Importing

/// Files of items in exports: whole where the format has a place for them, told where it has none.
@Suite("attached files in exports")
struct AttachedFileTests {
    private static let files: [String: [UInt8]] = [
        "a.txt": Array("hello".utf8), "b.bin": (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }, "empty": [],
    ]

    private static func hash(_ bytes: [UInt8]) -> [UInt8] {
        var hash = SHA256Stream()
        bytes.withUnsafeBytes { hash.update($0) }
        return hash.finish()
    }

    /// A document with one item that has these files, and what is in them behind it.
    private static func bundle(_ files: [String: [UInt8]] = files) throws -> [UInt8] {
        let item = record("One", "secret") { record in
            record.files = files.sorted { $0.key < $1.key }.map {
                ImportedFile(name: $0.key, .init(hash: hash($0.value), size: $0.value.count))
            }
        }
        let document = try Written.document([item])
        var (bytes, places) = (document, [(hash: [UInt8], place: Range<Int>)]())
        for content in files.values {
            places.append((hash(content), bytes.count..<bytes.count + content.count))
            bytes += content
        }
        return bytes + ExchangeBundle.end(document: document.count, table: bytes.count, places)
    }

    /// What is in the files of an export, and what is told of it.
    private static func read(
        _ bytes: [UInt8], _ password: SecretBytes?, _ keys: SecretBytes?
    ) throws -> [String: [UInt8]] {
        var (written, records) = ([UInt8](), [ImportedRecord]())
        try bytes.withUnsafeBytes { bytes in
            var source = ImportSource(bytes, password: password, keyFile: keys, now: 1_790_000_000)
            let files = FileSink(start: 0) { piece, offset in
                written.removeLast(written.count - offset)
                written += Array(piece)
                return true
            }
            source.files = files
            try Importer.read(source) { event in
                switch event {
                case .record(let record): records.append(record)
                case .item(let item, let origin): records.append(ImportedRecord(item, origin))
                case .skipped: break
                }
            }
            try files.finish(document: 0)
        }
        #expect(records.flatMap(\.notices) == [])
        return try written.withUnsafeBytes { bytes in
            let bundle = try ExchangeBundle(bytes)
            return Dictionary(
                uniqueKeysWithValues: records.flatMap(\.files).map { file in
                    (file.name, Array(bundle[file.mark.hash] ?? UnsafeRawBufferPointer(start: nil, count: 0)))
                })
        }
    }

    @Test func aDatabaseHasThemAll() throws {
        var database: [UInt8] = []
        let password = SecretBytes(copyingUTF8Of: "p")
        let report = try Self.bundle().withUnsafeBytes { bundle in
            try ExportWriter(bundle, now: 1_790_000_000, random: SystemRandomSource()).database(password) {
                (piece) throws(ImportError) in database += piece
            }
        }
        #expect(report.lossCount == 0)
        #expect(try Self.read(database, password, nil) == Self.files)
    }

    private static func answer(_ bundle: [UInt8]) throws -> (bytes: [UInt8], keys: SecretBytes, report: ExportReport) {
        let (text, keys) = try ExchangeRequest.make(random: SystemRandomSource())
        let request = try text.withUnsafeBytes { try ExchangeRequest($0) }
        return try bundle.withUnsafeBytes { bundle in
            var bytes: [UInt8] = []
            let writer = ExportWriter(bundle, now: 1_790_000_000, random: SystemRandomSource())
            let report = try writer.package(for: request) { (piece) throws(ImportError) in bytes += piece }
            return (bytes, keys.text, report)
        }
    }

    @Test func anAnswerHasThemAllAndShowsNothingOfThem() throws {
        let (bytes, keys, report) = try Self.answer(try Self.bundle())
        #expect(report.lossCount == 0)
        #expect(bytes.firstRange(of: Array("hello".utf8)) == nil)
        #expect(try Self.read(bytes, nil, keys) == Self.files)
    }

    @Test func anAnswerHasAsMuchAsItsReaderCanReadAndTellsTheRest() throws {
        let large = [UInt8](repeating: 7, count: ExchangeResponse.mostFileBytes + 1)
        let (bytes, keys, report) = try Self.answer(try Self.bundle(["large": large, "a": [1]]))
        #expect(report.losses.map(\.reason) == ["What is in its file “large” is left out."])
        #expect(try Self.read(bytes, nil, keys) == ["a": [1]])
    }

    @Test(arguments: [ExportFormat.chromeCSV, .bitwardenCSV])
    func aTableTellsThem(format: ExportFormat) throws {
        var text: [UInt8] = []
        let report = try Self.bundle().withUnsafeBytes { bundle in
            try ExportWriter(bundle, now: 1_790_000_000, random: SystemRandomSource()).table(format) {
                (piece) throws(ImportError) in text += piece
            }
        }
        #expect(report.losses.map(\.reason).contains("Its 3 files are left out."))
    }
}
