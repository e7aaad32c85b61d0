import CodeLinks
import CredentialExchange
import KeywayCrypto
import SecretDocuments
import Testing

@testable import Importing

@Suite("records as items of CXF")
struct RecordItemTests {
    @Test(arguments: GeneratedExportsTests.all)
    func everyRecordOfAnExportReadsTheSameAsAnItem(lack: Lack) throws {
        for record in try Import(own: lack.file, password: lack.password).records { try expectSame(record) }
    }

    @Test func whatCXFCannotSayStandsInTheExtensionOfTheItem() throws {
        var record = ImportedRecord(place: "line 12")
        record.title = "Router"
        record.folder = ["Home", "A/B", "\"quoted\""]
        record.isForHTTP = true
        record.notices = ["Something isn't taken over."]
        let item = try item(of: record)
        #expect(ImportOrigin(item) == ImportOrigin(record))
        #expect(item.credentials.isEmpty)
        try expectSame(record)
    }

    @Test func whatIsEmptyIsLeftOut() throws {
        let object = try item(of: ImportedRecord(place: "")).object
        #expect(object.members.map(\.name) == ["id", "title", "credentials", "extensions"])
        let origin = try #require(object["extensions"]?.elements?.first?.object)
        #expect(origin.members.map(\.name) == ["name"])
    }

    @Test(arguments: [
        "otpauth://hotp/Example:ada?secret=JBSWY3DPEHPK3PXP&issuer=Example&counter=7",
        "otpauth://steam/Steam:ada?secret=JBSWY3DPEHPK3PXP",
        "otpauth://totp/Shop%3A:ada?secret=JBSWY3DPEHPK3PXP&issuer=shop.example",
        "otpauth://totp/Shop:ada?secret=JBSWY3DPEHPK3PXP&issuer=shop.example&algorithm=SHA256&digits=8&period=60",
    ])
    func codesThatCXFCannotSayTravelAsLinks(link: String) throws {
        var record = ImportedRecord(place: "item 1")
        record.codes = try CodeSetup.read(SecretBytes(copying: Array(link.utf8)))
        let credential = try #require(try item(of: record).credentials.first)
        #expect(credential.type == .customFields)
        #expect(credential.object.publicText("label") == "One-time codes")
        #expect(credential.fields.map(\.isHidden) == [true])
        try expectSame(record)
    }

    @Test func aSectionOfThatNameWithAnythingElseStaysASection() throws {
        let section = ExchangeCredential(
            .customFields,
            [
                ("label", .text(ImportOrigin.codesLabel)),
                ("fields", .array([.object(ExchangeField(.string, SecretText(copyingUTF8Of: "none")).object)])),
            ])
        var record = ImportedRecord(place: "item 1")
        record.credentials = [section]
        try expectSame(record)
    }

    @Test func secretsOfPasskeysAndSecondLoginsArrive() throws {
        var record = ImportedRecord(place: "item 1")
        record.passkeys = [
            try ExchangePasskey(
                credentialID: Array(0...40), relyingParty: "example.com", userName: "ada", userDisplayName: "",
                userHandle: [255, 254, 253], key: SecretBytes(copying: [48, 1, 2]),
                secretWithVerification: SecretBytes(copying: Array(repeating: 7, count: 32)),
                secretWithoutVerification: SecretBytes(copying: Array(repeating: 251, count: 32)),
                largeBlob: (SecretBytes(copying: [3, 0]), 0))
        ]
        record.credentials = [
            ExchangeCredential(.basicAuthentication, [("username", "other".field())]),
            ExchangeCredential(ExchangeCredentialType(rawValue: "org.example/new"), [("value", .integer(3))]),
        ]
        record.urls = ["https://example.com/", "androidapp://org.example.app"]
        try expectSame(record)
    }

    @Test func whatIsSaidOfAFileIsReadAgain() throws {
        let summary = ImportSummary(
            format: "chrome-csv", skipped: [.init(place: "line 3", reason: "It has a NUL character in it.")])
        let found = try document([]) { (writer) throws(ImportError) in
            try summary.write(to: writer)
        } read: {
            ImportSummary($0.accounts[0].account)
        }
        #expect(found == summary)
    }

    // MARK: - Helpers

    private func document<Result>(
        _ records: [ImportedRecord], _ extension: (JSONWriter<ImportError>) throws(ImportError) -> Void,
        read: (ExchangeReader) throws -> Result
    ) throws -> Result {
        var bytes: [UInt8] = []
        let header = ExchangeHeader(exporter: ImportOrigin.exporter, displayName: "CSV", timestamp: 1)
        let writer = try ExchangeWriter<ImportError>(header) { bytes += $0 }
        try writer.begin(ExchangeAccount(id: "AA"))
        for (index, record) in records.enumerated() {
            try writer.addItem { (writer) throws(ImportError) in try record.write(asItem: "A\(index)", to: writer) }
        }
        try writer.endAccount(extension: `extension`)
        try writer.end()
        return try bytes.withUnsafeBytes { try read(try ExchangeReader($0)) }
    }

    private func item(of record: ImportedRecord) throws -> ExchangeItem {
        let item = try document([record]) { (writer) throws(ImportError) in
            try ImportSummary(format: "", skipped: []).write(to: writer)
        } read: { reader in
            var items = reader.items(of: reader.accounts[0])
            return try items.next()
        }
        return try #require(item)
    }

    private func expectSame(_ record: ImportedRecord) throws {
        let item = try item(of: record)
        for credential in item.credentials { try credential.check() }
        let origin = ImportOrigin(item)
        #expect(origin == ImportOrigin(record))
        let found = ImportedRecord(item, origin)
        #expect(Record(found) == Record(record))
        #expect(Set(found.urls) == Set(record.urls))
        #expect(found.tags == record.tags)
        #expect(found.fields == record.fields)
        #expect(found.codes == record.codes)
        #expect(found.passkeys == record.passkeys)
        #expect(found.credentials == record.credentials)
        #expect(found.isForHTTP == record.isForHTTP)
    }
}

extension ImportOrigin {
    fileprivate init(_ record: ImportedRecord) {
        self.init(place: record.place, folder: record.folder, isForHTTP: record.isForHTTP, notices: record.notices)
    }
}
