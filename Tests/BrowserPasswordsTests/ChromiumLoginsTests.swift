import Glibc
import Importing
import KeywaySQLite
import SecretDocuments
import Testing

@testable import BrowserPasswords

@Suite("rows of Chromium's family") struct ChromiumLoginsTests {
    private static let older =
        "origin_url, username_value, password_value, signon_realm, date_created, blacklisted_by_user, scheme"

    private func read(_ sql: String) throws -> (records: [ImportedRecord], skipped: [SkippedEntry]) {
        let database = try Database(path: ":memory:", access: .create, journal: .memory)
        try database.execute(sql)
        var (records, skipped, leftOut) = ([ImportedRecord](), [SkippedEntry](), LeftOut())
        let take = { (event: ImportEvent) throws(ImportError) in
            switch event {
            case .record(let record): records.append(record)
            case .item: Issue.record("a stored password is no item of CXF")
            case .skipped(let entry): skipped.append(entry)
            }
        }
        try ChromiumLogins.read(database, "Login Data", ChromiumKeys(lines: nil), &leftOut, take)
        try leftOut.tell(take)
        return (records, skipped)
    }

    private func table(_ rows: String, more: String = "") -> String {
        "CREATE TABLE logins (id INTEGER PRIMARY KEY, \(Self.older)\(more)); INSERT INTO logins (\(Self.older)) VALUES \(rows)"
    }

    @Test func anOlderTableHasFewerColumns() throws {
        let found = try read(
            table("('https://www.a.example/in', 'ada', X'6F6E65', 'https://a.example/', 13300000000000000, 0, 0)"))
        let record = try #require(found.records.first)
        #expect(record.title == "a.example" && record.password == SecretText(copyingUTF8Of: "one"))
        #expect(record.created == 1_655_526_400 && record.modified == nil && record.place == "Login Data, row 1")
    }

    @Test(arguments: [
        ("('https://a/', 'a', X'', '', 0, 0, 0)", "No password"),
        ("('https://a/', 'a', NULL, '', 0, 0, 0)", "No password"),
        ("('https://a/', '', X'', '', 0, 1, 0)", "never"), ("('https://a/', 'a', X'763130', '', 0, 0, 0)", "decrypted"),
        ("('https://a/', 'a', zeroblob(1100000), '', 0, 0, 0)", "longer"),
        ("('https://a/', 'a', X'FFFE', '', 0, 0, 0)", "decrypted"),
    ])
    func whatIsNoPasswordIsCounted(row: String, reason: String) throws {
        let found = try read(table("\(row), \(row.replacing("https://a/", with: "https://b/"))"))
        #expect(found.records.isEmpty)
        #expect(
            found.skipped.first?.reason.contains(reason) == true && found.skipped.first?.place.hasPrefix("2 ") == true)
    }

    @Test(arguments: [
        "CREATE TABLE other (id)", "CREATE TABLE logins (id)",
        "CREATE TABLE kept (id, \(older)); CREATE VIEW logins AS SELECT * FROM kept",
    ])
    func aDatabaseOfAnotherShapeIsDamaged(sql: String) {
        #expect(throws: ImportError(.damaged, "")) { try read(sql) }
    }

    @Test func valuesOfOtherTypesAreNoCrash() throws {
        let found = try read(
            table("(7, 8.5, 9, NULL, 'x', 'y', X'00'), (X'FF', X'FE', 'text', 1, 2, 0, 9223372036854775807)"))
        #expect(found.records.count == 2)
    }

    @Test func aFileThatIsALinkOrAFolderIsRefused() throws {
        let folder = Folder()
        folder.write([1, 2, 3], to: "Login Data")
        folder.link("Login Data", as: "link")
        let number = folder.descriptor
        defer { close(number) }
        let profile = ProfileFolder(descriptor: number)
        let (found, missing) = (try profile.contents("Login Data"), try profile.contents("nothing"))
        #expect(found == [1, 2, 3] && missing == nil)
        #expect(throws: ImportError(.unsupported, "")) { try profile.contents("link") }
        #expect(throws: ImportError(.unsupported, "")) { try profile.contents(".") }
        #expect(throws: ImportError(.damaged, "")) { try ChromiumLogins.count(profile) }
    }
}

extension Folder {
    /// The folder, opened; whoever asks closes it.
    var descriptor: CInt { open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }

    func link(_ name: String, as link: String) { symlink("\(path)/\(name)", "\(path)/\(link)") }
}
