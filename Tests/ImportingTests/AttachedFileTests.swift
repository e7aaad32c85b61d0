import CredentialExchange
import Foundation
import KeePassDatabases
import KeywayCrypto
import SecretDocuments
import Testing

@testable import Importing

/// What is in files that are attached to entries: it arrives byte for byte, beside the document, or is told.
@Suite("attached files")
struct AttachedFileTests {
    /// An import with what is in its files.
    private struct Attached {
        var records: [ImportedRecord] = []
        private var bundle: [UInt8] = []

        init(
            _ bytes: [UInt8], password: String? = nil, largest: Int = ExchangeBundle.largestFile,
            mostBytes: Int = ExchangeBundle.mostBytes
        ) throws {
            var (found, written) = ([ImportedRecord](), [UInt8]())
            try bytes.withUnsafeBytes { bytes in
                var source = ImportSource(
                    bytes, password: password.map { SecretBytes(copying: Array($0.utf8)) }, now: 1_790_000_000)
                let files = FileSink(start: 0, largest: largest, mostBytes: mostBytes) { piece, offset in
                    written.removeLast(written.count - offset)
                    written += Array(piece)
                    return true
                }
                source.files = files
                try Importer.read(source) { event in
                    if case .record(let record) = event { found.append(record) }
                }
                try files.finish(document: 0)
            }
            (records, bundle) = (found, written)
        }

        /// What is in the files of all entries, by their names.
        func contents() throws -> [String: [UInt8]] {
            try bundle.withUnsafeBytes { bytes in
                let bundle = try ExchangeBundle(bytes)
                let files = records.flatMap(\.files).map { file in
                    (file.name, Array(bundle[file.mark.hash] ?? UnsafeRawBufferPointer(start: nil, count: 0)))
                }
                return Dictionary(files) { first, _ in first }
            }
        }
    }

    private static func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

    private static func document(_ binaries: String, _ entry: String, history: String = "") -> [UInt8] {
        Array(
            """
            <KeePassFile><Meta><Binaries>\(binaries)</Binaries></Meta><Root><Group><Name>r</Name><Entry>
            <String><Key>Title</Key><Value>t</Value></String>\(entry)<History>\(history)</History>
            </Entry></Group></Root></KeePassFile>
            """.utf8)
    }

    private static func reference(_ name: String, _ number: String) -> String {
        "<Binary><Key>\(name)</Key><Value Ref=\"\(number)\"/></Binary>"
    }

    // MARK: - KeePass

    @Test(arguments: [0, 1, 3, 100_000, 7_000_000])
    func filesOfADocumentArriveByteForByte(size: Int) throws {
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 13 &+ $0 >> 9) }
        // Blanks between are no content.
        let binary = "<Binary ID=\"4\">\n  \(Self.base64(bytes))\n</Binary>"
        let found = try Attached(Self.document(binary, Self.reference("a.bin", "4")))
        #expect(found.records.first?.notices == [])
        #expect(try found.contents() == ["a.bin": bytes])
    }

    @Test func packedFilesAreUnpackedAndThoseWithinTheirEntryAreRead() throws {
        // gzip of "hello hello hello\n"
        let packed = "H4sIAAAAAAACA8tIzcnJV8hAkFwAO3yK3xIAAAA="
        let found = try Attached(
            Self.document(
                "<Binary ID=\"0\" Compressed=\"True\">\(packed)</Binary>",
                Self.reference("packed", "0") + "<Binary><Key>own</Key><Value>AQID</Value></Binary>"))
        #expect(
            try found.contents() == ["packed": Array("hello hello hello\n".utf8), "own": [1, 2, 3]])
    }

    @Test func whatIsDamagedOrMissingIsToldByItsName() throws {
        let found = try Attached(
            Self.document(
                "<Binary ID=\"0\" Compressed=\"True\">AAAA</Binary><Binary ID=\"1\">!!!</Binary>",
                Self.reference("packed", "0") + Self.reference("text", "1") + Self.reference("none", "9")))
        let record = try #require(found.records.first)
        #expect(record.files.isEmpty)
        #expect(
            record.notices == [
                "Its file “packed” is left out: it is damaged.", "Its file “text” is left out: it is damaged.",
                "A file is left out.",
            ])
    }

    @Test func whatIsTooLargeIsLeftOutAndToldAndTheOthersArrive() throws {
        let binaries = "<Binary ID=\"0\">AQIDBA==</Binary><Binary ID=\"1\">AQI=</Binary><Binary ID=\"2\">BQY=</Binary>"
        let entry = Self.reference("large", "0") + Self.reference("a", "1") + Self.reference("b", "2")
        let one = try Attached(Self.document(binaries, entry), largest: 3)
        #expect(try one.contents() == ["a": [1, 2], "b": [5, 6]])
        #expect(one.records.first?.notices == [FileSink.notice(tooLarge: "large")])
        let all = try Attached(Self.document(binaries, entry), mostBytes: 6)
        #expect(try all.contents() == ["large": [1, 2, 3, 4], "a": [1, 2]])
    }

    @Test func filesOfFormerVersionsAreNotTaken() throws {
        let history = "<Entry><Binary><Key>old</Key><Value>AQID</Value></Binary></Entry>"
        let found = try Attached(Self.document("", "", history: history))
        #expect(found.records.first?.files == [])
    }

    @Test(.enabled(if: Fixtures.othersAreHere))
    func theFileOfADatabaseArrives() throws {
        let bytes = try Fixtures.bytes("keepass/Format400.kdbx", in: Fixtures.others)
        let found = try Attached(bytes, password: "t")
        #expect(found.records.first?.notices == [])
        #expect(try found.contents().values.map { String(decoding: $0, as: UTF8.self) } == ["Format400\n"])
    }

    @Test func aDatabaseOfOursGivesItsFilesBack() throws {
        let files: [[UInt8]] = [[], [1], (0..<300_000).map { UInt8(truncatingIfNeeded: $0) }]
        let key = try #require(try KeePassKey(password: SecretBytes(copyingUTF8Of: "p"), keyFile: nil))
        var records = [ImportedRecord(place: "")]
        records[0].title = "t"
        records[0].files = files.enumerated().map { number, bytes in
            var hash = SHA256Stream()
            bytes.withUnsafeBytes { hash.update($0) }
            return ImportedFile(name: number == 2 ? "0" : "\(number)", .init(hash: hash.finish(), size: bytes.count))
        }
        let export = KeePassExport(records, name: "n", now: 1, random: SystemRandomSource()) { _ in true }
        let rooms = files.map { bytes in
            let room = UnsafeMutableRawBufferPointer.allocate(byteCount: max(bytes.count, 1), alignment: 1)
            room.copyBytes(from: bytes)
            return (room, UnsafeRawBufferPointer(rebasing: room[..<bytes.count]))
        }
        defer { for room in rooms { room.0.deallocate() } }
        let database = try KeePassWriter(key: key, random: SystemRandomSource()).write(files: rooms.map(\.1)) {
            export.write($0)
        }
        let contents = try Attached(database, password: "p").contents()
        // An entry has one file of a name.
        #expect(contents == ["0": files[0], "1": files[1], "0 (2)": files[2]])
    }

    // MARK: - 1Password

    @Test func theFileOfADocumentArrives() throws {
        let found = try Attached(try Fixtures.bytes("1password/generated.1pux"))
        let record = try #require(found.records.first { !$0.files.isEmpty })
        #expect(record.title == "Document" && record.notices == [])
        #expect(try found.contents().map { ($0.key, $0.value.count) }.first ?? ("", 0) == ("read me.txt", 17))
    }

    /// A name that would leave its folder is a label like any other, and its member is never looked for on a disk.
    @Test func aNameThatWouldLeaveItsFolderIsALabel() throws {
        #expect(try Attached(try Fixtures.bytes("hostile/zip-slip.1pux")).records.count == 1)
        #expect(ImportedFile(name: "../../outside", .init(hash: [], size: 0)).name == "../../outside")
        #expect(ImportedFile(name: String(repeating: "ü", count: 200), .init(hash: [], size: 0)).name.utf8.count == 254)
    }

    // MARK: - The sink

    @Test func whatIsTheSameIsKeptOnce() throws {
        var written: [Int] = []
        let sink = FileSink(start: 10) { _, offset in
            written.append(offset)
            return true
        }
        let bytes: [UInt8] = [1, 2, 3]
        let marks = try (0..<3).map { _ in try bytes.withUnsafeBytes { try sink.take($0) } }
        #expect(Set(marks).count == 1 && written == [10, 13, 13])
        let other = try [UInt8]([4]).withUnsafeBytes { try sink.take($0) }
        #expect(written.last == 13 && other?.size == 1)
        #expect(sink.has(other?.hash ?? [], size: 1) && !sink.has(other?.hash ?? [], size: 2))
    }

    @Test func whatCannotBeWrittenEndsTheImport() throws {
        let sink = FileSink { _, _ in false }
        #expect(throws: ImportError(.failed, "")) { try [UInt8]([1]).withUnsafeBytes { try sink.take($0) } }
    }
}
