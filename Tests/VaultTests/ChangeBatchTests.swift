import KeywayCrypto
import Testing

@testable import Vault

/// Many changes that are made one by one, and together.
@Suite struct ChangeBatchTests {
    private func draft(_ title: String, notes: Int = 0) -> ItemDraft {
        ItemDraft(
            title: title, password: secret("pw of \(title)"),
            notes: notes > 0 ? SecretBytes(copying: [UInt8](repeating: 0x61, count: notes)) : nil)
    }

    private func code(_ body: () throws(VaultError) -> Void) -> VaultError.Code? {
        do { try body() } catch { return error.code }
        return nil
    }

    @Test func nothingIsThereBeforeAllOfItIs() throws {
        let test = try TestVault(seed: 60)
        let vault = try test.unlock()
        let batch = try vault.beginBatch()
        let items = [try batch.make(.add(draft("One"))), try batch.make(.add(draft("Two")))]
        #expect(try vault.count == 0)
        #expect(code { () throws(VaultError) in _ = try vault.summary(of: items[0]) } == .notFound)
        var told: UInt64?
        let epoch = try batch.commit { (number) throws(VaultError) in told = number }
        #expect(told == epoch)
        #expect(try items.map { try vault.version(of: $0) } == [epoch, epoch])
        vault.lock()
        let again = try test.unlock()
        try again.verify()
        #expect(try items.map { try again.summary(of: $0).title } == ["One", "Two"])
    }

    @Test func givenUpItLeavesTheVaultAsItWas() throws {
        let test = try TestVault(seed: 61)
        let vault = try test.unlock()
        let kept = try vault.add(draft("Kept"))
        let batch = try vault.beginBatch()
        try batch.make(.add(draft("New")))
        try batch.make(.remove(kept))
        batch.abandon()
        #expect(try vault.password(of: kept) == secret("pw of Kept"))
        #expect(code { () throws(VaultError) in try batch.make(.add(draft("Late"))) } == .locked)
        #expect(code { () throws(VaultError) in try batch.commit() } == .locked)
        // Other changes can be made again.
        try vault.add(draft("After"))
        vault.lock()
        let again = try test.unlock()
        try again.verify()
        #expect(try again.count == 2)
    }

    @Test func aLockGivesItUp() throws {
        let test = try TestVault(seed: 62)
        let vault = try test.unlock()
        let batch = try vault.beginBatch()
        try batch.make(.add(draft("New")))
        vault.lock()
        #expect(code { () throws(VaultError) in try batch.make(.add(draft("Late"))) } == .locked)
        #expect(code { () throws(VaultError) in try batch.commit() } == .locked)
        #expect(try test.unlock().count == 0)
    }

    @Test func whoeverHoldsItNoMoreHasGivenItUp() throws {
        let test = try TestVault(seed: 63)
        let vault = try test.unlock()
        do {
            let batch = try vault.beginBatch()
            try batch.make(.add(draft("New")))
        }
        try vault.add(draft("After"))
        #expect(try vault.count == 1)
    }

    @Test func whatCannotBeStoredIsLeftOutAlone() throws {
        let test = try TestVault(seed: 64)
        let vault = try test.unlock()
        let batch = try vault.beginBatch()
        try batch.make(.add(draft("One")))
        #expect(code { () throws(VaultError) in try batch.make(.add(draft(" "))) } == .invalid)
        try batch.make(.add(draft("Two")))
        try batch.commit()
        vault.lock()
        let again = try test.unlock()
        try again.verify()
        #expect(try again.count == 2)
    }

    @Test func nobodyElseChangesTheVaultMeanwhile() throws {
        let test = try TestVault(seed: 65)
        let vault = try test.unlock()
        let batch = try vault.beginBatch()
        #expect(code { () throws(VaultError) in try vault.add(draft("Other")) } == .conflict)
        try batch.make(.add(draft("One")))
        try batch.commit()
        #expect(try vault.count == 1)
    }

    @Test func anItemIsChangedOnce() throws {
        let test = try TestVault(seed: 66)
        let vault = try test.unlock()
        let item = try vault.add(draft("One"))
        let batch = try vault.beginBatch()
        try batch.make(.edit(item, ItemChanges(title: "Two")))
        #expect(code { () throws(VaultError) in try batch.make(.edit(item, ItemChanges(title: "Three"))) } == .conflict)
        #expect(code { () throws(VaultError) in try batch.commit() } == .locked, "the first failure ended all of it")
        #expect(try vault.summary(of: item).title == "One")
        try vault.verify()
    }

    @Test func whatIsChangedMeanwhileIsReadAsItWasOrNotAtAll() throws {
        let test = try TestVault(seed: 67)
        let vault = try test.unlock()
        let (edited, removed) = (try vault.add(draft("Edited")), try vault.add(draft("Removed")))
        let batch = try vault.beginBatch()
        try batch.make(.edit(edited, ItemChanges(password: secret("new"))))
        try batch.make(.remove(removed))
        #expect(try vault.password(of: edited) == secret("pw of Edited"))
        #expect(code { () throws(VaultError) in _ = try vault.password(of: removed) } == .conflict)
        try batch.commit()
        #expect(try vault.password(of: edited) == secret("new"))
        #expect(code { () throws(VaultError) in _ = try vault.password(of: removed) } == .notFound)
    }

    /// More than is held back before it is written into the open transaction.
    @Test(arguments: [true, false]) func manyLargeItemsAreStoredOrNot(isKept: Bool) throws {
        let test = try TestVault(seed: 68)
        let vault = try test.unlock()
        let batch = try vault.beginBatch()
        for number in 0..<80 { try batch.make(.add(draft("Large \(number)", notes: 200_000))) }
        #expect(try vault.count == 0)
        if isKept { try batch.commit() } else { batch.abandon() }
        vault.lock()
        let again = try test.unlock()
        try again.verify()
        #expect(try again.count == (isKept ? 80 : 0))
        #expect(try again.find("Large 79").count == (isKept ? 1 : 0))
    }

    @Test func aFullDiskLeavesTheVaultAsItWas() throws {
        let test = try TestVault(seed: 69)
        let vault = try test.unlock()
        try vault.add(draft("Kept"))
        let batch = try vault.beginBatch()
        try batch.make(.add(draft("New")))
        let full = VaultError(.storageFull, "test")
        #expect(
            code { () throws(VaultError) in try batch.commit { (_) throws(VaultError) in throw full } } == .storageFull)
        #expect(try vault.count == 1)
        vault.lock()
        #expect(try test.unlock().count == 1)
    }
}
