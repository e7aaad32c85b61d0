import FoundationEssentials
import Glibc
import KeywayCrypto
import Testing

@testable import Vault

/// T26: an older copy of the file is noticed.
@Suite struct RollbackTests {
    let test: TestVault

    init() throws { test = try TestVault() }

    @Test func noticesAnOlderCopy() throws {
        let vault = try test.unlock()
        try vault.add(ItemDraft(title: "first"))
        let older = try test.bytes()
        try vault.add(ItemDraft(title: "second"))
        vault.lock()
        let newer = try test.bytes()
        try test.replace(older)
        #expect(code { _ = try test.unlock() } == .rolledBack)
        #expect(try test.bytes() == older)
        try test.replace(newer)
        #expect(try test.unlock().count == 2)
    }

    @Test func goesOnFromAnOlderCopyThatAPersonAccepts() throws {
        let vault = try test.unlock()
        let id = try vault.add(ItemDraft(title: "first"))
        let older = try test.bytes()
        for number in 0..<5 { try vault.edit(id, ItemChanges(title: "first \(number)")) }
        let newest = try vault.epoch
        let abandoned = try test.bytes()
        try test.replace(older)
        let accepted = try test.unlock(acceptingRollback: true)
        #expect(try accepted.epoch > newest, "no version is used twice")
        #expect(try accepted.summary(of: id).title == "first")
        try accepted.edit(id, ItemChanges(title: "other"))
        #expect(try test.unlock().summary(of: id).title == "other")
        try test.replace(abandoned)
        #expect(code { _ = try test.unlock() } == .rolledBack, "the abandoned state is the older one now")
    }

    @Test func tellsNothingWhereTheVaultWasNeverSeen() throws {
        let vault = try test.unlock()
        try vault.add(ItemDraft(title: "first"))
        let elsewhere = VaultEnvironment(epochs: TestEpochs())
        #expect(try LockedVault.open(at: test.path, environment: elsewhere).unlock(with: test.key).count == 1)
    }

    @Test func notesEachChangeInAFolder() throws {
        let folder = EpochFolder(test.folder.file("state/epochs"))
        let environment = VaultEnvironment(epochs: folder)
        let vault = try LockedVault.open(at: test.path, environment: environment).unlock(with: test.key)
        for _ in 0..<12 {
            try vault.add(ItemDraft(title: "item"))
            #expect(try folder.newest(of: vault.id) == vault.epoch)
        }
        #expect(vault.epochMemoryError == nil)
        let file = test.folder.file("state/epochs/\(vault.id).epoch")
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "00000000000000000013\n")
        var status = stat()
        #expect(stat(file, &status) == 0 && status.st_mode & 0o777 == 0o600)
    }

    @Test(arguments: [
        "", "12", "0000000000000000001x\n", "00000000000000000001\nmore", "99999999999999999999\n",
        "18446744073709551614\n",
    ])
    func asksWhereTheNoteCannotBeRead(content: String) throws {
        let folder = EpochFolder(test.folder.file("state"))
        let environment = VaultEnvironment(epochs: folder)
        let locked = try LockedVault.open(at: test.path, environment: environment)
        _ = try locked.unlock(with: test.key)
        try Data(content.utf8).write(to: URL(filePath: test.folder.file("state/\(locked.id).epoch")))
        #expect(code { _ = try locked.unlock(with: test.key) } == .rolledBack)
        _ = try locked.unlock(with: test.key, acceptingRollback: true)
        #expect(try locked.unlock(with: test.key).count == 0)
    }

    @Test func confirmsAChangeAlsoWhereItCannotBeNoted() throws {
        let blocked = test.folder.file("blocked")
        try Data().write(to: URL(filePath: blocked))
        let environment = VaultEnvironment(epochs: EpochFolder(blocked + "/below"))
        let locked = try LockedVault.open(at: test.path, environment: environment)
        #expect(code { _ = try locked.unlock(with: test.key) } == .rolledBack)
        let vault = try locked.unlock(with: test.key, acceptingRollback: true)
        try vault.add(ItemDraft(title: "kept"))
        #expect(vault.epochMemoryError?.code == .storage)
        #expect(try test.unlock().count == 1)
    }
}
