import AutoFillProtocol
import BrokerTestSupport
import ClockTestSupport
import Foundation
import KeywaySystem
import ServiceMatching
import Testing

@testable import BrokerBase
@testable import IdentityIndex

@Suite struct IdentityStoreTests {
    private static let suffixes = PublicSuffixes()
    private let folder: TemporaryFolder
    private let path: String
    private let owner = Owner()
    private let start = MonotonicTime(nanoseconds: 1_000_000_000)

    private final class Owner {}

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path + "/store.sqlite"
    }

    private var file: StoreFile { StoreFile(path: path) }

    private func writer() throws -> IdentityWriter { try file.writer() }

    private func reader() throws -> IdentityReader { try file.reader() }

    private func write(
        _ writer: IdentityWriter, _ operation: WriteIdentities.Operation, _ identities: [CredentialIdentity],
        write: Int? = nil, isLast: Bool = true, after: Duration = .zero, owner: AnyObject? = nil
    ) async throws -> Int? {
        let now = MonotonicTime(nanoseconds: start.nanoseconds + UInt64(after / .nanoseconds(1)))
        let owner = ObjectIdentifier(owner ?? self.owner)
        return try await writer.write(
            .init(operation: operation, identities: identities, write: write, isLast: isLast), owner: owner, now: now
        ).write
    }

    private func all() async throws -> Set<CredentialIdentity> {
        let reader = try reader()
        var result: Set<CredentialIdentity> = []
        var after: Int?
        repeat {
            let page = try await reader.read(.init(after: after))
            result.formUnion(page.identities)
            after = page.next
        } while after != nil
        return result
    }

    private func identities(_ range: Range<Int>, rank: Int = 0) -> [CredentialIdentity] {
        range.map { TestIdentity.password("user\($0)", record: "r\($0)", rank: rank) }
    }

    // MARK: - Save, replace, remove

    @Test func savingAddsAndOverwrites() async throws {
        let writer = try writer()
        _ = try await write(writer, .save, identities(0..<3))
        _ = try await write(writer, .save, identities(2..<4, rank: 5))
        #expect(try await all() == Set(identities(0..<2) + identities(2..<4, rank: 5)))
    }

    @Test func sameUserWithAnotherRecordIsAnotherIdentity() async throws {
        let writer = try writer()
        let three = [nil, "", "r"].map { TestIdentity.password(record: $0) }
        _ = try await write(writer, .save, three)
        #expect(try await all() == Set(three))
    }

    @Test func replacingLeavesNothingElse() async throws {
        let writer = try writer()
        _ = try await write(writer, .save, identities(0..<10))
        _ = try await write(writer, .replace, identities(8..<12))
        #expect(try await all() == Set(identities(8..<12)))
        _ = try await write(writer, .replace, [])
        #expect(try await all() == [])
    }

    @Test func removingWhatIsNotThereIsNoError() async throws {
        let writer = try writer()
        _ = try await write(writer, .save, identities(0..<3))
        _ = try await write(writer, .remove, identities(2..<9))
        #expect(try await all() == Set(identities(0..<2)))
    }

    @Test func survivesReopening() async throws {
        _ = try await write(try writer(), .save, identities(0..<5))
        let again = try writer()
        #expect(try await all() == Set(identities(0..<5)))
        await again.close()
    }

    @Test func fileIsClosedToOthers() async throws {
        let writer = try writer()
        _ = try await write(writer, .save, identities(0..<1))
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test func serviceThatIsNoPageIsKeptAndNeverOffered() async throws {
        let writer = try writer()
        let app = CredentialIdentity(
            kind: .password, service: ServiceIdentifier("org.example.app", kind: .app), user: "ada",
            recordIdentifier: nil)
        _ = try await write(writer, .save, [app])
        #expect(try await all() == [app])
    }

    // MARK: - Parts

    @Test func partsTakeEffectTogether() async throws {
        let writer = try writer()
        _ = try await write(writer, .save, identities(0..<2))
        let first = try await write(writer, .replace, identities(10..<20), isLast: false)
        #expect(try await all() == Set(identities(0..<2)))
        let second = try await write(writer, .replace, identities(20..<30), write: first, isLast: false)
        #expect(second == first)
        #expect(try await write(writer, .replace, identities(30..<31), write: first) == nil)
        #expect(try await all() == Set(identities(10..<31)))
    }

    @Test func twoWritesDoNotMix() async throws {
        let writer = try writer()
        let one = try await write(writer, .save, identities(0..<2), isLast: false)
        let other = try await write(writer, .save, identities(10..<12), isLast: false)
        _ = try await write(writer, .save, [], write: one)
        #expect(try await all() == Set(identities(0..<2)))
        _ = try await write(writer, .save, [], write: other)
        #expect(try await all() == Set(identities(0..<2) + identities(10..<12)))
    }

    @Test func partsOfALostConnectionAreDropped() async throws {
        let writer = try writer()
        let number = try await write(writer, .replace, identities(0..<5), isLast: false)
        await writer.dropWrites(of: ObjectIdentifier(owner))
        let error = await failure { _ = try await write(writer, .replace, [], write: number) }
        #expect(error?.code == .notFound)
        #expect(try await all() == [])
    }

    @Test func partsThatTakeTooLongAreDropped() async throws {
        let writer = try writer()
        let number = try await write(writer, .replace, identities(0..<5), isLast: false)
        let error = await failure {
            _ = try await write(writer, .replace, [], write: number, after: IdentityWriter.patience + .seconds(1))
        }
        #expect(error?.code == .notFound)
        #expect(try await all() == [])
    }

    @Test func partsOfOthersCannotBeContinued() async throws {
        let writer = try writer()
        let number = try await write(writer, .replace, identities(0..<5), isLast: false)
        let error = await failure { _ = try await write(writer, .replace, [], write: number, owner: folder) }
        #expect(error?.code == .notFound)
        let other = await failure { _ = try await write(writer, .save, [], write: number) }
        #expect(other?.code == .notFound)
    }

    @Test func openWritesAreBounded() async throws {
        let writer = try writer()
        for _ in 0..<IdentityWriter.maximumOpenWrites {
            _ = try await write(writer, .save, [], isLast: false)
        }
        #expect(await failure { _ = try await write(writer, .save, [], isLast: false) }?.code == .busy)
    }

    @Test func textsAndPartsAreBounded() async throws {
        let writer = try writer()
        let long = String(repeating: "x", count: 2049)
        for bad in [
            [TestIdentity.password(long)], [TestIdentity.password(record: long)],
            [TestIdentity.password(at: "https://" + long)], [TestIdentity.password("a\u{0}b")],
            identities(0..<1001),
        ] {
            #expect(await failure { _ = try await write(writer, .save, bad) }?.code == .invalidParameters)
        }
        #expect(try await all() == [])
    }

    // MARK: - Reading

    @Test func pagesHoldEverythingOnce() async throws {
        let writer = try writer()
        for start in stride(from: 0, to: 3000, by: 1000) {
            _ = try await write(writer, .save, identities(start..<(start + 1000)))
        }
        let reader = try reader()
        #expect(try await reader.read(.init()).identities.count == 1000)
        #expect(try await all().count == 3000)
        #expect(try await reader.count() == 3000)
    }

    @Test func pagesFitIntoAFrame() async throws {
        let writer = try writer()
        let long = String(repeating: "\u{1}", count: 2000)
        _ = try await write(writer, .save, (0..<500).map { TestIdentity.password(long, record: "\($0)" + long) })
        let page = try await reader().read(.init())
        #expect(page.next != nil)
        #expect(try JSONEncoder().encode(page).count < 1 << 20)
        #expect(try await all().count == 500)
    }

    @Test func readsOneService() async throws {
        let writer = try writer()
        let other = TestIdentity.password(at: "b.example")
        _ = try await write(writer, .save, identities(0..<3) + [other])
        let page = try await reader().read(.init(service: other.service))
        #expect(page.identities == [other])
    }

    // MARK: - Kinds

    private func passkey(_ credential: String, handle: String = "h") -> CredentialIdentity {
        CredentialIdentity(
            kind: .passkey, service: ServiceIdentifier("a.example", kind: .domain), user: "ada", recordIdentifier: "r1",
            rank: 3, passkey: PasskeyReference(credentialID: Data(credential.utf8), userHandle: Data(handle.utf8)))
    }

    private func code(_ label: String) -> CredentialIdentity {
        CredentialIdentity(
            kind: .oneTimeCode, service: ServiceIdentifier("a.example", kind: .domain), user: label,
            recordIdentifier: "r1")
    }

    @Test func kindsAreKeptApartWithAllTheirDetails() async throws {
        let writer = try writer()
        let all = [TestIdentity.password(), passkey("1"), passkey("2"), code("ada")]
        _ = try await write(writer, .save, all)
        #expect(try await self.all() == Set(all))
        _ = try await write(writer, .save, [passkey("2", handle: "other")])
        #expect(try await self.all() == Set(all.dropLast(2) + [passkey("2", handle: "other"), all[3]]))
        _ = try await write(writer, .remove, [passkey("1")])
        #expect(try await self.all().count == 3)
    }

    @Test(arguments: [[CredentialKind.password], [.passkey], [.oneTimeCode], [.passkey, .oneTimeCode], []])
    func onlyTheKindsThatAreWantedAreOffered(kinds: [CredentialKind]) async throws {
        let writer = try writer()
        _ = try await write(writer, .save, [TestIdentity.password(), passkey("1"), passkey("2"), code("ada")])
        let page = try #require(ServiceAddress(TestIdentity.page, suffixes: Self.suffixes))
        let (found, total) = try await reader().matches(page, kinds: Set(kinds), limit: 10)
        #expect(Set(found.map(\.identity.kind)) == Set(kinds))
        #expect(total == found.count)
        #expect(found.count == kinds.count + (kinds.contains(.passkey) ? 1 : 0))
    }

    @Test func severalKindsAndOriginsComeInOneOrder() async throws {
        let writer = try writer()
        let ranked = (0..<40).map { number in
            CredentialIdentity(
                kind: number % 2 == 0 ? .password : .oneTimeCode,
                service: ServiceIdentifier("https://a.example:\(8000 + number % 5)", kind: .url), user: "u\(number)",
                recordIdentifier: nil, rank: number * 7 % 40)
        }
        _ = try await write(writer, .save, ranked)
        let page = try #require(ServiceAddress(TestIdentity.page, suffixes: Self.suffixes))
        let (found, total) = try await reader().matches(page, kinds: [.password, .oneTimeCode], limit: 10)
        #expect(found.map(\.identity.rank) == (30..<40).reversed())
        #expect(found.allSatisfy { $0.match == .host })
        #expect(total == 40)
    }

    @Test func passkeyAndNothingElseNamesItsCredential() async throws {
        let writer = try writer()
        let service = ServiceIdentifier("a.example", kind: .domain)
        let reference = PasskeyReference(credentialID: Data([1]), userHandle: Data())
        let empty = PasskeyReference(credentialID: Data(), userHandle: Data())
        let long = PasskeyReference(credentialID: Data(count: 1024), userHandle: Data())
        for (kind, passkey) in [
            (CredentialKind.passkey, nil), (.password, reference), (.passkey, empty), (.passkey, long),
        ] {
            let bad = CredentialIdentity(
                kind: kind, service: service, user: "ada", recordIdentifier: nil, passkey: passkey)
            #expect(await failure { _ = try await write(writer, .save, [bad]) }?.code == .invalidParameters)
        }
    }

    // MARK: - Last used

    @Test func lastUsedComesFirstAndStaysThroughReplacing() async throws {
        let writer = try writer()
        _ = try await write(writer, .save, identities(0..<3))
        try await writer.remember(identities(0..<3)[2], usedAt: 1000)
        try await writer.remember(identities(0..<3)[1], usedAt: 500)  // the clock was set back
        _ = try await write(writer, .replace, identities(0..<4))
        let page = try #require(ServiceAddress(TestIdentity.page, suffixes: Self.suffixes))
        let (found, _) = try await reader().matches(page, limit: 10)
        #expect(found.prefix(2).map(\.identity.user) == ["user1", "user2"])
        #expect(found.map(\.used) == [1001, 1000, 0, 0])
    }

    @Test func rankComesBeforeLastUse() async throws {
        let writer = try writer()
        _ = try await write(writer, .save, identities(0..<2) + identities(2..<3, rank: 1))
        try await writer.remember(identities(0..<1)[0], usedAt: 1000)
        let page = try #require(ServiceAddress(TestIdentity.page, suffixes: Self.suffixes))
        let (found, _) = try await reader().matches(page, limit: 10)
        #expect(found.map(\.identity.user) == ["user2", "user0", "user1"])
    }

    @Test func countingEnds() async throws {
        let writer = try writer()
        for start in stride(from: 0, to: 2000, by: 1000) {
            _ = try await write(writer, .save, identities(start..<(start + 1000)))
        }
        let page = try #require(ServiceAddress(TestIdentity.page, suffixes: Self.suffixes))
        let (found, total) = try await reader().matches(page, limit: 20)
        #expect(found.count == 20)
        #expect(total == IdentityReader.countingLimit)
    }
}

@Suite struct IdentityStoresTests {
    private let folder: TemporaryFolder
    private let key = ScriptedStoreKey()
    private let clock = ManualClock()
    private let stores: IdentityStores

    init() throws {
        folder = try TemporaryFolder()
        stores = try IdentityStores(
            folder: folder.path + "/identities", suffixes: PublicSuffixes(), key: key, clock: clock,
            log: EventLog { _ in })
    }

    private func save(_ provider: String) async throws {
        let now = MonotonicTime(nanoseconds: 1)
        _ = try await stores.use(provider) {
            try await $0.writer.write(
                .init(operation: .save, identities: [TestIdentity.password()]), owner: ObjectIdentifier(folder),
                now: now)
        }
    }

    private func count(_ provider: String) async throws -> Int {
        try await stores.use(provider) { try await $0.reader.count() }
    }

    @Test func disabledProviderHasNoStore() async throws {
        await stores.keepOnly(["a"])
        try await save("a")
        #expect(await failure { try await save("b") }?.code == .disabled)
        #expect(!folder.exists("identities/b.sqlite"))
    }

    @Test func providersDoNotSeeOneAnother() async throws {
        await stores.keepOnly(["a", "b"])
        try await save("a")
        #expect(try await count("a") == 1)
        #expect(try await count("b") == 0)
    }

    @Test func disablingWipes() async throws {
        await stores.keepOnly(["a", "b"])
        try await save("a")
        try await save("b")
        await stores.keepOnly(["b"])
        #expect(!folder.exists("identities/a.sqlite"))
        #expect(!folder.exists("identities/a.sqlite-wal"))
        #expect(await failure { _ = try await count("a") }?.code == .disabled)
        await stores.keepOnly(["a", "b"])
        #expect(try await count("a") == 0)
        #expect(try await count("b") == 1)
    }

    @Test func storesOfForgottenProvidersAreWiped() async throws {
        try folder.write("x", to: "identities/gone.sqlite")
        await stores.keepOnly(["a"])
        #expect(!folder.exists("identities/gone.sqlite"))
    }

    @Test(arguments: ["", "SQLite format 3\u{0}garbage", "no database at all, but long enough to be a header of one"])
    func damagedFileIsReplacedByAnEmptyStore(contents: String) async throws {
        try folder.write(contents, to: "identities/a.sqlite")
        await stores.keepOnly(["a"])
        #expect(try await count("a") == 0)
        try await save("a")
        #expect(try await count("a") == 1)
    }

    @Test func damageThatShowsLaterEmptiesTheStore() async throws {
        await stores.keepOnly(["a"])
        let now = MonotonicTime(nanoseconds: 1)
        _ = try await stores.use("a") {
            try await $0.writer.write(
                .init(
                    operation: .save,
                    identities: (0..<1000).map { TestIdentity.password("user\($0)", record: "\($0)") }),
                owner: ObjectIdentifier(folder), now: now)
        }
        await stores.close()
        let file = folder.path + "/identities/a.sqlite"
        let handle = try #require(FileHandle(forWritingAtPath: file))
        let size = try handle.seekToEnd()
        try handle.seek(toOffset: 4096)
        try handle.write(contentsOf: Data(repeating: 0xA5, count: Int(size) - 4096))
        try handle.close()
        _ = await failure { _ = try await count("a") }
        try await save("a")
        #expect(try await count("a") == 1)
    }

    @Test func manyAtOnceOpenWipeAndWrite() async throws {
        await stores.keepOnly(["a"])
        await withTaskGroup(of: Void.self) { group in
            for round in 0..<40 {
                group.addTask { [stores] in
                    if round % 8 == 0 { await stores.wipe("a") } else { _ = await failure { try await save("a") } }
                }
            }
        }
        try await save("a")
        #expect(try await count("a") == 1)
    }
}
