import FoundationEssentials
import Glibc
import KeywayCrypto
import Testing

@testable import Vault

/// Copies of the vault: whole, checked, and put in its place without a moment in which there is none.
@Suite struct VaultCopyTests {
    let test: TestVault
    let vault: UnlockedVault

    init() throws {
        test = try TestVault()
        vault = try test.unlock()
        for number in 0..<5 { try vault.add(ItemDraft(title: "item \(number)", password: secret("pw \(number)"))) }
    }

    /// What lies in the folder of the vault, the vault itself and SQLite's journal aside.
    private func besides() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: VaultFile.folder(of: test.path))
            .filter { $0 != "test.vault" && $0 != "test.vault-journal" }
    }

    @Test func aCopyHoldsWhatTheVaultHoldsAndIsGoneWithItsOwner() throws {
        var copy: VaultCopy? = try vault.copy(beside: test.path).copy
        let found = try #require(try copy?.check(with: test.key))
        #expect(found.items == 5)
        #expect(try found.epoch == vault.epoch)
        #expect(found.vault == vault.id)
        var status = stat()
        #expect(stat(try #require(copy?.path), &status) == 0 && status.st_mode & 0o777 == 0o600)
        copy = nil
        #expect(try besides().isEmpty)
    }

    @Test func aCopyIsOfOneStateAlthoughTheVaultGoesOn() throws {
        let (copy, key) = try vault.copy(beside: test.path)
        try vault.add(ItemDraft(title: "later"))
        #expect(try copy.check(with: key).items == 5)
    }

    @Test func aLockedVaultIsCopiedAndItsStructureChecked() throws {
        vault.lock()
        let copy = try LockedVault.open(at: test.path, environment: test.environment).copy(beside: test.path)
        #expect(try copy.checkStructure() == 5)
        #expect(try copy.check(with: test.key).items == 5)
    }

    @Test func nothingThatWasRemovedIsInACopy() throws {
        let removed = try vault.add(ItemDraft(title: "gone", password: secret("gone")))
        let record = try #require(try SQLiteStore(path: test.path).record(of: removed))
        try vault.remove(removed)
        let copy = try vault.copy(beside: test.path).copy
        let bytes = try Data(contentsOf: URL(filePath: copy.path))
        #expect(bytes.firstRange(of: Data(record.body)) == nil)
    }

    @Test func everySealIsOpenedAndEveryLengthLookedAt() throws {
        let (copy, key) = try vault.copy(beside: test.path)
        let item = try #require(try vault.search("item 3").first).id
        let record = try #require(try SQLiteStore(path: copy.path).record(of: item))
        var bytes = try Data(contentsOf: URL(filePath: copy.path))
        let place = try #require(bytes.firstRange(of: Data(record.body)))
        bytes[place.lowerBound + 40] ^= 1
        try bytes.write(to: URL(filePath: copy.path))
        #expect(try copy.checkStructure() == 5, "which a look without a key cannot see")
        #expect(code { _ = try copy.check(with: key) } == .damaged)
    }

    @Test(arguments: [0, 99, 512, 4096, 9000])
    func aTruncatedCopyIsDamaged(length: Int) throws {
        let copy = try vault.copy(beside: test.path).copy
        try Data(contentsOf: URL(filePath: copy.path)).prefix(length).write(to: URL(filePath: copy.path))
        #expect(code { _ = try copy.checkStructure() } == .damaged)
    }

    @Test func aCopyTakesThePlaceAndTheFormerVaultIsKept() throws {
        let copy = try vault.copy(beside: test.path).copy
        try vault.add(ItemDraft(title: "later"))
        vault.lock()
        let before = try test.bytes()
        let (former, count) = try copy.takePlace(of: test.path, stamp: "now") {
            try test.unlock(acceptingRollback: true).count
        }
        #expect(count == 5)
        #expect(try Data(contentsOf: URL(filePath: try #require(former))) == before)
        #expect(former == test.path + ".before-restore-now")
    }

    @Test func theNameOfAFormerVaultIsNeverTakenFromAnother() throws {
        vault.lock()
        var names: [String] = []
        for _ in 0..<3 {
            let copy = try LockedVault.open(at: test.path, environment: test.environment).copy(beside: test.path)
            names.append(try #require(try copy.takePlace(of: test.path, stamp: "now") {}.former))
        }
        #expect(Set(names).count == 3)
        #expect(try besides().count == 3)
    }

    @Test func whereOpeningFailsTheFormerVaultIsBackAndNothingElseIsLeft() throws {
        let copy = try vault.copy(beside: test.path).copy
        try vault.add(ItemDraft(title: "later"))
        vault.lock()
        let before = try test.bytes()
        #expect(
            code {
                _ = try copy.takePlace(of: test.path, stamp: "now") {
                    // Whoever opened it may have left a journal, which belongs to no other file.
                    try Data(repeating: 1, count: 600).write(to: URL(filePath: test.path + "-journal"))
                    throw VaultError(.storageFull, "full")
                }
            } == .storageFull)
        #expect(try test.bytes() == before)
        #expect(!FileManager.default.fileExists(atPath: test.path + "-journal"))
        #expect(try besides().isEmpty)
        #expect(try test.unlock().count == 6)
    }

    @Test func whereThereIsNoVaultACopyBecomesItOrNothingIsThere() throws {
        let copy = try vault.copy(beside: test.path).copy
        vault.lock()
        try FileManager.default.removeItem(atPath: test.path)
        #expect(
            code { _ = try copy.takePlace(of: test.path, stamp: "now") { throw VaultError(.storage, "no") } }
                == .storage)
        #expect(!FileManager.default.fileExists(atPath: test.path))
    }

    @Test func whatACrashLeftOfCopiesIsRemoved() throws {
        let left = try VaultFile.makeDraft(of: test.path, random: TestRandom(), ending: VaultFile.copyEnding)
        #expect(try besides().count == 1)
        vault.lock()
        _ = try test.unlock()
        #expect(FileManager.default.fileExists(atPath: left), "an unlock leaves alone what a backup is made from")
        VaultCopy.removeLeft(beside: test.path)
        #expect(try besides().isEmpty)
    }
}
