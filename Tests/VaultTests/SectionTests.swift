import Authenticator
import FoundationEssentials
import KeywayCrypto
import Testing

@testable import Vault

/// Sections of items: each kept whole with its secrets, what nobody understands carried along byte for byte.
@Suite struct SectionTests {
    static let timed = StoredCode(
        CodeRecord(kind: .totp(period: 60), algorithm: .sha512, digits: 8, issuer: "Example", account: "ada"),
        secret: secret("12345678901234567890"))
    static let counted = StoredCode(
        CodeRecord(kind: .hotp(counter: 7), algorithm: .sha256, digits: 6, account: "ada"), secret: secret("counted"))
    static let steam = StoredCode(CodeRecord(kind: .steam, issuer: "Steam"), secret: secret("steam"))
    static let file = StoredFile(name: "codes.txt", mediaType: "text/plain", content: secret("1111\n2222\n"))
    static let card = ItemSection(
        .creditCard,
        [
            SectionMember("cardType", text: "Visa", kind: .text),
            SectionMember("number", .concealed, secret("4111111111111111")),
            SectionMember("expiryDate", text: "2029-04", kind: .yearMonth),
        ])
    static let questions: ItemSection = {
        var mail = SectionMember("fields", .email, secret("me@example.com"), label: "Recovery mail")
        (mail.identifier, mail.extensions) = ([1, 2, 3], #"[{"name":"example/x"}]"#)
        var odd = SectionMember("fields", .concealed, secret("?"), label: "Odd")
        odd.foreignType = "retina-scan"
        return ItemSection(
            .customFields,
            [
                SectionMember("label", text: "Security questions"), mail, odd,
                SectionMember("fields", .date, secret("2026-02-28"), label: "Since"),
            ])
    }()
    static let loyalty = ItemSection(
        SectionType(rawValue: "vendor.example/loyalty-card"),
        [SectionMember("number", text: "123"), SectionMember("nested", .json, secret(#"{"a":[1,{"b":null}]}"#))])

    static var all: [ItemSection] {
        [
            timed.section, counted.section, steam.section, file.section, card, questions, loyalty,
            ItemSection(PasskeyTests.passkey("example.com", id: [5]), userName: "ada", displayName: "Ada"),
            ItemSection(PasskeyTests.passkey("example.org", id: [6], blob: nil), userName: "ada"),
        ]
    }

    /// What the vault of the vectors has beside that of version 2.
    static func fill(_ vault: UnlockedVault) throws {
        let draft = ItemDraft(
            title: "Everything", userName: "ada", password: secret("p"),
            marks: ItemMarks(isFavorite: true, use: .basic, source: .imported), subtitle: "beside a password",
            sections: all)
        let item = try vault.add(draft)
        try vault.edit(item, ItemChanges(sections: [.remove(4), .replace(2, counted.section), .add(card)]))
        try newer(in: vault)
    }

    /// An item with sections that a newer version wrote, as nobody of this version can.
    @discardableResult
    static func newer(in vault: UnlockedVault) throws -> ItemID {
        let (contents, id) = (try vault.opened(), ItemID(random: vault.environment.random))
        var summary = ItemSummary(
            id: id, title: "Newer", userName: "", addresses: [], tags: [], created: Date(timeIntervalSince1970: 0),
            modified: Date(timeIntervalSince1970: 0))
        summary.sections = [
            SectionHead(number: 2, type: .totp, version: 2, content: [0, 9, 255]),
            SectionHead(number: 5, type: SectionType(rawValue: "hologram"), version: 40, content: []),
        ]
        let sealer = RecordSealer(contents.keys, vault.environment.random)
        try vault.change(format: sealer.formatVersion) { (writer, manifest) throws(VaultError) in
            let record = try sealer.seal(summary, version: manifest.epoch) { buffer in
                for number: UInt8 in [2, 5] {
                    [number, 0, 0, 1, 2, 3, number].withUnsafeBytes { buffer.append(tag: BodyTag.section, $0) }
                }
            }
            try writer.put(record)
            manifest.count += 1
            manifest.records.add(sealer.element(of: record))
        }
        try sealer.fields.lend { (bytes) throws(VaultError) in
            try contents.index.put(id, version: try vault.epoch, summary: bytes)
        }
        return id
    }

    private let test: TestVault
    private let vault: UnlockedVault

    init() throws {
        test = try TestVault()
        vault = try test.unlock()
    }

    private func sections(of item: ItemID, in vault: UnlockedVault) throws -> [ItemSection] {
        try vault.summary(of: item).sections.map { try vault.section($0.number, of: item) }
    }

    // MARK: - What is kept

    @Test func keepsEverySectionAcrossUnlocksEditsAndANewKey() throws {
        let item = try vault.add(ItemDraft(title: "t", password: secret("p"), sections: Self.all))
        #expect(try vault.opened().header.version == 3)
        #expect(try sections(of: item, in: test.unlock()) == Self.all)
        let again = try test.unlock()
        try again.edit(item, ItemChanges(title: "u", password: secret("q"), notes: secret("n"), isHidden: true))
        #expect(try sections(of: item, in: again) == Self.all)
        let path = test.folder.file("renewed.vault")
        try Vault.create(at: path, password: secret("old"), derivation: .floor, environment: test.environment)
        let renewed = try LockedVault.open(at: path, environment: test.environment).unlock(password: secret("old"))
        let other = try renewed.add(ItemDraft(title: "t", sections: Self.all))
        try renewed.changeMasterPassword(old: secret("old"), new: secret("new"))
        #expect(try sections(of: other, in: renewed) == Self.all)
        try renewed.verify()
    }

    @Test func opensCodesFilesAndPasskeys() throws {
        let item = try vault.add(ItemDraft(title: "t", sections: Self.all))
        let summary = try test.unlock().summary(of: item)
        #expect(summary.codes.map(\.code) == [Self.timed.record, Self.counted.record, Self.steam.record])
        #expect(summary.codes.map(\.section) == [1, 2, 3])
        #expect(try vault.code(of: item) == Self.timed)
        #expect(try vault.code(2, of: item) == Self.counted)
        #expect(try vault.code(3, of: item) == Self.steam)
        #expect(try StoredFile(vault.section(4, of: item)) == Self.file)
        #expect(summary.sections[3].text("name") == "codes.txt" && summary.sections[3].integer("decryptedSize") == 10)
        #expect(summary.passkeys.map(\.credentialID) == [[5], [6]])
        let passkey = try vault.passkey([6], of: item)
        #expect(passkey.relyingParty == "example.org" && passkey.key == secret("private key"))
        #expect(passkey.pseudoRandomSecret == secret("secret of prf") && passkey.largeBlob == nil)
        #expect(code { _ = try vault.passkey([7], of: item) } == .notFound)
        #expect(code { _ = try vault.code(10, of: item) } == .notFound)
        #expect(code { _ = try vault.code(4, of: item) } == .invalid)
    }

    @Test func aCounterGoesOnWithoutTouchingTheRest() throws {
        let item = try vault.add(ItemDraft(title: "t", password: secret("p"), sections: Self.all))
        var next = Self.counted
        next.record.kind = .hotp(counter: 8)
        try vault.edit(item, ItemChanges(sections: [.replace(2, next.section)]))
        var wanted = Self.all
        wanted[1] = next.section
        #expect(try sections(of: item, in: test.unlock()) == wanted)
        #expect(try vault.history(of: item).isEmpty)
    }

    @Test func numbersOfSectionsStay() throws {
        let item = try vault.add(ItemDraft(title: "t", sections: [Self.timed.section, Self.card, Self.loyalty]))
        try vault.edit(item, ItemChanges(sections: [.remove(2), .add(Self.questions)]))
        #expect(try vault.summary(of: item).sections.map(\.number) == [1, 3, 4])
        #expect(try sections(of: item, in: vault) == [Self.timed.section, Self.loyalty, Self.questions])
        #expect(code { try vault.edit(item, ItemChanges(sections: [.remove(2)])) } == .notFound)
        #expect(code { try vault.edit(item, ItemChanges(sections: [.replace(3, Self.card)])) } == .invalid)
    }

    @Test func marksAndSubtitleStayUntilTheyAreChanged() throws {
        let marks = ItemMarks(isFavorite: true, use: .forms, source: .saved)
        let item = try vault.add(ItemDraft(title: "t", marks: marks, subtitle: "s"))
        try vault.edit(item, ItemChanges(title: "u"))
        #expect(try test.unlock().summary(of: item).marks == marks)
        #expect(try test.unlock().summary(of: item).subtitle == "s")
        try vault.edit(item, ItemChanges(isFavorite: false, use: .everywhere, subtitle: ""))
        let summary = try test.unlock().summary(of: item)
        #expect(summary.marks == ItemMarks(source: .saved) && summary.subtitle == nil)
    }

    // MARK: - What a newer version wrote

    @Test func whatANewerVersionWroteSurvivesEveryEditAndANewKey() throws {
        let path = test.folder.file("newer.vault")
        try Vault.create(at: path, password: secret("old"), derivation: .floor, environment: test.environment)
        let vault = try LockedVault.open(at: path, environment: test.environment).unlock(password: secret("old"))
        let item = try Self.newer(in: vault)
        let heads = try vault.summary(of: item).sections
        func check(_ vault: UnlockedVault) throws {
            #expect(try vault.summary(of: item).sections.prefix(2) == heads[...])
            let body = try vault.body(of: item)
            #expect(body.section(2) == SecretBytes(copying: [0, 1, 2, 3, 2]))
            #expect(body.section(5) == SecretBytes(copying: [0, 1, 2, 3, 5]))
        }
        try check(vault)
        #expect(try vault.summary(of: item).codes.isEmpty, "of another version nothing is guessed")
        #expect(code { _ = try vault.section(2, of: item) } == .unsupported)
        let change = SectionChange.replace(2, Self.timed.section)
        #expect(code { try vault.edit(item, ItemChanges(sections: [change])) } == .unsupported)
        try vault.edit(item, ItemChanges(title: "T", password: secret("p"), tags: ["x"], sections: [.add(Self.card)]))
        try check(vault)
        try vault.changeMasterPassword(old: secret("old"), new: secret("new"))
        let again = try LockedVault.open(at: path, environment: test.environment).unlock(password: secret("new"))
        try check(again)
        try again.edit(item, ItemChanges(sections: [.remove(5)]))
        #expect(try again.summary(of: item).sections.map(\.number) == [2, 6])
        #expect(try again.body(of: item).section(5) == nil, "its bytes go with it")
    }

    // MARK: - Finding

    @Test func findsItemsByWhatTheirSectionsShow() throws {
        let item = try vault.add(ItemDraft(title: "one", subtitle: "Zweitname", sections: Self.all))
        try vault.add(ItemDraft(title: "two", password: secret("p")))
        for text in ["steam", "visa", "codes.txt", "security questions", "zweitname", "example.org", "one VISA"] {
            #expect(try vault.search(text).map(\.id) == [item], "\(text)")
        }
        for text in ["4111", "1111", "me@example.com", "private", "12345678901234567890", "loyalty"] {
            #expect(try vault.search(text).isEmpty, "\(text)")
        }
    }

    @Test func aSearchForCodesOrPasskeysFindsThemInSections() throws {
        let coded = try vault.add(ItemDraft(title: "a", password: secret("p"), sections: [Self.timed.section]))
        let section = ItemSection(PasskeyTests.passkey("example.com"), userName: "ada")
        let keyed = try vault.add(ItemDraft(title: "b", password: secret("p"), sections: [section]))
        let pure = try vault.add(ItemDraft(title: "c", passkey: PasskeyTests.passkey("example.com", id: [8])))
        func found(_ kinds: ItemKinds) throws -> [ItemID] { try test.unlock().search("", of: kinds).map(\.id) }
        #expect(try found(.codes) == [coded])
        #expect(try found(.passkeys) == [keyed, pure])
        #expect(try found(.passwords) == [coded, keyed])
        #expect(try Set(vault.passkeys(of: "example.com").map(\.id)) == [keyed, pure])
        try vault.edit(keyed, ItemChanges(sections: [.remove(1)]))
        try vault.edit(coded, ItemChanges(sections: [.remove(1)]))
        #expect(try vault.search("", of: .codes).isEmpty)
        #expect(try vault.passkeys(of: "example.com").map(\.id) == [pure])
    }

    // MARK: - Versions

    @Test(arguments: [
        ItemDraft(title: "t", sections: [SectionTests.card]), ItemDraft(title: "t", subtitle: "s"),
        ItemDraft(title: "t", marks: ItemMarks(isFavorite: true)), ItemDraft(title: "t", marks: ItemMarks(use: .basic)),
    ])
    func aVaultBecomesOneOfVersion3WithTheFirstItemThatNeedsIt(draft: ItemDraft) throws {
        try vault.add(ItemTests.draft)
        #expect(try vault.opened().header.version == 1)
        let item = try vault.add(draft)
        #expect(try vault.opened().header.version == 3)
        try vault.remove(item)
        #expect(try test.unlock().opened().header.version == 3, "it never goes back")
    }

    @Test(arguments: 0..<3) func aFailedMigrationLeavesTheOldVault(failingWrite: Int) throws {
        let (key, store) = TamperingTests.emptyStore(seed: 8)
        let vault = try LockedVault(store, test.environment).unlock(with: key)
        let old = try vault.add(ItemDraft(title: "password", password: secret("p")))
        let before = MemoryStore(store)
        store.failingWrite = failingWrite
        #expect(code { try vault.edit(old, ItemChanges(sections: [.add(Self.card)])) } == .storageFull)
        #expect(store.headerBytes == before.headerBytes && store.manifestBytes == before.manifestBytes)
        store.failingWrite = nil
        try vault.edit(old, ItemChanges(sections: [.add(Self.card)]))
        let again = try LockedVault(store, test.environment).unlock(with: key)
        #expect(try again.section(1, of: old) == Self.card && again.password(of: old) == secret("p"))
    }

    // MARK: - Bounds

    @Test func refusesWhatIsOutOfBounds() throws {
        func refusal(_ section: ItemSection) -> VaultError.Code? {
            code { try vault.add(ItemDraft(title: "t", sections: [section])) }
        }
        func coded(_ record: CodeRecord, _ secret: SecretBytes = secret("s")) -> ItemSection {
            StoredCode(record, secret: secret).section
        }
        let name = String(repeating: "n", count: 256)
        #expect(refusal(ItemSection(SectionType(rawValue: ""), [])) == .invalid)
        #expect(refusal(ItemSection(SectionType(rawValue: name), [])) == .invalid)
        #expect(refusal(ItemSection(.note, [SectionMember("", text: "t")])) == .invalid)
        #expect(refusal(ItemSection(.note, [SectionMember(name, text: "t")])) == .invalid)
        #expect(refusal(ItemSection(.note, [SectionMember("content", .text, SecretBytes(copying: [255]))])) == .invalid)
        #expect(refusal(ItemSection(.note, [SectionMember("n", .integer, secret("7"))])) == .invalid)
        #expect(refusal(ItemSection(.note, (0...1000).map { _ in SectionMember("n", text: "") })) == .invalid)
        #expect(refusal(coded(CodeRecord(digits: 0))) == .invalid)
        #expect(refusal(coded(CodeRecord(digits: 11))) == .invalid)
        #expect(refusal(coded(CodeRecord(kind: .totp(period: 0)))) == .invalid)
        #expect(refusal(coded(CodeRecord(), secret(""))) == .invalid)
        #expect(refusal(coded(CodeRecord(), SecretBytes(count: 1025) { _ in })) == .invalid)
        let large = SecretBytes(count: StoredFile.longest + 1) { _ in }
        #expect(refusal(StoredFile(name: "f", content: large).section) == .invalid)
        #expect(refusal(StoredFile(name: name, content: secret("")).section) == .invalid)
        #expect(refusal(ItemSection(.passkey, [SectionMember("rpId", text: "example.com")])) == .invalid)
        #expect(try vault.count == 0)
    }

    @Test func keepsFilesAsLargeAsTheyMayBe() throws {
        let content = SecretBytes(count: StoredFile.longest) { room in
            room.initializeMemory(as: UInt8.self, repeating: 7)
        }
        let section = StoredFile(name: "f", content: content).section
        let item = try vault.add(ItemDraft(title: "t", sections: [section, section, section]))
        #expect(try StoredFile(test.unlock().section(3, of: item)).content == content)
        #expect(code { try vault.edit(item, ItemChanges(sections: [.add(section)])) } == .invalid, "all share 16 MiB")
    }

    /// Whoever has the file learns of a file in it, or a section, no more than the size class.
    @Test(arguments: [(100, 3000), (40_000, 50_000)])
    func filesOfOneSizeClassLookAlike(small: Int, large: Int) throws {
        func sizes(_ count: Int) throws -> [Int] {
            let file = StoredFile(name: "f", content: SecretBytes(count: count) { _ in })
            let item = try vault.add(ItemDraft(title: "t", sections: [file.section]))
            let record = try vault.authenticRecord(of: item)
            return [record.summary.count, record.body.count]
        }
        let found = try sizes(small)
        #expect(try found == sizes(small + small / 20))
        #expect(try sizes(large) == sizes(large + large / 20))
        #expect(found[1] - SecretKey.sealOverhead == SizeClass.padded(small + 30))
    }

    // MARK: - Hostile records

    private static let dates = Date(timeIntervalSince1970: 0)

    /// The opened halves of an item with every section, without padding.
    private static func halves() throws -> (summary: [UInt8], body: [UInt8]) {
        let plan = try SectionPlan([], all.map { .add($0) })
        var summary = ItemSummary(
            id: ItemID(random: TestRandom()), title: "t", userName: "", addresses: [], tags: [], created: dates,
            modified: dates)
        summary.sections = plan.heads
        summary.marks.isFavorite = true
        let (first, second) = (SecretBuffer(), SecretBuffer())
        summary.encode(into: first)
        ItemBody.encode(ItemDraft(title: "t"), plan, into: second)
        return (first.withUnsafeBytes { Array($0) }, second.withUnsafeBytes { Array($0) })
    }

    /// Reads everything that can be read; what is refused is refused with an error.
    private func read(_ summary: [UInt8], _ body: [UInt8]) -> Bool {
        do {
            let id = ItemID(random: TestRandom())
            let read = try summary.withUnsafeBytes { try ItemSummary(id: id, decoding: $0) }
            let index = SearchIndex(capacity: 1)
            try summary.withUnsafeBytes { try index.put(id, version: 1, summary: $0) }
            let opened = try ItemBody(SecretBytes(copying: body))
            try opened.check(read.sections)
            for head in read.sections where head.isReadable { _ = try ItemSection(head, opened.section(head.number)) }
            _ = (read.codes, read.passkeys, index.search("a", limit: 1))
            return true
        } catch {
            return false
        }
    }

    @Test func everyTruncationIsReadOrRefused() throws {
        let (summary, body) = try Self.halves()
        #expect(read(summary, body))
        #expect(summary.indices.filter { read(Array(summary.prefix($0)), []) }.count > 1)
        #expect(body.indices.filter { read(summary, Array(body.prefix($0))) }.count == 9, "between sections alone")
    }

    @Test func everyFlippedBitIsReadOrRefused() throws {
        let (summary, body) = try Self.halves()
        var refused = 0
        for bit in 0..<summary.count * 8 {
            var changed = summary
            changed[bit / 8] ^= 1 << (bit % 8)
            if !read(changed, []) { refused += 1 }
        }
        for place in body.indices {
            var changed = body
            changed[place] ^= 1 << (place % 8)
            if !read(summary, changed) { refused += 1 }
        }
        #expect(refused > 0 && refused < summary.count * 8 + body.count)
    }

    private func head(_ content: [UInt8], number: UInt8 = 1, version: UInt8 = 1) -> [UInt8] {
        [number, 0, version, 0, 1, 120] + content
    }

    @Test func refusesHeadsOutOfForm() {
        func refusal(_ bytes: [UInt8]) -> VaultError.Code? {
            code { _ = try bytes.withUnsafeBytes { try SectionHead(SectionHead.Parts($0)) } }
        }
        #expect(refusal(head([])) == nil)
        #expect(refusal(head([], number: 0)) == .damaged)
        #expect(refusal(head([], version: 0)) == .damaged)
        #expect(refusal([1, 0, 1, 0, 0]) == .damaged, "no type")
        #expect(refusal([1, 0, 1, 0, 2, 120]) == .damaged, "type too short")
        #expect(refusal([1, 0, 1, 0, 1, 255]) == .damaged, "UTF-8")
        #expect(refusal(head([1])) == .damaged, "no member")
        #expect(refusal(head([1], version: 2)) == nil, "of another version nothing is known")
        #expect(refusal(head([1, 97, 1, 0, 0, 0, 0, 255, 255, 255, 255])) == .damaged, "a hostile size")
        #expect(refusal(head([1, 97, 1, 255, 255, 255, 127, 0, 0, 0, 0])) == .damaged, "a hostile size")
        #expect(refusal(head([1, 97, 1, 0, 0, 0, 0, 1, 0, 0, 0, 255])) == .damaged, "UTF-8")
        #expect(refusal(head([0, 1, 0, 0, 0, 0, 0, 0, 0, 0])) == .damaged, "no name")
        #expect(refusal(head([1, 97, 34, 0, 0, 0, 0, 1, 0, 0, 0, 1])) == .damaged, "a number of one byte")
        let attributes: [UInt8] = [2, 0, 0, 0, 0, 1, 0, 0, 0, 0]
        #expect(refusal(head([1, 97, 1, 10, 0, 0, 0] + attributes + [0, 0, 0, 0])) == .damaged, "order")
    }

    @Test func refusesSectionsThatDoNotBelongTogether() throws {
        func field(_ tag: UInt8, _ bytes: [UInt8]) -> [UInt8] { [tag, UInt8(bytes.count), 0, 0, 0] + bytes }
        let base = field(1, [65]) + field(2, []) + field(5, [UInt8](repeating: 0, count: 16))
        let (one, two) = (field(12, head([], number: 1)), field(12, head([], number: 2)))
        let member: [UInt8] = [1, 97, 1, 0, 0, 0, 0, 0, 0, 0, 0]
        #expect(read(base + one + two, field(8, [2, 0] + member)))
        #expect(!read(base + two + one, []), "order")
        #expect(!read(base + one + one, []), "twice")
        #expect(!read(base + one, field(8, [2, 0] + member)), "the summary lacks it")
        #expect(!read(base + one, field(8, [1, 0])), "empty")
        #expect(!read(base + one, field(8, [1, 0] + member) + field(8, [1, 0] + member)), "twice")
        #expect(!read(base + field(10, [0, 0, 0]), []), "marks that say nothing")
        #expect(!read(base + field(10, [2, 0, 0]), []), "flags")
        #expect(!read(base + field(10, [0, 3, 0]), []), "a use that is not known")
        #expect(read(base + field(10, [0, 0, 99]), []), "a source that is not known")
        #expect(!read(base + field(11, [255]), []), "UTF-8")
    }
}
