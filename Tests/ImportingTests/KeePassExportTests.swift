import CodeLinks
import CredentialExchange
import Foundation
import KeePassDatabases
import KeywayCrypto
import OtherCiphers
import SecretDocuments
import Testing

@testable import Importing

/// Databases that we write, judged by our reader and by KeePassXC.
@Suite("writing databases of KeePass")
struct KeePassExportTests {
    static let password = "pass wörd"

    /// A database with these records; its derivation costs next to nothing.
    static func database(
        _ records: [ImportedRecord], cipher: KeePassCipher = .aes, password: String? = password,
        keyFile: [UInt8]? = nil, argon2: Argon2 = Argon2(.id, memory: 64, passes: 1, lanes: 2)
    ) throws -> (bytes: [UInt8], notices: [String]) {
        let key = try #require(
            try KeePassKey(
                password: password.map { SecretBytes(copyingUTF8Of: $0) },
                keyFile: keyFile.map { SecretBytes(copying: $0) }))
        let export = KeePassExport(records, name: "Keyway", now: 1_790_000_000, random: SystemRandomSource())
        let writer = KeePassWriter(key: key, cipher: cipher, argon2: argon2, random: SystemRandomSource())
        return (try writer.write { export.write($0) }, export.notices)
    }

    /// Records with everything that the form has a place for.
    static func records() throws -> [ImportedRecord] {
        var records = try Import(own: KeePassDatabaseTests.own, password: KeePassDatabaseTests.ownPassword).records
        var record = ImportedRecord(place: "")
        record.title = "& <b> \"quoted\" ]]> 🔑"
        record.set(password: SecretText(copyingUTF8Of: "\u{1}\r\n\t<&>\u{FFFF}"))
        record.set(notes: SecretText(copyingUTF8Of: "bell \u{7}, line\r\nfeed\nand \u{FFFE}"))
        record.urls = ["https://example.com", "androidapp://org.example", "https://b.example", "https://c.example"]
        record.tags = ["one", "two"]
        record.folder = ["A/B", "C"]
        (record.created, record.modified) = (1_000_000_000, 1_700_000_000)
        record.add(field: "Hidden", SecretText(copyingUTF8Of: "h"), isHidden: true)
        record.add(field: "Shown", SecretText(copyingUTF8Of: " spaces "))
        records.append(record)
        return records
    }

    /// A key file alone, an empty password, and both are keys of their own, as in KeePass.
    @Test(arguments: 0..<3)
    func anEmptyPasswordIsNotTheSameAsNone(number: Int) throws {
        let keys: [(password: String?, keyFile: [UInt8]?)] = [(nil, [7, 7]), ("", nil), ("", [7, 7])]
        let bytes = try Self.database(
            [ImportedRecord(place: "")], password: keys[number].password, keyFile: keys[number].keyFile
        ).bytes
        for (index, key) in keys.enumerated() {
            let isRead = (try? Import(bytes, password: key.password, keyFile: key.keyFile)) != nil
            #expect(isRead == (index == number))
        }
    }

    private static func sorted(_ records: [ImportedRecord]) -> [Record] {
        records.map { record in
            var record = Record(record)
            record.custom.sort { $0.label < $1.label }
            return record
        }.sorted { $0.title < $1.title }
    }

    @Test(arguments: KeePassCipher.allCases, [nil, [UInt8](repeating: 4, count: 32)])
    func ourReaderGivesTheSameRecords(cipher: KeePassCipher, keyFile: [UInt8]?) throws {
        let records = try Self.records()
        let found = try Import(
            Self.database(records, cipher: cipher, keyFile: keyFile).bytes, password: Self.password, keyFile: keyFile)
        #expect(found.format == .keepassDatabase)
        #expect(Self.sorted(found.records) == Self.sorted(records))
        #expect(found.records.allSatisfy { $0.notices.isEmpty })
        #expect(Set(found.records.flatMap(\.tags)).isSuperset(of: ["one", "two"]))
    }

    @Test func fieldsThatKeePassWouldTakeForSomethingElseHaveAnotherName() throws {
        var record = ImportedRecord(place: "")
        record.title = "title"
        for label in ["Title", "Same", "Same", "", "KP2A_URL_1", "otp"] {
            record.add(field: label, SecretText(copyingUTF8Of: "value of \(label)"))
        }
        let found = try #require(try Import(Self.database([record]).bytes, password: Self.password).records.first)
        #expect(found.title == "title")
        #expect(found.urls.isEmpty && found.codes.isEmpty)
        #expect(Set(found.fields.map(\.label)).count == 6)
        #expect(found.fields.map(\.value) == record.fields.map(\.value))
    }

    @Test func whatHasNoPlaceIsTold() throws {
        var record = ImportedRecord(place: "")
        record.title = "title"
        record.isFavorite = true
        record.codes = try ["one", "two"].map { name in
            let link = SecretBytes(copyingUTF8Of: "otpauth://totp/\(name)?secret=GEZDGNBVGY3TQOJQ")
            return try #require(CodeSetup.read(link).first)
        }
        for number in UInt8(1)...2 {
            record.passkeys.append(
                try ExchangePasskey(
                    credentialID: [number], relyingParty: "example.com", userName: "a", userDisplayName: "Ada",
                    userHandle: [number], key: SecretBytes(copying: [number, 1, 2])))
        }
        let (bytes, notices) = try Self.database([record])
        #expect(notices.count == 4)
        let found = try Import(bytes, password: Self.password).records
        #expect(found.flatMap(\.passkeys).map(\.credentialID) == [[1], [2]])
        #expect(found.first?.codes.count == 1)
        #expect(found.first?.fields.map(\.label) == ["One-time code"])
    }

    @Test func aFolderForEveryGroupIsWrittenOnce() throws {
        let records = (0..<6).map { number in
            var record = ImportedRecord(place: "")
            record.title = "\(number)"
            record.folder = [["a"], ["b"], ["a", "c"], [], ["a"], ["a", "c"]][number]
            return record
        }
        let folder = KeePassFolder(name: "root", records)
        #expect(folder.records.map(\.title) == ["3"])
        #expect(folder.folders.map(\.name) == ["a", "b"])
        #expect(folder.folders[0].records.map(\.title) == ["0", "4"])
        #expect(folder.folders[0].folders.map(\.records.count) == [2])
    }

    // MARK: - KeePassXC as the judge

    @Test(arguments: KeePassCipher.allCases, [Argon2.Variant.d, .id])
    func keePassXCReadsWhatWeWrite(cipher: KeePassCipher, variant: Argon2.Variant) throws {
        try withFolder { folder in
            let records = try Self.records()
            let argon2 = Argon2(variant, memory: 1024, passes: 2, lanes: 2)
            let keyFile = [UInt8](repeating: 4, count: 32)
            let bytes = try Self.database(records, cipher: cipher, keyFile: keyFile, argon2: argon2).bytes
            try Data(bytes).write(to: folder.appending(path: "ours.kdbx"))
            try Data(keyFile).write(to: folder.appending(path: "key"))
            let text = try keepassxc(
                ["export", "-q", "-f", "xml", "-k", "key", "ours.kdbx"], in: folder, "\(Self.password)\n")
            let found = try Import(Array(text))
            #expect(found.format == .keepassXML)
            // XML without encryption has no place for characters that XML has not.
            #expect(Self.sorted(found.records).dropFirst() == Self.sorted(records).dropFirst())
            #expect(Self.sorted(found.records).first?.urls == Self.sorted(records).first?.urls)
        }
    }

    @Test func weReadWhatKeePassXCWrites() throws {
        try withFolder { folder in
            try Data(Fixtures.bytes("keepass/generated_keepass2.xml")).write(to: folder.appending(path: "in.xml"))
            _ = try keepassxc(
                ["import", "-q", "-t", "100", "-p", "in.xml", "theirs.kdbx"], in: folder,
                "\(Self.password)\n\(Self.password)\n")
            let bytes = Array(try Data(contentsOf: folder.appending(path: "theirs.kdbx")))
            let found = try Import(bytes, password: Self.password)
            let expected = try Import(own: "keepass/generated_keepass2.xml")
            #expect(!found.records.isEmpty)
            #expect(Self.sorted(found.records) == Self.sorted(expected.records))
        }
    }

    private func withFolder(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "keyway-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder)
    }

    private func keepassxc(_ arguments: [String], in folder: URL, _ input: String) throws -> Data {
        let process = Process()
        let (stdin, stdout) = (Pipe(), Pipe())
        process.executableURL = URL(filePath: "/usr/bin/keepassxc-cli")
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.standardInput = stdin
        process.standardOutput = stdout
        process.environment = [
            "HOME": folder.path, "XDG_CONFIG_HOME": folder.path, "LC_ALL": "C.UTF-8", "QT_QPA_PLATFORM": "offscreen",
        ]
        try process.run()
        // So little that it fits the pipe.
        try stdin.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try stdin.fileHandleForWriting.close()
        let data = try stdout.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return data
    }
}
