import FoundationEssentials
import KeywayCrypto
import KeywaySQLite
import Testing

@testable import Vault

/// T25 and T28 on the file as a whole.
@Suite struct FileTamperingTests {
    let test: TestVault
    let items: [ItemID]

    init() throws {
        test = try TestVault(seed: 21)
        items = try test.unlock().add([
            ItemDraft(title: "first", password: secret("one")), ItemDraft(title: "second", password: secret("two")),
        ])
    }

    @Test func showsNothingElseWhateverByteIsAltered() throws {
        let original = try test.bytes()
        var refused = 0
        // The head of the file, and a sample of the rest; `TamperingTests` flips every bit of what is sealed.
        for offset in Array(0..<100) + Array(stride(from: 100, to: original.count, by: 19)) {
            var bytes = original
            bytes[offset] ^= 1 << UInt8(offset % 8)
            try test.replace(bytes)
            do throws(VaultError) {
                let vault = try test.unlock()
                try vault.verify()
                #expect(try vault.count == 2)
                #expect(try vault.password(of: items[0]) == secret("one"), "byte \(offset)")
                #expect(try vault.summary(of: items[1]).title == "second", "byte \(offset)")
            } catch {
                refused += 1
                #expect(error.code == .damaged || error.code == .storage, "byte \(offset): \(error)")
                #expect(error.place == test.path)
            }
            #expect(try test.bytes() == bytes, "byte \(offset): the file is left as it is")
        }
        // Most of the file is in use; what is not noticed lies in the free room of pages.
        #expect(refused > 100)
    }

    @Test func refusesEveryTruncationOfTheFile() throws {
        let original = try test.bytes()
        for count in stride(from: 0, to: original.count, by: 101) {
            try test.replace(original.prefix(count))
            #expect(code { try test.unlock().verify() } == .damaged, "\(count) bytes")
            #expect(try test.bytes().count == count)
        }
    }

    @Test(arguments: ["", "this is no vault", String(repeating: "x", count: 10_000)])
    func refusesOtherFiles(content: String) throws {
        try test.replace(Data(content.utf8))
        #expect(code { _ = try test.unlock() } == .damaged)
    }

    @Test func saysThatThereIsNoFile() throws {
        try FileManager.default.removeItem(atPath: test.path)
        #expect(code { _ = try test.unlock() } == .notFound)
    }

    @Test(arguments: [
        "CREATE TRIGGER t AFTER INSERT ON summary BEGIN DELETE FROM body; END",
        "CREATE VIEW v AS SELECT * FROM summary", "CREATE TABLE more(a)", "CREATE INDEX i ON summary(version)",
        "DROP TABLE body", "DELETE FROM manifest", "DELETE FROM header",
        "UPDATE body SET sealed = (SELECT sealed FROM summary)", "DELETE FROM body",
        "UPDATE body SET version = version + 1",
        "UPDATE summary SET version = 'text'", "UPDATE summary SET sealed = 5",

        "UPDATE summary SET item = zeroblob(3) WHERE item = (SELECT min(item) FROM summary)",
        "PRAGMA application_id = 1", "PRAGMA journal_mode = WAL",
    ])
    func refusesAFileThatSomebodyRearranged(sql: String) throws {
        do {
            let database = try Database(path: test.path, access: .readWrite)
            try database.execute(sql)
        }
        let bytes = try test.bytes()
        #expect(code { try test.unlock().verify() } == .damaged)
        #expect(try test.bytes() == bytes)
    }

    @Test func hasTheSameSizeForAByteMoreOrLess() throws {
        func size(_ draft: ItemDraft) throws -> Int {
            let test = try TestVault(seed: 5)
            let vault = try test.unlock()
            let id = try vault.add(draft)
            let sizes = try #require(try vault.store.record(of: id))
            #expect(sizes.summary.count == 256 + 40)
            return try test.bytes().count + sizes.body.count
        }
        let short = ItemDraft(title: "a", password: secret("a"))
        let long = ItemDraft(
            title: "a longer title", userName: "with.a.name@example.com", password: secret("and a long password"),
            addresses: ["https://www.example.com/login"], notes: secret("and a note"), tags: ["tag"])
        #expect(try size(short) == size(long))
    }

    @Test(arguments: [(0, 256), (1, 256), (256, 256), (257, 512), (512, 512), (513, 1024), (1 << 24, 1 << 24)])
    func padsToPowersOfTwo(count: Int, padded: Int) {
        #expect(SizeClass.padded(count) == padded)
        #expect(SizeClass.contains(padded))
        #expect(!SizeClass.contains(padded + 1))
    }

    @Test func sealsTheSameContentDifferentlyEachTime() throws {
        let vault = try test.unlock()
        let record = try #require(try vault.store.record(of: items[0]))
        try vault.edit(items[0], ItemChanges())
        let again = try #require(try vault.store.record(of: items[0]))
        #expect(record.body != again.body && record.summary != again.summary)
        #expect(Set(record.body.suffix(200)).count > 50)
    }
}
