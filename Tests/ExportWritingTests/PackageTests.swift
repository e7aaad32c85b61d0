import CredentialExchange
import ExchangePackages
import KeywayCrypto
import SecretDocuments
import Testing

@testable import ExportWriting
@testable import Importing

@Suite("exports for another program's request")
struct PackageTests {
    private static func request(_ members: String) throws -> (ExchangeRequest, RecipientKeys) {
        let (text, keys) = try ExchangeRequest.make(random: SystemRandomSource())
        // The last brace and the line feed go.
        let changed = text.dropLast(2) + Array("\(members)}".utf8)
        let request = try Array(changed).withUnsafeBytes { (bytes) throws(ExchangePackageError) in
            try ExchangeRequest(bytes)
        }
        return (request, keys)
    }

    private static func answer(
        _ records: [ImportedRecord], _ request: ExchangeRequest
    ) throws -> (bytes: [UInt8], report: ExportReport) {
        try Written.document(records).withUnsafeBytes { document in
            var bytes: [UInt8] = []
            let writer = ExportWriter(document, now: 1_790_000_000, random: SystemRandomSource())
            let report = try writer.package(for: request) { (piece) throws(ImportError) in bytes += piece }
            return (bytes, report)
        }
    }

    private static func read(_ bytes: [UInt8], _ keys: SecretBytes?) throws -> [ImportedRecord] {
        try bytes.withUnsafeBytes { bytes in
            var records: [ImportedRecord] = []
            let format = try Importer.read(ImportSource(bytes, keyFile: keys, now: 1_790_000_000)) { event in
                if case .item(let item, let origin) = event { records.append(ImportedRecord(item, origin)) }
            }
            #expect(format == .exchangePackage)
            return records
        }
    }

    @Test func whatIsAnsweredIsReadWithTheKeysOfTheRequest() throws {
        let records = try Written.generated()
        let (request, keys) = try Self.request("")
        let (bytes, report) = try Self.answer(records, request)
        #expect(report.entries == records.count && report.lossCount == 0)
        #expect(try Self.read(bytes, keys.text).map(Seen.init) == records.map(Seen.init))
        for record in records where record.password?.count ?? 0 > 5 {
            #expect(bytes.firstRange(of: Array((record.password?.publicText ?? "").utf8)) == nil)
        }
    }

    @Test func withoutTheKeysOrWithOthersNothingIsRead() throws {
        let (request, _) = try Self.request("")
        let (bytes, _) = try Self.answer([record("One", "secret")], request)
        let other = try Self.request("").1.text
        #expect(throws: ImportError(.needsRequestKeys, "")) { try Self.read(bytes, nil) }
        #expect(throws: ImportError(.otherRequest, "")) { try Self.read(bytes, other) }
        #expect(throws: ImportError(.damagedKeyFile, "")) { try Self.read(bytes, SecretBytes(copying: [1])) }
    }

    @Test func aRequestIsNothingToImport() throws {
        let text = try ExchangeRequest.make(random: SystemRandomSource()).text
        #expect(throws: ImportError(.unsupported, "")) { try text.withUnsafeBytes { try ImportFormat.recognize($0) } }
    }

    @Test func onlyWhatIsAskedForIsWritten() throws {
        let (request, keys) = try Self.request(",\"credentialTypes\":[\"basic-auth\",\"telepathy\"]")
        let both = record("Both", "secret") { $0.set(notes: SecretText(copyingUTF8Of: "not asked for")) }
        let note = record("Note") { $0.set(notes: SecretText(copyingUTF8Of: "not asked for")) }
        let (bytes, report) = try Self.answer([both, note, record("Empty")], request)
        let found = try Self.read(bytes, keys.text)
        #expect(found.map(\.title) == ["Both", "Empty"])
        #expect(found.allSatisfy { $0.notes == nil })
        #expect(report.losses.map(\.title) == ["Both", "Note"])
        #expect(report.losses.allSatisfy { $0.reason == "The request doesn't ask for note." })
    }

    @Test func anEmptyListAsksForTheAccountsAlone() throws {
        let (request, keys) = try Self.request(",\"credentialTypes\":[]")
        let (bytes, report) = try Self.answer([record("One", "secret")], request)
        #expect(try Self.read(bytes, keys.text).isEmpty)
        #expect(report.entries == 0 && report.notices == ["The request asks for no items."])
    }

    @Test(arguments: [
        ["--format", "chrome-csv"], ["--inspect"], ["--request"],
    ])
    func argumentsAreRead(words: [String]) { #expect(WriterArguments(words) != nil) }

    @Test(arguments: [
        [], ["--format"], ["--format", "cxf"], ["--inspect", "x"], ["--format", "kdbx", "x"], ["kdbx"],
    ])
    func argumentsThatMakeNoSenseAreRefused(words: [String]) { #expect(WriterArguments(words) == nil) }
}
