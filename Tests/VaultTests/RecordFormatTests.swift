import ClockTestSupport
import FoundationEssentials
import KeywayCrypto
import Testing

@testable import Vault

/// The readers of the opened records, and the hash over them.
@Suite struct RecordFormatTests {
    private func field(_ tag: UInt8, _ bytes: [UInt8]) -> [UInt8] {
        var field = [tag]
        field.append(number: UInt32(bytes.count))
        return field + bytes
    }

    private let dates = [UInt8](repeating: 0, count: 16)
    private let id = ItemID(random: TestRandom())

    private func summary(_ bytes: [UInt8]) throws -> ItemSummary {
        try bytes.withUnsafeBytes { try ItemSummary(id: id, decoding: $0) }
    }

    private func body(_ bytes: [UInt8]) throws -> ItemBody { try ItemBody(SecretBytes(copying: bytes)) }

    @Test func readsASummaryWithAndWithoutPadding() throws {
        let bytes = field(1, Array("t".utf8)) + field(2, []) + field(3, [65]) + field(3, [66]) + field(5, dates)
        #expect(try summary(bytes).addresses == ["A", "B"])
        #expect(try summary(bytes + [0, 0, 0]) == summary(bytes))
    }

    @Test(
        arguments: [
            [], [0], [1], [1, 0, 0, 0], [1, 255, 255, 255, 255], [0, 1],
        ] as [[UInt8]])
    func refusesASummaryThatIsNone(bytes: [UInt8]) {
        #expect(code { _ = try summary(bytes) } == .damaged)
    }

    @Test func refusesASummaryOutOfForm() {
        let (title, user, dates) = (field(1, [65]), field(2, [66]), field(5, dates))
        #expect(code { _ = try summary(user + title + dates) } == .damaged, "order")
        #expect(code { _ = try summary(title + title + user + dates) } == .damaged, "twice")
        #expect(code { _ = try summary(title + user) } == .damaged, "a field is missing")
        #expect(code { _ = try summary(title + user + field(5, [1])) } == .damaged, "dates too short")
        #expect(code { _ = try summary(title + user + dates + [0, 0, 9]) } == .damaged, "padding")
        #expect(code { _ = try summary(field(1, [0xff]) + user + dates) } == .damaged, "UTF-8")
        #expect(code { _ = try summary(title + user + dates + field(6, [1])) } == .damaged, "not empty")
        #expect(code { _ = try summary(title + user + dates + field(6, []) + field(6, [])) } == .damaged, "twice")
        #expect(code { _ = try summary(title + user + dates + field(13, [])) } == .unsupported)
        #expect(code { _ = try summary(title + user + dates + field(128, [])) } == nil, "may be ignored")
    }

    @Test func readsAPasskeyOfASummary() throws {
        let passkey: [UInt8] = [3, 1, 65, 2, 1, 2, 9, 9, 9]
        let base = field(1, [65]) + field(2, [66]) + field(5, dates) + field(6, [])
        let read = try #require(try summary(base + field(7, passkey)).passkey)
        #expect(read.relyingParty == "A" && read.userHandle == [1, 2] && read.credentialID == [9, 9, 9])
        #expect(read.isBackupEligible && read.isNamedByPerson && !read.isWithheld && read.bytes == passkey)
        let withheld = try #require(try summary(base + field(7, [4] + passkey.dropFirst())).passkey)
        #expect(withheld.isWithheld && !withheld.isBackupEligible && withheld.bytes == [4] + passkey.dropFirst())
        #expect(code { _ = try summary(base + field(7, passkey) + field(7, passkey)) } == .damaged, "twice")
        #expect(code { _ = try summary(base + field(7, [8] + passkey.dropFirst())) } == .unsupported, "flags")
        #expect(code { _ = try summary(base + field(7, [0, 1, 0xff, 1, 1, 9])) } == .damaged, "UTF-8")
        for count in 0..<7 {
            #expect(code { _ = try summary(base + field(7, Array(passkey.prefix(count)))) } == .damaged)
        }
        let hidden = try summary(base + field(7, passkey) + field(8, [1, 0, 0, 0, 0, 0, 0, 0]))
        #expect(hidden.hidden == Date(timeIntervalSince1970: 0.001))
        #expect(code { _ = try summary(base + field(8, [1])) } == .damaged, "too short")
    }

    @Test(arguments: ["ada", ""]) func readsTheNameThatASiteReplaced(name: String) throws {
        let base = field(1, [65]) + field(2, [66]) + field(5, dates)
        let former = field(9, Array(name.utf8))
        let read = try summary(base + former)
        #expect(read.formerName == name && read.formatVersion == 2)
        #expect(try summary(base).formerName == nil)
        #expect(code { _ = try summary(base + former + former) } == .damaged, "twice")
        #expect(code { _ = try summary(base + field(9, [0xff])) } == .damaged, "UTF-8")
        let buffer = SecretBuffer()
        read.encode(into: buffer)
        #expect(buffer.withUnsafeBytes { Array($0) } == base + former)
    }

    @Test func refusesABodyOutOfForm() {
        #expect(code { _ = try body([]) } == nil)
        #expect(code { _ = try body(field(1, [65]) + field(1, [65])) } == .damaged)
        #expect(code { _ = try body(field(2, [65]) + field(1, [65])) } == .damaged)
        #expect(code { _ = try body(field(3, [])) } == .damaged)
        #expect(code { _ = try body(field(3, [0, 5, 0, 65])) } == .damaged)
        #expect(code { _ = try body(field(3, [2, 0, 0])) } == .unsupported)
        #expect(code { _ = try body(field(3, [0, 1, 0, 0xff])) } == .damaged)
        #expect(code { _ = try body(field(4, [1, 2, 3])) } == .damaged)
        for tag: UInt8 in [5, 6, 7] {
            #expect(code { _ = try body(field(tag, [1]) + field(tag, [1])) } == .damaged, "twice")
        }
        #expect(code { _ = try body(field(9, [])) } == .unsupported)
        #expect(code { _ = try body(field(200, [1])) } == nil)
    }

    @Test func survivesEveryTruncationOfABody() throws {
        let buffer = SecretBuffer()
        ItemBody.encode(ItemTests.draft, into: buffer)
        let bytes = buffer.finish().withUnsafeBytes { Array($0) }
        let borders = bytes.indices.filter { count in
            (try? body(Array(bytes.prefix(count)))) != nil
        }
        #expect(borders.count == 4, "only at the borders of its fields")
    }

    @Test func keepsFieldsOfANewerVersionThroughAnEdit() throws {
        let test = TamperingTests.emptyStore(seed: 12)
        let environment = VaultEnvironment(epochs: TestEpochs(), random: TestRandom(), clock: ManualClock.ofVectors())
        let vault = try LockedVault(test.1, environment).unlock(with: test.0)
        let contents = try vault.opened()
        let newer = field(1, [65]) + field(2, []) + field(5, dates) + field(130, [1, 2])
        let sealer = RecordSealer(contents.keys, environment.random)
        let record = try sealer.seal(
            ItemSummary(
                id: id, title: "A", userName: "", addresses: [], tags: [], created: Date(timeIntervalSince1970: 0),
                modified: Date(timeIntervalSince1970: 0)),
            version: 2, keeping: [(130, [1, 2])]
        ) { buffer in [UInt8](arrayLiteral: 9).withUnsafeBytes { buffer.append(tag: 140, $0) } }
        #expect(sealer.fields == newer)
        try vault.change { (writer, manifest) throws(VaultError) in
            try writer.put(record)
            manifest.count += 1
            manifest.records.add(sealer.element(of: record))
        }
        let again = try LockedVault(test.1, environment).unlock(with: test.0)
        try again.edit(id, ItemChanges(title: "B", password: secret("p")))
        let stored = try #require(test.1.record(of: id))
        let foreign = try contents.keys.foreignFields(stored)
        #expect(foreign.map(\.tag) == [130] && foreign.map(\.bytes) == [[1, 2]])
        let body = try contents.keys.openBody(stored)
        #expect(body.withUnsafeBytes { Array($0.prefix(12)) } == field(1, [112]) + field(140, [9]))
    }

    @Test func addsAndRemovesModuloTheWholeNumber() {
        let random = TestRandom(seed: 31)
        func element() -> MultisetHash { random.bytes(32).withUnsafeBytes { MultisetHash($0) } }
        let elements = (0..<100).map { _ in element() }
        var sum = MultisetHash()
        for element in elements { sum.add(element) }
        var shuffled = MultisetHash()
        for element in elements.shuffled() { shuffled.add(element) }
        #expect(sum == shuffled)
        for element in elements.shuffled() { sum.remove(element) }
        #expect(sum == MultisetHash())
        var largest = [UInt8](repeating: 255, count: 32).withUnsafeBytes { MultisetHash($0) }
        largest.add(([1] + [UInt8](repeating: 0, count: 31)).withUnsafeBytes { MultisetHash($0) })
        #expect(largest == MultisetHash(), "the carry runs through all words")
        var twice = MultisetHash()
        twice.add(elements[0])
        twice.add(elements[0])
        #expect(twice != MultisetHash(), "an element that is there twice does not cancel itself")
    }

    @Test(arguments: [
        ("00000000-0000-4000-8000-000000000000", true), ("0123456789abcdef0123456789ABCDEF", true), ("", false),
        ("0000000-00000-4000-8000-000000000000", true), ("00000000-0000-4000-8000-00000000000", false),
        ("+0000000-0000-4000-8000-000000000000", false), ("g0000000-0000-4000-8000-000000000000", false),
    ])
    func readsIdentifiers(text: String, isOne: Bool) {
        #expect((ItemID(text) != nil) == isOne)
    }

    @Test func writesIdentifiersAsItReadsThem() {
        for seed in 0..<50 {
            let id = ItemID(random: TestRandom(seed: UInt64(seed)))
            #expect(ItemID(id.description) == id)
            #expect(id.bytes.withUnsafeBytes { ItemID(sixteen: $0) } == id)
            #expect(id.bytes[6] >> 4 == 4 && id.bytes[8] >> 6 == 2, "RFC 9562, version and variant")
        }
    }
}
