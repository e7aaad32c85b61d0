import FoundationEssentials
import KeywayCrypto
import Testing

@testable import Vault

@Suite struct ItemTests {
    let test: TestVault
    let vault: UnlockedVault

    init() throws {
        test = try TestVault()
        vault = try test.unlock()
    }

    static let draft = ItemDraft(
        title: "Example", userName: "anna", password: secret("hunter2"), addresses: ["https://example.com/login"],
        notes: secret("first pet: käse"), tags: ["work", "web"],
        fields: [
            CustomField(name: "PIN", value: secret("1234"), isHidden: true),
            CustomField(name: "", value: secret(""), isHidden: false),
        ])

    @Test func keepsEverythingAboutAnItemAcrossUnlocks() throws {
        let id = try vault.add(Self.draft)
        vault.lock()
        let again = try test.unlock()
        let summary = try again.summary(of: id)
        let now = test.clock.date
        #expect(
            summary
                == ItemSummary(
                    id: id, title: "Example", userName: "anna", addresses: ["https://example.com/login"],
                    tags: ["work", "web"], created: now, modified: now))
        let body = try again.body(of: id)
        #expect(body.password == secret("hunter2"))
        #expect(body.notes == secret("first pet: käse"))
        #expect(body.fields == Self.draft.fields)
        #expect(body.history.isEmpty)
        try again.verify()
    }

    @Test func hasNoSecretsWhereNoneWereGiven() throws {
        let id = try vault.add(ItemDraft(title: "Bare", password: secret(""), notes: secret("")))
        #expect(try vault.password(of: id) == nil)
        #expect(try vault.notes(of: id) == nil)
        #expect(try vault.fields(of: id).isEmpty)
    }

    @Test func summariesSayWhetherThereIsAPassword() throws {
        let id = try vault.add(ItemDraft(title: "Bare", password: secret("")))
        func has() throws -> Bool { try test.unlock().summary(of: id).hasPassword }
        #expect(try !vault.summary(of: id).hasPassword)
        vault.lock()
        #expect(try !has())
        try test.unlock().edit(id, ItemChanges(password: secret("p")))
        #expect(try has())
        try test.unlock().edit(id, ItemChanges(title: "Still"))
        #expect(try has())
        try test.unlock().edit(id, ItemChanges(password: secret("")))
        #expect(try !has())
    }

    @Test func putsAReplacedPasswordIntoTheHistory() throws {
        let id = try vault.add(Self.draft)
        test.clock.turnCalendar(seconds: 60)
        let changed = test.clock.date
        try vault.edit(id, ItemChanges(password: secret("second")))
        test.clock.turnCalendar(seconds: 60)
        try vault.edit(id, ItemChanges(title: "Example 2", password: secret("second")))
        try vault.edit(id, ItemChanges(password: secret("third")))
        let history = try vault.history(of: id)
        #expect(history.map(\.password) == [secret("second"), secret("hunter2")])
        #expect(history.last?.replaced == changed)
        #expect(try vault.password(of: id) == secret("third"))
        #expect(try vault.fields(of: id) == Self.draft.fields)
        #expect(try vault.summary(of: id).title == "Example 2")
    }

    @Test func changesOnlyWhatIsNamed() throws {
        let id = try vault.add(Self.draft)
        try vault.edit(
            id,
            ItemChanges(userName: "berta", addresses: [], notes: secret(""), tags: ["home"], fields: []))
        let summary = try test.unlock().summary(of: id)
        #expect(summary.title == "Example" && summary.userName == "berta")
        #expect(summary.addresses.isEmpty && summary.tags == ["home"])
        let body = try vault.body(of: id)
        #expect(body.notes == nil && body.fields.isEmpty && body.password == secret("hunter2"))
    }

    @Test func keepsAtMostOneHundredPastPasswords() throws {
        let id = try vault.add(Self.draft)
        for number in 0..<105 { try vault.edit(id, ItemChanges(password: secret("password \(number)"))) }
        let history = try vault.history(of: id)
        #expect(history.count == 100)
        #expect(history.first?.password == secret("password 103"))
    }

    @Test func neverDatesAChangeBeforeTheOneBefore() throws {
        let id = try vault.add(Self.draft)
        let created = test.clock.date
        test.clock.turnCalendar(seconds: -1_000_000)
        try vault.edit(id, ItemChanges(title: "Later"))
        #expect(try vault.summary(of: id).modified == created)
        #expect(try test.unlock().summary(of: id).title == "Later")
    }

    @Test func removesAnItem() throws {
        let (id, other) = (try vault.add(Self.draft), try vault.add(ItemDraft(title: "Other")))
        try vault.remove(id)
        #expect(code { _ = try vault.summary(of: id) } == .notFound)
        #expect(code { _ = try vault.body(of: id) } == .notFound)
        #expect(code { try vault.remove(id) } == .notFound)
        #expect(code { try vault.edit(id, ItemChanges()) } == .notFound)
        let again = try test.unlock()
        #expect(try again.count == 1)
        #expect(try again.summary(of: other).title == "Other")
    }

    @Test func addsManyInOneChange() throws {
        let before = try vault.epoch
        let ids = try vault.add((0..<300).lazy.map { ItemDraft(title: "Item \($0)", password: secret("\($0)")) })
        #expect(try vault.epoch == before + 1)
        let again = try test.unlock()
        #expect(try again.count == 300)
        #expect(try again.password(of: ids[299]) == secret("299"))
    }

    @Test func addsAllOrNone() throws {
        let drafts = [ItemDraft(title: "Good"), ItemDraft(title: " \n")]
        #expect(code { try vault.add(drafts) } == .invalid)
        #expect(try vault.count == 0)
        #expect(try vault.search("").isEmpty)
        #expect(try test.unlock().count == 0)
    }

    @Test func refusesWhatIsTooLarge() throws {
        let large = SecretBytes(count: 1 << 24) { _ in }
        #expect(code { try vault.add(ItemDraft(title: "Large", notes: large)) } == .invalid)
        let fits = SecretBytes(count: 1 << 20) { _ in }
        let id = try vault.add(ItemDraft(title: "Fits", notes: fits))
        #expect(try vault.notes(of: id) == fits)
    }

    @Test func noticesAnotherWriter() throws {
        let other = try test.unlock()
        try other.add(Self.draft)
        #expect(code { try vault.add(Self.draft) } == .conflict)
        #expect(try vault.count == 0)
        #expect(try test.unlock().count == 1)
    }

    @Test func answersNothingOnceLocked() throws {
        let id = try vault.add(Self.draft)
        vault.lock()
        #expect(vault.isLocked)
        #expect(code { _ = try vault.count } == .locked)
        #expect(code { _ = try vault.search("") } == .locked)
        #expect(code { _ = try vault.find("Example") } == .locked)
        #expect(code { _ = try vault.summary(of: id) } == .locked)
        #expect(code { _ = try vault.password(of: id) } == .locked)
        #expect(code { try vault.add(Self.draft) } == .locked)
        #expect(code { try vault.edit(id, ItemChanges()) } == .locked)
        #expect(code { try vault.remove(id) } == .locked)
        #expect(code { try vault.forEachSummary { _ in } } == .locked)
        #expect(code { try vault.changeMasterPassword(old: secret("a"), new: secret("b")) } == .locked)
    }
}
