import CredentialExchange
import KeywayCrypto
import SecretDocuments
import Testing

@testable import ImportReading
@testable import Importing

@Suite("exports as documents of CXF")
struct ImportedDocumentTests {
    @Test func aFileBecomesADocumentWithWhatItSkipped() throws {
        let (header, summary, items) = try read(
            "name,url,username,password\nMail,https://a.example/,ada,one\nB,,x\0y,z")
        #expect(header?.exporter == "keyway.org")
        #expect(header?.displayName == "Chrome CSV")
        #expect(summary?.format == "chrome-csv")
        #expect(summary?.skipped == [.init(place: "line 3", reason: "It has a NUL character in it.")])
        #expect(items.map(\.title) == ["Mail"])
        #expect(items.map { ImportOrigin($0).place } == ["line 2"])
        #expect(items.first?.credentials.first?.field("password")?.value == SecretText(copyingUTF8Of: "one"))
    }

    @Test func eachItemHasAnIdentifierOfItsOwn() throws {
        let rows = (0..<300).map { "Title \($0),https://a.example/,ada,\($0)" }
        let items = try read("name,url,username,password\n" + rows.joined(separator: "\n")).items
        #expect(Set(items.map(\.id)).count == 300)
        #expect(items.allSatisfy { $0.id.utf8.count == 4 })
    }

    @Test func columnsAreReadByTheirMapping() throws {
        let columns = ColumnMapping(["Seite": .url, "Wer": .username, "Kennwort": .password])
        let found = try read("Seite;Wer;Kennwort;Rest\nhttps://a.example/;ada;one;more", columns: columns)
        #expect(found.summary?.format == "csv")
        #expect(found.items.map(\.urls) == [["https://a.example/"]])
        #expect(found.items.first?.credentials.map(\.type) == [.basicAuthentication, .customFields])
    }

    @Test func whatWouldBeTooLongIsRefused() throws {
        let text = "name,url,username,password\nMail,https://a.example/,ada," + String(repeating: "p", count: 70_000)
        #expect(throws: ImportError(.tooLarge, "")) { try read(text, limit: 1 << 16) }
    }

    @Test func anErrorOfTheWriterEndsIt() throws {
        let document = ImportedDocument(limit: 1 << 20) { _ in false }
        let bytes = Array("name,url,username,password\nMail,https://a.example/,ada,one".utf8)
        #expect(throws: ImportError(.failed, "")) {
            try bytes.withUnsafeBytes { try document.write(ImportSource($0, now: 1_790_000_000)) }
        }
    }

    @Test(arguments: ImportError.Code.allCases)
    func failuresAreReadAsTheyWereWritten(code: ImportError.Code) throws {
        let failure = ImportFailure(
            ImportError(code, "the “quoted” file", DocumentPlace(line: 3, offset: 77), memory: 1 << 29))
        var bytes: [UInt8] = []
        failure.write { bytes += $0 }
        #expect(bytes.withUnsafeBytes(ImportFailure.init) == failure)
        #expect("\(failure.code)" == "\(code)")
    }

    @Test func whatIsNoFailureIsNone() {
        for text in ["", "{}", "[]", "{\"code\":\"other\"}", "{\"code\":"] {
            #expect(Array(text.utf8).withUnsafeBytes(ImportFailure.init) == nil)
        }
    }

    @Test(arguments: [
        ["--column"], ["--column", "title"], ["--column", "title="], ["--column", "colour=Name"], ["title=Name"],
        ["--column", "title=Name", "--column", "notes=Name"], ["--key-file", "0"], ["--key-file", "8388609"],
        ["--derivation", "-1"], ["--derivation", "1073741825"], ["--derivation"], ["--other", "1"],
    ])
    func argumentsThatMakeNoSenseAreRefused(arguments: [String]) {
        #expect(ReaderArguments(arguments) == nil)
    }

    @Test func columnsMayHaveEqualSignsInTheirNames() {
        let told = ReaderArguments(["--column", "title=a=b", "--column", "url=Website", "--derivation", "5"])
        #expect(told?.columns == ColumnMapping(["a=b": .title, "Website": .url]))
        #expect(told?.derivationMemory == 5)
        #expect(ReaderArguments([]) != nil && ReaderArguments([])?.columns == nil)
    }

    @Test func anEmptyPasswordIsToldFromNone() {
        #expect(ReaderArguments(["--key-file", "32"])?.hasPassword == false)
        let told = ReaderArguments(["--password", "--key-file", "32"])
        #expect(told?.hasPassword == true && told?.keyFileBytes == 32)
    }

    // MARK: - Helpers

    private func read(
        _ text: String, columns: ColumnMapping? = nil, limit: Int = 1 << 24
    ) throws -> (header: ExchangeHeader?, summary: ImportSummary?, items: [ExchangeItem]) {
        var written: [UInt8] = []
        let document = ImportedDocument(limit: limit) {
            written += $0
            return true
        }
        try Array(text.utf8).withUnsafeBytes {
            try document.write(ImportSource($0, now: 1_790_000_000), columns: columns)
        }
        return try written.withUnsafeBytes { bytes in
            let reader = try ExchangeReader(bytes)
            var found: [ExchangeItem] = []
            var items = reader.items(of: reader.accounts[0])
            while let item = try items.next() { found.append(item) }
            return (reader.header, ImportSummary(reader.accounts[0].account), found)
        }
    }
}
