import Authenticator
import FoundationEssentials
import KeywayCrypto
import Testing

@testable import Vault

/// Passkeys as items: kept whole, found by relying party alone, hidden and offered again, never changed by other edits.
@Suite struct PasskeyTests {
    static func passkey(
        _ relyingParty: String, id: [UInt8] = [1, 2, 3], handle: [UInt8] = [9], blob: String? = "blob",
        isBackupEligible: Bool = true
    ) -> Passkey {
        Passkey(
            identifier: id, relyingParty: relyingParty, userHandle: handle, key: secret("private key"),
            pseudoRandomSecret: secret("secret of prf"), largeBlob: blob.map(secret),
            isBackupEligible: isBackupEligible)
    }

    private let test: TestVault
    private let vault: UnlockedVault

    init() throws {
        test = try TestVault()
        vault = try test.unlock()
    }

    @discardableResult
    private func add(_ passkey: Passkey, user: String = "ada") throws -> ItemID {
        try vault.add(ItemDraft(title: passkey.relyingParty, userName: user, passkey: passkey))
    }

    private func expect(_ found: Passkey, _ wanted: Passkey) {
        #expect(found.identifier == wanted.identifier && found.relyingParty == wanted.relyingParty)
        #expect(found.userHandle == wanted.userHandle && found.key == wanted.key)
        #expect(found.pseudoRandomSecret == wanted.pseudoRandomSecret && found.largeBlob == wanted.largeBlob)
        #expect(found.isBackupEligible == wanted.isBackupEligible)
    }

    @Test(arguments: [true, false]) func keepsEveryPartOfAPasskey(isBackupEligible: Bool) throws {
        let made = Self.passkey(
            "example.com", blob: isBackupEligible ? "blob" : nil, isBackupEligible: isBackupEligible)
        let id = try add(made)
        expect(try vault.passkey(of: id), made)
        let again = try test.unlock()
        expect(try again.passkey(of: id), made)
        #expect(try again.summary(of: id).passkey?.credentialID == made.identifier)
        #expect(try again.summary(of: id).hasPassword == false)
    }

    @Test func anEditOfTheNameLeavesTheKeyAsItIs() throws {
        let made = Self.passkey("example.com")
        let id = try add(made)
        try vault.edit(id, ItemChanges(userName: "grace", notes: secret("note")))
        expect(try test.unlock().passkey(of: id), made)
    }

    @Test(arguments: ["another blob", ""]) func aBlobIsReplaced(blob: String) throws {
        let id = try add(Self.passkey("example.com"))
        try vault.edit(id, ItemChanges(largeBlob: secret(blob)))
        expect(try test.unlock().passkey(of: id), Self.passkey("example.com", blob: blob))
    }

    @Test func findsPasskeysByTheirWholeRelyingPartyAlone() throws {
        let first = try add(Self.passkey("example.com", id: [1]))
        test.clock.turnCalendar(seconds: 1)
        let second = try add(Self.passkey("example.com", id: [2], handle: [8]), user: "grace")
        try add(Self.passkey("login.example.com", id: [3]))
        try add(Self.passkey("example.co", id: [4]))
        try vault.add(ItemDraft(title: "example.com", addresses: ["example.com"]))
        #expect(try vault.passkeys(of: "example.com").map(\.id) == [first, second])
        try vault.remove(first)
        #expect(try vault.passkeys(of: "example.com").map(\.id) == [second])
        #expect(try test.unlock().passkeys(of: "example.com").map(\.id) == [second])
        #expect(try vault.passkeys(of: "").isEmpty)
    }

    @Test func whatIsNoPasskeyHasNone() throws {
        let id = try vault.add(ItemDraft(title: "password", password: secret("p")))
        #expect(code { _ = try vault.passkey(of: id) } == .notFound)
    }

    @Test func aHiddenItemIsKeptAndOfferedAgain() throws {
        let made = Self.passkey("example.com")
        let id = try add(made)
        let since = test.clock.date
        try vault.edit(id, ItemChanges(isHidden: true))
        test.clock.turnCalendar(seconds: 60)
        try vault.edit(id, ItemChanges(isHidden: true))
        let again = try test.unlock()
        #expect(try again.summary(of: id).hidden == since, "since when, not when it was said last")
        expect(try again.passkey(of: id), made)
        try again.edit(id, ItemChanges(isHidden: false))
        #expect(try test.unlock().summary(of: id).hidden == nil)
    }

    @Test func theNameThatAPersonKnowsIsKeptBesideTheNamesOfTheSite() throws {
        let made = Self.passkey("example.com")
        let id = try add(made)
        func names() throws -> [String?] {
            let summary = try test.unlock().summary(of: id)
            return [summary.userName, summary.formerName]
        }
        func rename(_ name: String) throws { try vault.edit(id, ItemChanges(userName: name, isRenamedBySite: true)) }
        try rename("grace")
        #expect(try names() == ["grace", "ada"])
        try rename("mallory")
        #expect(try names() == ["mallory", "ada"], "the first one: the site renames as often as it likes")
        try vault.edit(id, ItemChanges(tags: ["tag"], isHidden: true))
        #expect(try names() == ["mallory", "ada"], "other edits leave it")
        try rename("ada")
        #expect(try names() == ["ada", nil])
        try rename("grace")
        try vault.edit(id, ItemChanges(userName: "me"))
        #expect(try names() == ["me", nil], "who names it has no former name to go back to")
        expect(try test.unlock().passkey(of: id), made)
    }

    @Test func aSearchIsForTheKindsThatAreAskedFor() throws {
        let password = try vault.add(ItemDraft(title: "example password", password: secret("p")))
        let hidden = try vault.add(ItemDraft(title: "example old", password: secret("p")))
        try vault.edit(hidden, ItemChanges(isHidden: true))
        let passkey = try add(Self.passkey("example.com"))
        for text in ["", "example"] {
            func found(_ kinds: ItemKinds) throws -> Set<ItemID> {
                let page = try vault.search(text, of: kinds, offset: 0, limit: 10)
                #expect(page.total == page.items.count)
                return Set(page.items.map(\.id))
            }
            #expect(try found(.passwords) == [password])
            #expect(try found([.passwords, .hidden]) == [password, hidden])
            #expect(try found(.passkeys) == [passkey])
            #expect(try found(.all) == [password, hidden, passkey])
        }
    }

    @Test func refusesAPasskeyOfAnImpossibleSize() throws {
        let before = try vault.epoch
        for passkey in [
            Self.passkey(""), Self.passkey(String(repeating: "a", count: 254)), Self.passkey("example.com", id: []),
            Self.passkey("example.com", id: [UInt8](repeating: 1, count: 1024)),
            Self.passkey("example.com", handle: []),
            Self.passkey("example.com", handle: [UInt8](repeating: 1, count: 65)),
        ] {
            #expect(code { _ = try vault.add(ItemDraft(title: "t", passkey: passkey)) } == .invalid)
        }
        #expect(try vault.epoch == before)
    }

    // MARK: - The version of the format

    private func version() throws -> UInt16 {
        try test.unlock().opened().header.version
    }

    @Test func aVaultWithoutPasskeysStaysReadableByOlderPrograms() throws {
        let id = try vault.add(ItemDraft(title: "password", password: secret("p")))
        try vault.edit(id, ItemChanges(title: "other"))
        #expect(try version() == 1)
    }

    @Test func theFirstPasskeyMakesAVaultOneOfVersion2() throws {
        let old = try vault.add(ItemDraft(title: "password", password: secret("p")))
        let id = try add(Self.passkey("example.com"))
        #expect(try version() == 2)
        let again = try test.unlock()
        #expect(try again.password(of: old) == secret("p"))
        try again.remove(id)
        #expect(try version() == 2, "it never goes back")
    }

    @Test func aHiddenPasswordMakesAVaultOneOfVersion2() throws {
        let id = try vault.add(ItemDraft(title: "password", password: secret("p")))
        try vault.edit(id, ItemChanges(isHidden: true))
        #expect(try version() == 2)
    }

    /// The header and the passkey are written together, or neither is.
    @Test(arguments: 0..<3) func aFailedMigrationLeavesTheOldVault(failingWrite: Int) throws {
        let (key, store) = TamperingTests.emptyStore(seed: 5)
        let vault = try LockedVault(store, test.environment).unlock(with: key)
        let old = try vault.add(ItemDraft(title: "password", password: secret("p")))
        let before = MemoryStore(store)
        store.failingWrite = failingWrite
        #expect(code { _ = try vault.add(ItemDraft(title: "t", passkey: Self.passkey("example.com"))) } == .storageFull)
        #expect(store.headerBytes == before.headerBytes && store.manifestBytes == before.manifestBytes)
        store.failingWrite = nil
        // The vault goes on where it was, and the next try makes it.
        #expect(try vault.password(of: old) == secret("p"))
        try vault.add(ItemDraft(title: "t", passkey: Self.passkey("example.com")))
        #expect(try LockedVault(store, test.environment).unlock(with: key).passkeys(of: "example.com").count == 1)
    }

    @Test func theMasterPasswordOfAMigratedVaultStillChanges() throws {
        let path = test.folder.file("changing.vault")
        try Vault.create(at: path, password: secret("old"), derivation: .floor, environment: test.environment)
        let changing = try LockedVault.open(at: path, environment: test.environment).unlock(password: secret("old"))
        try changing.add(ItemDraft(title: "t", passkey: Self.passkey("example.com")))
        try changing.changeMasterPassword(old: secret("old"), new: secret("new"))
        let again = try LockedVault.open(at: path, environment: test.environment).unlock(password: secret("new"))
        #expect(try again.opened().header.version == 2)
        #expect(try again.passkeys(of: "example.com").count == 1)
    }

    @Test func anOlderHeaderIsNotPutBack() throws {
        let (key, store) = TamperingTests.emptyStore(seed: 6)
        let vault = try LockedVault(store, test.environment).unlock(with: key)
        let old = store.headerBytes
        try vault.add(ItemDraft(title: "t", passkey: Self.passkey("example.com")))
        store.headerBytes = old
        #expect(code { _ = try LockedVault(store, test.environment).unlock(with: key) } == .damaged)
    }
}
