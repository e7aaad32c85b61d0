import KeywayCrypto
import SecretDocuments
import Testing

@testable import Importing
@testable import KeePassDatabases

/// Databases of KeePass that other programs wrote.
@Suite("databases of KeePass")
struct KeePassDatabaseTests {
    static let own = "keepass/generated_kdbx4.kdbx"
    static let ownPassword = "correct horse"

    private func code(_ body: () throws -> Void) -> ImportError.Code? {
        #expect(throws: ImportError.self, performing: body)?.code
    }

    @Test func withoutAPasswordOneIsAskedFor() throws {
        #expect(code { _ = try Import(own: Self.own) } == .needsPassword)
    }

    @Test(arguments: ["", "correct horsf", "correct horse "])
    func anotherPasswordIsToldFromDamage(password: String) throws {
        #expect(code { _ = try Import(own: Self.own, password: password) } == .wrongPassword)
    }

    @Test func aKeyFileBesideThePasswordMakesAnotherKey() throws {
        let bytes = try Fixtures.bytes(Self.own)
        #expect(code { _ = try Import(bytes, password: Self.ownPassword, keyFile: [1]) } == .wrongPassword)
    }
}

/// Databases that KeePass and KeePassXC wrote, which lie beside the repository.
@Suite("databases of other programs", .enabled(if: Fixtures.othersAreHere))
struct OtherKeePassDatabaseTests {
    @Test(arguments: [
        ("Format300.kdbx", "a"), ("Format400.kdbx", "t"), ("ProtectedStrings.kdbx", "masterpw"),
        ("keepass.kdbx", "correct horse battery staple"),
    ])
    func databasesOfEveryVersionAreRead(file: String, password: String) throws {
        let found = try Import(others: "keepass/\(file)", password: password)
        #expect(found.format == .keepassDatabase)
        #expect(!found.records.isEmpty)
        let error = #expect(throws: ImportError.self) {
            try Import(others: "keepass/\(file)", password: password + "x")
        }
        #expect(error?.code == .wrongPassword)
    }

    @Test func theFilesOfAnEntryAreCounted() throws {
        let record = try #require(try Import(others: "keepass/Format400.kdbx", password: "t").records.first)
        #expect(record.title == "Format400")
        #expect(record.notices == ["A file is left out."])
        #expect(record.fields.map(\.label) == ["Format400"])
    }

    @Test func protectedValuesAreReadInTheirOrderAlsoOverTheHistory() throws {
        let records = try Import(others: "keepass/ProtectedStrings.kdbx", password: "masterpw").records
        let record = try #require(records.first)
        #expect(record.password?.publicText == "ProtectedPassword")
        #expect(
            record.fields.map { "\($0.label)=\($0.value.publicText)" }.sorted() == [
                "TestProtected=ABC", "TestUnprotected=DEF",
            ])
    }

    /// Such a file was changed by somebody who had not its key.
    @Test func aHeaderThatIsNotThatOfItsDocumentIsRefused() throws {
        let error = #expect(throws: ImportError.self) {
            try Import(others: "keepass/BrokenHeaderHash.kdbx", password: "")
        }
        #expect(error?.code == .damaged)
        #expect(error?.detail.contains("header") == true)
    }
}

/// What stands in the document of a database, which nothing but its header's hash ties to its header in version 3.
@Suite("documents of databases")
struct KeePassDocumentTests {
    private func read(_ text: String, stream: ProtectedStream? = nil, headerHash: SecretBytes?) throws -> Int {
        var count = 0
        try Array(text.utf8).withUnsafeBytes { bytes in
            try KeePassXML.read(KeePassTree(stream: stream, headerHash: headerHash), bytes) { _ in count += 1 }
        }
        return count
    }

    private static func document(_ hash: String) -> String {
        """
        <KeePassFile><Meta><HeaderHash>\(hash)</HeaderHash></Meta><Root><Group><Entry><String><Key>Title</Key>\
        <Value>a</Value></String></Entry></Group></Root></KeePassFile>
        """
    }

    @Test(arguments: ["AQI=", ""])
    func theHashOfTheHeaderIsThatOfTheHeader(hash: String) throws {
        #expect(try read(Self.document(hash), headerHash: SecretBytes(copying: [1, 2])) == 1)
    }

    @Test(arguments: ["AQM=", "!", "AQIA"])
    func anotherHeaderIsRefused(hash: String) {
        let error = #expect(throws: ImportError.self) {
            try read(Self.document(hash), headerHash: SecretBytes(copying: [1, 2]))
        }
        #expect(error?.code == .damaged)
    }

    /// In version 3 they lie in the document; one of them is longer than any text that is read.
    @Test func attachedFilesAreOfAnyLength() throws {
        let file = String(repeating: "AAAA", count: DocumentLimits.longestText / 4 + 1)
        let text = """
            <KeePassFile><Meta><Binaries><Binary ID="0">\(file)</Binary></Binaries></Meta><Root><Group><Entry>\
            <Binary><Key>a</Key><Value>\(file)</Value></Binary></Entry></Group></Root></KeePassFile>
            """
        #expect(try read(text, headerHash: nil) == 1)
        #expect(throws: (any Error).self) {
            try read(text.replacing("<Key>a</Key>", with: "<Key>\(file)</Key>"), headerHash: nil)
        }
    }

    /// The stream goes over a file that is protected, whatever is in it.
    @Test func aProtectedFileIsNoDamage() throws {
        let text = """
            <KeePassFile><Meta><Binaries><Binary ID="0" Protected="True">AP8=</Binary></Binaries></Meta><Root><Group><Entry>\
            <String><Key>Title</Key><Value Protected="True">YQ==</Value></String></Entry></Group></Root></KeePassFile>
            """
        let stream = try ProtectedStream(.none, key: SecretBytes(copying: []))
        #expect(try read(text, stream: stream, headerHash: nil) == 1)
        let damaged = text.replacing("YQ==", with: "AP8=")
        #expect(throws: ImportError.self) { try read(damaged, stream: stream, headerHash: nil) }
    }

    private func record(_ strings: String, history: String = "") throws -> ImportedRecord {
        try #require(
            try Import(
                "<KeePassFile><Root><Group><Entry>\(strings)\(history)</Entry></Group></Root></KeePassFile>"
            ).records.first)
    }

    private func string(_ key: String, _ value: String) -> String {
        "<String><Key>\(key)</Key><Value>\(value)</Value></String>"
    }

    @Test(arguments: [
        ("TimeOtp-Secret", "12345678901234567890"),
        ("TimeOtp-Secret-Hex", "3132333435363738393031323334353637383930"),
        ("TimeOtp-Secret-Base32", "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"),
        ("TimeOtp-Secret-Base64", "MTIzNDU2Nzg5MDEyMzQ1Njc4OTA="),
    ])
    func codesOfKeePassAreReadInEveryForm(key: String, value: String) throws {
        let record = try record(string("Title", "a") + string(key, value))
        #expect(record.codes.map { Record.Code($0).secret } == ["GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"])
        let other = try self.record(string("Title", "a") + string(key, value) + string("TimeOtp-Length", "40"))
        #expect(other.codes.isEmpty && other.fields.map(\.value.publicText) == [value])
    }

    @Test func whatAnEntryWasBeforeIsTold() throws {
        let former = "<History><Entry>\(string("Password", "old"))</Entry></History>"
        let record = try record(string("Title", "a") + string("Password", "new"), history: former)
        #expect(record.password?.publicText == "new" && record.fields.isEmpty)
        #expect(record.notices == ["What it was before is left out."])
    }

    @Test func withoutADatabaseProtectedValuesAreUnsupported() {
        let text = "<KeePassFile><Root><Group><Entry><String><Value Protected=\"True\">AQI=</Value></String></Entry>"
        let error = #expect(throws: ImportError.self) {
            try read(text + "</Group></Root></KeePassFile>", headerHash: nil)
        }
        #expect(error?.code == .unsupported)
    }
}
