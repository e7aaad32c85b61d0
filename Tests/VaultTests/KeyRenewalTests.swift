import ClockTestSupport
import FoundationEssentials
import Glibc
import KeywayCrypto
import Testing

@testable import Vault

/// A vault key that was renewed: the former one opens nothing that is there now.
@Suite struct KeyRenewalTests {
    let folder: TemporaryFolder
    let path: String
    let epochs = TestEpochs()
    let environment: VaultEnvironment

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("data/test.vault")
        environment = VaultEnvironment(epochs: epochs, random: TestRandom(seed: 77), clock: ManualClock.ofVectors())
        try Vault.create(at: path, password: secret("old"), derivation: .floor, environment: environment)
    }

    private func unlock(_ password: String) throws(VaultError) -> UnlockedVault {
        try LockedVault.open(at: path, environment: environment).unlock(password: secret(password))
    }

    /// A vault with items of all sizes, some of which were changed and removed.
    private func filled() throws -> (vault: UnlockedVault, items: [ItemID]) {
        let vault = try unlock("old")
        let items = try vault.add(
            (0..<60).map { number in
                let notes = String(repeating: "note \(number) ", count: number % 7 == 0 ? 9000 : number)
                return ItemDraft(title: "item \(number)", password: secret("password \(number)"), notes: secret(notes))
            })
        for item in items.prefix(20) { try vault.edit(item, ItemChanges(password: secret("changed"))) }
        for item in items.suffix(10) { try vault.remove(item) }
        return (vault, items.dropLast(10))
    }

    private func content() throws -> [String: [UInt8]] {
        let folder = VaultFile.folder(of: path)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        return try Dictionary(
            uniqueKeysWithValues: names.map {
                ($0, Array(try Data(contentsOf: URL(filePath: "\(folder)/\($0)"))))
            })
    }

    @Test func everyItemIsThereAfterwards() throws {
        let (vault, items) = try filled()
        try vault.edit(items[3], ItemChanges(title: "renamed"))
        try vault.changeMasterPassword(old: secret("old"), new: secret("new"))
        for vault in [vault, try unlock("new")] {
            try vault.verify()
            #expect(try vault.count == items.count)
            #expect(try vault.summary(of: items[3]).title == "renamed")
            #expect(try vault.history(of: items[0]).count == 1)
            #expect(try vault.password(of: items[30]) == secret("password 30"))
        }
        #expect(code { _ = try unlock("old") } == .wrongPassword)
        // It goes on as before.
        let added = try vault.add(ItemDraft(title: "after", password: secret("after")))
        try vault.remove(items[1])
        #expect(try unlock("new").password(of: added) == secret("after"))
    }

    @Test func theFormerKeyOpensNothingThatIsThereNow() throws {
        let (vault, items) = try filled()
        let former = try vault.opened().keys
        let sealed = try items.map { try #require(try vault.store.record(of: $0)) }
        try vault.changeMasterPassword(old: secret("old"), new: secret("new"))
        #expect(try former.rootBytes != vault.opened().keys.rootBytes)
        #expect(code { _ = try former.openManifest(try vault.store.manifest()) } == .damaged)
        #expect(try !VaultHeader.isAuthentic(vault.store.header(), under: former.header))
        for (item, before) in zip(items, sealed) {
            let record = try #require(try vault.store.record(of: item))
            #expect(record.version == before.version)
            #expect(code { _ = try former.openBody(record) } == .damaged)
            #expect(code { _ = try former.foreignFields(record) } == .damaged)
        }
        // Also no fragment of what was sealed before, in pages that are in use or free, or beside the file.
        let pieces = Set(
            sealed.flatMap { record in
                [record.summary, record.body].flatMap { half in
                    stride(from: 0, to: half.count - 16, by: 16).map { Array(half[$0..<$0 + 16]) }
                }
            })
        let files = try content()
        #expect(Array(files.keys) == ["test.vault"])
        for bytes in files.values {
            #expect(!(0..<bytes.count - 16).contains { pieces.contains(Array(bytes[$0..<$0 + 16])) })
        }
    }

    @Test func anOlderCopyOpensOnlyWhatItHeldAndIsNoticed() throws {
        let (vault, _) = try filled()
        let older = try Data(contentsOf: URL(filePath: path))
        try vault.changeMasterPassword(old: secret("old"), new: secret("new"))
        try vault.add(ItemDraft(title: "later"))
        try older.write(to: URL(filePath: path))
        #expect(code { _ = try unlock("old") } == .rolledBack)
        #expect(code { _ = try unlock("new") } == .wrongPassword)
    }

    @Test func theKeyIsRenewedAloneWithTheSamePassword() throws {
        let (vault, items) = try filled()
        let former = try vault.opened().keys.rootBytes
        try vault.changeMasterPassword(old: secret("old"), new: secret("old"))
        #expect(try vault.opened().keys.rootBytes != former)
        #expect(try unlock("old").count == items.count)
    }

    @Test(arguments: 0..<8)
    func aWriteThatFailsChangesNothing(number: Int) throws {
        let (key, store) = try TamperingTests.emptyStoreWithPassword()
        let environment = VaultEnvironment(epochs: TestEpochs())
        let vault = try LockedVault(store, environment).unlock(with: key)
        try vault.add((0..<6).map { ItemDraft(title: "item \($0)", password: secret("p")) })
        let before = MemoryStore(store)
        store.failingWrite = number
        let outcome = code { try vault.changeMasterPassword(old: secret("old"), new: secret("new")) }
        store.failingWrite = nil
        #expect(outcome == (number < 7 ? .storageFull : nil))
        if number < 7 {
            #expect(store.headerBytes == before.headerBytes && store.manifestBytes == before.manifestBytes)
            #expect(store.rows.elementsEqual(before.rows) { $0 == $1 })
        }
        // The vault goes on where it is, and so does the file.
        try vault.verify()
        try vault.add(ItemDraft(title: "after"))
        #expect(try LockedVault(store, environment).unlock(password: secret(number < 7 ? "old" : "new")).count == 7)
    }

    @Test func nothingIsChangedWhileItLasts() throws {
        let (vault, items) = try filled()
        let change = try vault.prepareMasterPasswordChange()
        let renewal = try vault.renewal(to: try change.derive(old: secret("old"), new: secret("new")))
        #expect(try !renewal.step(7))
        #expect((renewal.done, renewal.total) == (7, items.count))
        #expect(try vault.password(of: items[40]) == secret("password 40"), "what is there can be read")
        #expect(throws: VaultError.self) { try vault.add(ItemDraft(title: "meanwhile")) }
        renewal.abandon()
        #expect(try content().keys.allSatisfy { !$0.hasSuffix(".new") })
        try vault.add(ItemDraft(title: "afterwards"))
        #expect(try unlock("old").count == items.count + 1)
    }

    @Test func aLockGivesItUp() throws {
        let (vault, items) = try filled()
        let change = try vault.prepareMasterPasswordChange()
        let renewal = try vault.renewal(to: try change.derive(old: secret("old"), new: secret("new")))
        #expect(try !renewal.step(7))
        vault.lock()
        #expect(code { _ = try renewal.step(7) } == .locked)
        #expect(code { try renewal.finish() } == .locked)
        #expect(Array(try content().keys) == ["test.vault"])
        #expect(try unlock("old").count == items.count)
    }

    @Test func whoElseHasTheFileOpenFindsThatItMoved() throws {
        let (vault, items) = try filled()
        let other = try unlock("old")
        try vault.changeMasterPassword(old: secret("old"), new: secret("new"))
        #expect(code { _ = try other.add(ItemDraft(title: "lost")) } == .conflict)
        #expect(try unlock("new").count == items.count)
    }

    @Test(arguments: [true, false])
    func aFileThatSomebodyRearrangedIsNotSealedAnew(isItemGone: Bool) throws {
        let (key, store) = try TamperingTests.emptyStoreWithPassword()
        let vault = try LockedVault(store, VaultEnvironment(epochs: TestEpochs())).unlock(with: key)
        try vault.add((0..<6).map { ItemDraft(title: "item \($0)", password: secret("p")) })
        if isItemGone { store.rows.removeFirst() } else { store.rows[2].row.body = [] }
        let header = store.headerBytes
        #expect(code { try vault.changeMasterPassword(old: secret("old"), new: secret("new")) } == .damaged)
        #expect(store.headerBytes == header)
    }

    @Test func aDraftThatACrashLeftIsRemoved() throws {
        let (vault, _) = try filled()
        vault.lock()
        let draft = "\(path).\(ItemID(random: SystemRandomSource())).new"
        let strange = "\(path).notes.new"
        for file in [draft, draft + "-journal", strange] { try Data("x".utf8).write(to: URL(filePath: file)) }
        try unlock("old").lock()
        #expect(Set(try content().keys) == ["test.vault", "test.vault.notes.new"], "what is not ours stays")
    }

    @Test func aLinkToTheFileStaysALink() throws {
        let (first, items) = try filled()
        first.lock()
        let link = folder.file("link.vault")
        #expect(symlink(path, link) == 0)
        let vault = try LockedVault.open(at: link, environment: environment).unlock(password: secret("old"))
        try vault.changeMasterPassword(old: secret("old"), new: secret("new"))
        try vault.add(ItemDraft(title: "after"))
        var status = stat()
        #expect(lstat(link, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        #expect(try unlock("new").count == items.count + 1)
    }
}
