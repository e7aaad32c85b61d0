import ClockTestSupport
import FoundationEssentials
import Glibc
import KeywayCrypto
import Testing

@testable import Vault

/// Files of items in parts: kept whole, bound to their item, their file and their place, and gone with the item.
@Suite struct FileTests {
    /// Bytes that are the same in every run and differ from place to place.
    static func bytes(_ count: Int, seed: UInt8 = 0) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) ^ seed }
    }

    static func content(_ bytes: [UInt8], _ random: any RandomSource) throws(VaultError) -> FileContent {
        try FileContent(count: bytes.count, random: random) { (offset, room) throws(VaultError) in
            room.copyBytes(from: bytes[offset..<offset + room.count])
        }
    }

    /// An item with these files, each called by its number.
    static func draft(_ files: [[UInt8]], _ random: any RandomSource) throws -> ItemDraft {
        let contents = try files.map { try content($0, random) }
        return ItemDraft(
            title: "files", password: secret("p"),
            sections: contents.enumerated().map { $1.section(name: "\($0)", mediaType: "text/plain") },
            contents: contents)
    }

    /// What the vault of the vectors has beside that of version 3.
    static func fill(_ vault: UnlockedVault) throws {
        let random = vault.environment.random
        try vault.add(try draft([bytes(40), [], bytes(1000, seed: 7)], random))
    }

    static func read(_ number: UInt16, of item: ItemID, in vault: UnlockedVault) throws -> [UInt8] {
        var (found, longest) = ([UInt8](), 0)
        try vault.readFile(number, of: item) { (piece) throws(VaultError) in
            found += Array(piece)
            longest = max(longest, piece.count)
        }
        #expect(longest <= FileHead.partSize)
        return found
    }

    private let environment = VaultEnvironment(
        epochs: TestEpochs(), random: TestRandom(seed: 9), clock: ManualClock.ofVectors())
    private let key: SecretKey
    private let store: MemoryStore
    private let vault: UnlockedVault

    init() throws {
        (key, store) = TamperingTests.emptyStore(seed: 4)
        vault = try LockedVault(store, environment).unlock(with: key)
    }

    private func unlock(_ store: MemoryStore) throws(VaultError) -> UnlockedVault {
        try LockedVault(store, environment).unlock(with: key)
    }

    // MARK: - What is kept

    static let sizes = [
        0, 1, 1000, FileHead.partSize - 1, FileHead.partSize, FileHead.partSize + 1, 3 * FileHead.partSize + 17,
    ]

    @Test(arguments: sizes)
    func keepsAFileOfAnySizeByteForByte(size: Int) throws {
        let bytes = Self.bytes(size)
        let item = try vault.add(try Self.draft([bytes], environment.random))
        let again = try unlock(store)
        #expect(try again.opened().header.version == 4)
        let file = try #require(try again.summary(of: item).files.first)
        #expect(file.name == "0" && file.mediaType == "text/plain" && file.size == size)
        #expect(try Self.read(file.number, of: item, in: again) == bytes)
        try again.verify()
        #expect(try again.count == 1 && store.rows.count == 1 + file.positions.count)
    }

    @Test func eachPartFillsOneSizeClassAndIsBounded() throws {
        try vault.add(try Self.draft([Self.bytes(2 * FileHead.partSize + 300)], environment.random))
        let sizes = store.rows.map { $0.row.body.count - SecretKey.sealOverhead }.sorted()
        #expect(sizes.suffix(3) == [512, 1 << 20, 1 << 20])
        #expect(Set(store.rows.map { $0.row.summary.count - SecretKey.sealOverhead }).isSubset(of: [256, 512]))
    }

    @Test func staysWithEditsOfTheItemAndLeavesOtherItemsAlone() throws {
        let files = [Self.bytes(2000), Self.bytes(FileHead.partSize * 2, seed: 3)]
        let item = try vault.add(try Self.draft(files, environment.random))
        let plain = try vault.add(ItemDraft(title: "plain"))
        let parts = store.rows.filter { row in ![item, plain].contains(row.item) }
        try vault.edit(item, ItemChanges(title: "renamed", password: secret("q")))
        let again = try unlock(store)
        #expect(try Self.read(1, of: item, in: again) == files[0])
        #expect(try Self.read(2, of: item, in: again) == files[1])
        #expect(store.rows.filter { row in parts.contains { $0 == row } }.count == 3, "parts are written once")
        #expect(try again.search("").map(\.id).sorted { $0.description < $1.description }.count == 2)
    }

    @Test func filesAreAddedToAnItemRenamedAndRemovedOneByOne() throws {
        let item = try vault.add(try Self.draft([Self.bytes(10)], environment.random))
        let large = Self.bytes(FileHead.partSize + 1, seed: 9)
        let content = try Self.content(large, environment.random)
        try vault.edit(item, ItemChanges(sections: [.add(content.section(name: "large"))], contents: [content]))
        var section = try vault.section(2, of: item)
        let place = try #require(section.members.firstIndex { $0.name == "name" })
        section.members[place] = SectionMember("name", text: "other")
        try vault.edit(item, ItemChanges(sections: [.replace(2, section)]))
        #expect(try vault.summary(of: item).files.map(\.name) == ["0", "other"])
        #expect(try Self.read(2, of: item, in: vault) == large)
        try vault.edit(item, ItemChanges(sections: [.remove(1)]))
        #expect(store.rows.count == 3)
        #expect(try Self.read(2, of: item, in: unlock(store)) == large)
        try unlock(store).verify()
    }

    @Test func nothingOfAFileIsLeftWhenItsItemGoes() throws {
        let other = try vault.add(try Self.draft([Self.bytes(5)], environment.random))
        let item = try vault.add(
            try Self.draft([Self.bytes(3 * FileHead.partSize), [], Self.bytes(1)], environment.random))
        #expect(store.rows.count == 2 + 1 + 4)
        try vault.remove(item)
        #expect(store.rows.count == 2)
        #expect(try Self.read(1, of: other, in: unlock(store)) == Self.bytes(5))
    }

    @Test func aBatchThatIsGivenUpLeavesNoPart() throws {
        let before = store.rows.map(\.item)
        let batch = try vault.beginBatch()
        try batch.make(.add(try Self.draft([Self.bytes(12 * FileHead.partSize)], environment.random)))
        batch.abandon()
        #expect(store.rows.map(\.item) == before)
        #expect(try vault.count == 0)
        try vault.add(try Self.draft([Self.bytes(7)], environment.random))
        try unlock(store).verify()
    }

    @Test func outlivesANewKeyAndABackup() throws {
        let test = try TemporaryFolder()
        let path = test.file("data/test.vault")
        try Vault.create(at: path, password: secret("old"), derivation: .floor, environment: environment)
        let vault = try LockedVault.open(at: path, environment: environment).unlock(password: secret("old"))
        let bytes = Self.bytes(10 * FileHead.partSize + 5)
        let item = try vault.add(try Self.draft([bytes], environment.random))
        let (copy, key) = try vault.copy(beside: path)
        #expect(try copy.check(with: key).items == 1)
        #expect(try copy.checkStructure() == 12)
        let former = try vault.opened().keys
        try vault.changeMasterPassword(old: secret("old"), new: secret("new"))
        let again = try LockedVault.open(at: path, environment: environment).unlock(password: secret("new"))
        #expect(try Self.read(1, of: item, in: again) == bytes)
        let part = try #require(try again.summary(of: item).files.first?.part(10, of: item))
        let record = try #require(try again.store.record(of: part))
        #expect(code { _ = try former.openBody(record) } == .damaged)
        try again.verify()
    }

    // MARK: - What is refused

    @Test func refusesAFileThatIsTooLarge() throws {
        let limit = FileContent.largest
        #expect(
            code {
                _ = try FileContent(count: limit + 1, random: environment.random) { (_, _) throws(VaultError) in }
            } == .invalid)
        #expect(FileHead(SectionHead(number: 1, type: .file, version: 1, content: Self.head(limit)))?.size == limit)
        #expect(FileHead(SectionHead(number: 1, type: .file, version: 1, content: Self.head(limit + 1))) == nil)
    }

    private static func head(_ size: Int) -> [UInt8] {
        let buffer = SecretBuffer()
        SectionMember("name", text: "n").append(to: buffer)
        SectionMember("decryptedSize", integer: UInt64(size)).append(to: buffer)
        return buffer.withUnsafeBytes { Array($0) }
    }

    @Test func refusesASectionWithoutWhatIsInTheFile() throws {
        let content = try Self.content(Self.bytes(9), environment.random)
        let section = content.section(name: "n")
        #expect(code { try vault.add(ItemDraft(title: "t", sections: [section])) } == .invalid)
        #expect(
            code { try vault.add(ItemDraft(title: "t", sections: [section, section], contents: [content])) } == .invalid
        )
        let unnamed = content.section(name: "")
        #expect(code { try vault.add(ItemDraft(title: "t", sections: [unnamed], contents: [content])) } == .invalid)
        #expect(store.rows.isEmpty)
    }

    /// What an altered store says when everything in it is opened.
    private func refusal(_ change: (MemoryStore) -> Void) -> VaultError.Code? {
        let copy = MemoryStore(store)
        change(copy)
        return code { try unlock(copy).verify() }
    }

    /// Two items with two files of two parts each, all of one size.
    private func filled() throws -> [[ItemID]] {
        let size = FileHead.partSize + 100
        var parts: [[ItemID]] = []
        for seed: UInt8 in [1, 2] {
            let files = [Self.bytes(size, seed: seed), Self.bytes(size, seed: seed + 8)]
            let item = try vault.add(try Self.draft(files, environment.random))
            parts += try vault.summary(of: item).files.map { $0.parts(of: item) }
        }
        return parts
    }

    @Test func refusesPartsThatWereExchanged() throws {
        let parts = try filled()
        #expect(refusal { _ in } == nil)
        let pairs = [
            (parts[0][0], parts[0][1]), (parts[0][0], parts[1][0]), (parts[0][0], parts[2][0]),
            (parts[0][1], parts[1][1]), (parts[0][1], parts[2][1]),
        ]
        for (one, other) in pairs {
            func swap(_ change: (inout MemoryStore.Row, inout MemoryStore.Row) -> Void) -> VaultError.Code? {
                refusal { store in
                    guard let first = store.rows.firstIndex(where: { $0.item == one }),
                        let second = store.rows.firstIndex(where: { $0.item == other })
                    else { return }
                    var (left, right) = (store.rows[first].row, store.rows[second].row)
                    change(&left, &right)
                    (store.rows[first].row, store.rows[second].row) = (left, right)
                }
            }
            #expect(swap { Swift.swap(&$0, &$1) } == .damaged, "as a whole")
            #expect(swap { Swift.swap(&$0.body, &$1.body) } == .damaged, "what is in them")
            #expect(swap { Swift.swap(&$0.summary, &$1.summary) } == .damaged, "what they are")
            #expect(swap { $1 = $0 } == .damaged, "one in the place of the other")
        }
    }

    @Test func refusesPartsThatAreMissingOrDamaged() throws {
        let parts = try filled()
        #expect(refusal { $0.rows.removeAll { $0.item == parts[1][1] } } == .damaged)
        #expect(
            refusal { store in
                guard let place = store.rows.firstIndex(where: { $0.item == parts[3][0] }) else { return }
                store.rows[place].row.body[5000] ^= 1
            } == .damaged)
    }

    /// The name of a part is what binds it to its place: item, file and position go into it.
    @Test func theNameOfAPartDependsOnItemFileAndPosition() throws {
        let random = TestRandom(seed: 3)
        let (one, other) = (ItemID(random: random), ItemID(random: random))
        let content = try Self.content(Self.bytes(FileHead.partSize * 3), random)
        let file = try #require(FileHead(content.section(name: "n").head(1)))
        let second = try #require(FileHead(try Self.content(Self.bytes(3), random).section(name: "n").head(1)))
        let names = [file.part(0, of: one), file.part(1, of: one), file.part(0, of: other), second.part(0, of: one)]
        #expect(Set(names).count == 4)
        #expect(names.allSatisfy { ItemID($0.description) == $0 && $0.high & 0xf000 == 0x4000 })
    }
}
