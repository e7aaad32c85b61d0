import ClockTestSupport
import KeywayCrypto
import Testing

@testable import Vault

@Suite struct SearchTests {
    let test: TestVault
    let vault: UnlockedVault

    init() throws {
        test = try TestVault()
        vault = try test.unlock()
        try vault.add([
            ItemDraft(
                title: "GitHub", userName: "anna@example.org", password: secret("needle"),
                addresses: ["https://github.com/login"], notes: secret("needle"), tags: ["code"]),
            ItemDraft(title: "Git server", userName: "anna", addresses: ["git.example.net"]),
            ItemDraft(title: "Mail", userName: "ANNA@EXAMPLE.ORG", tags: ["Straße", "digital"]),
            ItemDraft(title: "Crédit Agricole", userName: "Łukasz"),
            ItemDraft(title: "Банк ΣΟΦΟΣ", userName: "東京"),
        ])
    }

    @Test(arguments: [
        ("github", ["GitHub"]),
        ("GIT", ["Git server", "GitHub", "Mail"]),
        ("anna example", ["Git server", "GitHub", "Mail"]),
        ("example.org anna", ["GitHub", "Mail"]),
        ("code anna", ["GitHub"]),
        ("strasse", ["Mail"]),
        ("STRASSE", ["Mail"]),
        ("credit", ["Crédit Agricole"]),
        ("CRÉDIT agri", ["Crédit Agricole"]),
        ("cre\u{301}dit", ["Crédit Agricole"]),
        ("lukasz", ["Crédit Agricole"]),
        ("банк", ["Банк ΣΟΦΟΣ"]),
        ("σοφος", ["Банк ΣΟΦΟΣ"]),
        ("東", ["Банк ΣΟΦΟΣ"]),
        ("needle", []),
        ("git nothing", []),
        ("github.com/loginx", []),
    ])
    func findsWhatHasEveryWord(query: String, titles: [String]) throws {
        #expect(try vault.search(query).map(\.title) == titles)
    }

    @Test func matchesEverythingWithoutWords() throws {
        #expect(try vault.search(" \t").count == 5)
        #expect(try vault.search("", limit: 2).map(\.title) == ["Crédit Agricole", "Git server"])
        #expect(try vault.search("", limit: 0).isEmpty)
        let page = try vault.search("", offset: 1, limit: 2)
        let all = try vault.search("").map(\.title)
        #expect(page.items.map(\.title) == Array(all[1...2]) && page.total == 5)
        #expect(try vault.search("", offset: 9, limit: .max).items.isEmpty)
    }

    @Test func findsNothingAcrossTheBorderOfFieldsOrItems() throws {
        #expect(try vault.search("githubanna").isEmpty)
        #expect(try vault.search("codegit").isEmpty)
    }

    @Test func givesTheBestOfMany() throws {
        try vault.add((0..<500).lazy.map { ItemDraft(title: "Site \($0 / 100 * 100 + 99 - $0 % 100) git") })
        let all = try vault.search("git")
        #expect(all.count == 503)
        for limit in [1, 2, 3, 50, 503, 1000] {
            #expect(try vault.search("git", limit: limit) == Array(all.prefix(limit)))
        }
        #expect(all.prefix(2).map(\.title) == ["Git server", "GitHub"])
        #expect(all.last?.title == "Mail")
    }

    @Test func findsByTitleInAnyCaseOrByIdentifier() throws {
        let github = try #require(try vault.find("github").first)
        #expect(github.title == "GitHub")
        #expect(try vault.find(github.id.description) == [github])
        #expect(try vault.find("git").isEmpty)
        try vault.add(ItemDraft(title: "GITHUB"))
        #expect(try vault.find("GitHub").count == 2)
    }

    @Test func forgetsWhatChanged() throws {
        let id = try #require(try vault.find("mail").first?.id)
        try vault.edit(id, ItemChanges(title: "Post"))
        #expect(try vault.find("mail").isEmpty)
        #expect(try vault.search("mail").isEmpty)
        #expect(try vault.search("post").map(\.id) == [id])
        try vault.remove(id)
        #expect(try vault.search("post").isEmpty)
    }

    @Test func listsEveryItemOnce() throws {
        var titles: [String] = []
        try vault.forEachSummary { titles.append($0.title) }
        #expect(titles.sorted() == ["Crédit Agricole", "Git server", "GitHub", "Mail", "Банк ΣΟΦΟΣ"])
    }
}

@Suite struct SearchIndexTests {
    /// The fields of a summary with a title of about `size` bytes.
    private func fields(_ title: String) -> SecretBytes {
        let buffer = SecretBuffer()
        ItemSummary(
            id: ItemID(random: TestRandom()), title: title, userName: "user", addresses: [], tags: [],
            created: ManualClock.ofVectors().date, modified: ManualClock.ofVectors().date
        ).encode(into: buffer)
        return buffer.finish()
    }

    @Test func staysRightAndSmallOverManyChanges() throws {
        let random = TestRandom(seed: 5)
        let index = SearchIndex(capacity: 0)
        var model: [ItemID: String] = [:]
        for step in 1...6_000 {
            let known = model.keys.randomElement()
            let id = step % 3 == 0 ? known ?? ItemID(random: random) : ItemID(random: random)
            if step % 5 == 0 || model.count > 300, let known {
                index.remove(known)
                model[known] = nil
            } else {
                let title = "Title \(step) \(String(repeating: "x", count: step % 200))"
                try fields(title).withUnsafeBytes { try index.put(id, version: UInt64(step), summary: $0) }
                model[id] = title
            }
        }
        #expect(index.count == model.count)
        for (id, title) in model {
            #expect(try index.summary(of: id)?.title == title)
            #expect(index.entries(titled: title.uppercased()).count == 1)
        }
        #expect(Set(index.search("title", limit: .max).entries.map { index.entries[$0].id }) == Set(model.keys))
        #expect(index.foldedTexts.chunks.count <= 2)
    }

    @Test func takesTextsLargerThanARegion() throws {
        let index = SearchIndex(capacity: 1)
        let id = ItemID(random: TestRandom())
        let title = String(repeating: "long ", count: 500_000) + "end"
        try fields(title).withUnsafeBytes { try index.put(id, version: 1, summary: $0) }
        #expect(index.search("end", limit: 5).entries.count == 1)
        #expect(try index.summary(of: id)?.title == title)
    }

    @Test func wipesTextsThatAreTakenAway() throws {
        let arena = TextArena(keepsOwners: true)
        let text = Array("some text".utf8).withUnsafeBytes { arena.append($0, owner: 0) }
        arena.remove(text)
        #expect(text.allSatisfy { $0 == 0 })
    }
}
