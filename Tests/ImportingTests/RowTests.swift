import CredentialExchange
import SecretDocuments
import Testing

@testable import Importing

@Suite("rows of exports")
struct RowTests {
    private func value(_ record: ImportedRecord, _ type: ExchangeCredentialType, _ member: String) -> String? {
        record.credentials.first { $0.type == type }?.field(member)?.value?.publicText
    }

    @Test(arguments: ["lastpass/generated_current.csv", "lastpass/generated_html_escaped.csv"])
    func typedNotesOfLastPassBecomeWhatTheyAre(file: String) throws {
        let records = Array(try Import(own: file).records.dropFirst(10))
        #expect(records.map(\.title) == ["My card", "Home", "Key", "Note"])
        #expect(value(records[0], .creditCard, "number") == "4111111111111111")
        #expect(value(records[0], .creditCard, "expiryDate") == "2029-04")
        #expect(value(records[0], .creditCard, "validFrom") == "2024-05")
        #expect(records[0].notes?.publicText == "first line\nsecond line")
        #expect(records[0].urls.isEmpty)
        #expect(value(records[1], .address, "streetAddress") == "12 Example Street")
        #expect(value(records[1], .address, "country") == "DE")
        #expect(value(records[1], .address, "tel") == "4930000")
        #expect(records[1].fields.map(\.label).contains("Email Address"))
        let key = records[2].fields.first { $0.label == "Private Key" }
        #expect(key?.value.publicText == "-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END RSA PRIVATE KEY-----")
        #expect(key?.isHidden == true)
        #expect(records[3].notes?.publicText == "plain secure note\nwith NoteType: in the text")
    }

    @Test(.timeLimit(.minutes(1)))
    func aNoteOfAHundredThousandLinesIsReadAsQuicklyAsItsLinesAre() throws {
        let lines = Array(repeating: "x", count: 100_000).joined(separator: "\n")
        let note = "NoteType:SSH Key\nPrivate Key:-----BEGIN\n\(lines)\n-----END\nPort:22\nNotes:one\ntwo: three"
        let text = "url,username,password,totp,extra,name,grouping,fav\nhttp://sn,,,,\"\(note)\",Key,,0\n"
        let record = try #require(try Import(text).records.first)
        #expect(record.fields.map(\.label) == ["Private Key", "Port"])
        #expect(record.fields.first?.value.count == lines.utf8.count + "-----BEGIN\n\n-----END".utf8.count)
        #expect(record.notes?.publicText == "one\ntwo: three")
    }

    @Test func cardsOfNordPassAreCards() throws {
        let card = try #require(try Import(own: "nordpass/generated_current.csv").records.last)
        #expect(value(card, .creditCard, "expiryDate") == "2029-04")
        #expect(value(card, .creditCard, "pin") == "0042")
        #expect(value(card, .address, "postalCode") == "10115")
    }

    @Test func otherItemsOfProtonArrive() throws {
        let records = Array(try Import(own: "proton-pass/generated_export.csv").records.dropFirst(10))
        #expect(value(records[0], .creditCard, "number") == "4111111111111111")
        #expect(records[0].notes?.publicText == "card note")
        #expect(records[1].userName == "a.b@passmail.example")
        #expect(records[2].notes?.publicText == "note body")
    }

    @Test func keysOfFirefoxItselfAreLeftOut() throws {
        let header = "\"url\",\"username\",\"password\",\"httpRealm\",\"formActionOrigin\",\"guid\"\r\n"
        let found = try Import(
            header + "\"chrome://FirefoxAccounts\",\"x\",\"{\"\"a\"\":1}\",\"Firefox Accounts credentials\",,\r\n")
        #expect(found.records.isEmpty)
        #expect(found.skipped.map(\.place) == ["line 2"])
    }

    @Test func passwordsForHTTPAreMarked() throws {
        let records = try Import(own: "firefox/generated_firefox.csv").records
        #expect(records.filter(\.isForHTTP).map(\.userName) == ["basic"])
    }

    @Test func aRowWithMoreCellsThanColumnsIsLeftOut() throws {
        let found = try Import("name,url,username,password\na,https://a.example,u,p,q\nb,https://b.example,u,p,,\n")
        #expect(found.records.map(\.title) == ["b"])
        #expect(found.skipped.map(\.place) == ["line 2"])
    }

    @Test func semicolonsOfASpreadsheetAreRead() throws {
        let found = try Import("\u{FEFF}name;url;username;password\r\na;https://a.example;u;p,q\r\n")
        #expect(found.format == .chromeCSV)
        #expect(found.records.first?.password?.publicText == "p,q")
    }

    @Test func columnsAreFoundByNameInAnyOrder() throws {
        let found = try Import("Password,\"User name\",URL,Name\np,u,https://a.example,a\n")
        #expect(found.records.first?.userName == "u")
        #expect(found.records.first?.password?.publicText == "p")
    }

    @Test func whatIsNoCodeIsKeptAsAFieldAndTold() throws {
        let found = try Import("Title,URL,Username,Password,Notes,OTPAuth\na,,u,p,,otpauth://motp/x?secret=AB\n")
        let record = try #require(found.records.first)
        #expect(record.codes.isEmpty)
        #expect(record.fields.map(\.value.publicText) == ["otpauth://motp/x?secret=AB"])
        #expect(record.notices.count == 1)
    }

    @Test(arguments: [
        ("https://a.example/?x=1,2", ["https://a.example/?x=1,2"]),
        ("a.example,b.example", ["a.example", "b.example"]),
        ("https://a.example,https://b.example,c", ["https://a.example", "https://b.example,c"]),
    ])
    func addressesOfBitwardenMayHaveCommas(text: String, expected: [String]) {
        #expect(BitwardenCSV.addresses(text) == expected)
    }

    @Test func anyFileIsReadByAMappingOfItsColumns() throws {
        let text = "Site;Account;Secret;Remark;Group;PIN\nhttps://a.example/x;u;p; r ;Work/Dev;1234\n"
        let mapping = ColumnMapping([
            "site": .url, "Account": .username, "SECRET": .password, "remark": .notes, "group": .folder, "pin": .hidden,
        ])
        let records = try Array(text.utf8).withUnsafeBytes { bytes in
            var records: [ImportedRecord] = []
            try Importer.read(ImportSource(bytes, now: 0), by: mapping) {
                if case .record(let record) = $0 { records.append(record) }
            }
            return records
        }
        let record = try #require(records.first)
        #expect(record.title == "a.example")
        #expect(record.folder == ["Work", "Dev"])
        #expect(record.notes?.publicText == " r ")
        #expect(
            record.fields == [ImportedField(label: "pin", value: SecretText(copyingUTF8Of: "1234"), isHidden: true)])
    }

    @Test(arguments: ["", "   \n", "a,b\n1,2\n", "<html></html>", "title\nx\n", "{}", "[]", "{\"a\":1}", "hello world"])
    func whatNobodyKnowsIsRefused(text: String) {
        #expect(throws: ImportError.self) { try Import(text) }
    }

    @Test(arguments: [
        ("04/29", "2029-04"), ("4/2029", "2029-04"), ("2029-04", "2029-04"), ("2029/4", "2029-04"),
        ("April,2029", "2029-04"), ("13/29", nil), ("", nil), ("x/y", nil), ("2029", nil),
    ])
    func monthsOfCardsAreRead(text: String, expected: String?) {
        #expect(CardDate.yearMonth(text) == expected)
    }

    @Test(
        arguments: [
            ("2025-06-15T15:06:40Z", 1_750_000_000), ("2023-11-14T22:13:20.000Z", 1_700_000_000),
            ("2025-06-15T17:06:40+02:00", 1_750_000_000), ("1970-01-01", 0), ("1750000000", 1_750_000_000),
            ("2000-02-29T00:00:00Z", 951_782_400), ("yesterday", nil), ("", nil), ("0", nil), ("2025-13-01", nil),
        ] as [(String, Int64?)])
    func timesAreRead(text: String, expected: Int64?) {
        #expect(Time.seconds(text) == expected)
    }
}

@Suite("hostile files")
struct HostileFileTests {
    @Test func aQuotationMarkThatNeverClosesIsRefused() throws {
        #expect {
            _ = try Import(own: "hostile/unbalanced-quote.csv")
        } throws: { ($0 as? ImportError)?.code == .damaged && ($0 as? ImportError)?.place?.line == 2 }
    }

    @Test func aRowWithANULIsLeftOutAndAFormulaIsText() throws {
        let found = try Import(own: "hostile/nul-and-formula.csv")
        #expect(found.records.map(\.title) == ["Shop"])
        #expect(found.skipped.map(\.place) == ["line 2"])
    }

    @Test(arguments: ["truncated.json", "deep-nesting.json"])
    func aDamagedDocumentIsRefusedAsAWhole(file: String) throws {
        #expect(throws: ImportError.self) { _ = try Import(own: "hostile/\(file)") }
    }

    @Test func itemsOfTheSameIdentifierAreBothKept() throws {
        let found = try Import(own: "hostile/duplicate-ids.json")
        #expect(found.records.count == 3)
        #expect(found.records.filter { !$0.notices.isEmpty }.count == 1)
    }

    @Test func unknownTypesTravelAlong() throws {
        let found = try Import(own: "hostile/unknown-types.json")
        #expect(Set(found.records.map(\.title)).isSuperset(of: ["Shop", "Bank"]))
        #expect(found.records.flatMap(\.credentials).count > 0)
    }

    @Test func identifiersThatAreNoBase64DoNoHarm() throws {
        let found = try Import(own: "hostile/wrong-base64url.json")
        #expect(Set(found.records.map(\.title)).isSuperset(of: ["Mail", "Bank"]))
    }

    @Test func aDocumentTypeIsRefused() {
        #expect {
            _ = try Import(own: "hostile/entity-expansion.xml")
        } throws: { ($0 as? ImportError)?.code == .damaged && ($0 as? ImportError)?.place?.line == 2 }
    }

    @Test func twoRootsAreRefused() {
        let root = "<Root><Group><Name>a</Name></Group></Root>"
        #expect(throws: ImportError.self) { _ = try Import("<KeePassFile>\(root)\(root)</KeePassFile>") }
    }

    @Test func aMemberThatWouldLeaveItsFolderIsALabel() throws {
        #expect(try Import(own: "hostile/zip-slip.1pux").records.count == 1)
    }

    @Test func aMemberThatIsLongerThanTheArchiveSaysIsRefused() throws {
        #expect {
            _ = try Import(own: "hostile/lying-size.1pux")
        } throws: { ($0 as? ImportError)?.code == .damaged }
    }

    @Test func aFileOfNothingButQuotationMarksEnds() {
        #expect(throws: ImportError.self) { _ = try Import(String(repeating: "\"", count: 2_000_001)) }
    }
}
