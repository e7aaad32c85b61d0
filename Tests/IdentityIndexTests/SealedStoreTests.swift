import AutoFillProtocol
import BrokerTestSupport
import ClockTestSupport
import Foundation
import KeywayCrypto
import KeywaySQLite
import KeywaySystem
import ServiceMatching
import Testing

@testable import BrokerBase
@testable import IdentityIndex

/// What the file of a store tells to whoever has it without the key, and what becomes of it in other hands.
@Suite struct SealedStoreTests {
    private static let suffixes = PublicSuffixes()
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path + "/store.sqlite"
    }

    private func table(key: UInt8 = 1, provider: String = "test") throws -> IdentityTable {
        try StoreFile(path: path, key: key, provider: provider).table()
    }

    private func passkey(_ user: String, _ credential: String) -> CredentialIdentity {
        CredentialIdentity(
            kind: .passkey, service: ServiceIdentifier("canary-party.example", kind: .domain), user: user,
            recordIdentifier: "canary-record", rank: 77,
            passkey: PasskeyReference(
                credentialID: Data(credential.utf8), userHandle: Data("canary-handle".utf8)))
    }

    @Test func nothingOfAnIdentityIsReadableInTheFiles() throws {
        let table = try table()
        let rank = 0x6361_6E61_7279_7231  // "canaryr1"
        let used: Int64 = 0x6361_6E61_7279_7532
        try table.transaction { () throws(SQLiteError) in
            try table.save(passkey("canary-user", "canary-credential"))
            try table.save(TestIdentity.password("canary-second", at: "https://canary-site.example/x", rank: rank))
            guard let row = try table.find(table.keys.name(of: passkey("canary-user", "canary-credential"))) else {
                throw .damaged
            }
            try table.put(IdentityRecord(row.record.identity, used: used), instead: row)
            try table.setNewestUse(used)
        }
        for suffix in ["", "-wal", "-shm"] {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: path + suffix))
            for canary in ["canary", "yranac", "example", "1ryranac", "2uyranac", "anary", "77\n"] {
                #expect(bytes.range(of: Data(canary.utf8)) == nil, "\(canary) in \(suffix)")
            }
        }
        let staged = try StagedWrite(
            .save, owner: ObjectIdentifier(folder), at: MonotonicTime(nanoseconds: 1), folder: folder.path)
        try staged.append([passkey("canary-user", "canary")], at: MonotonicTime(nanoseconds: 2))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).allSatisfy { !$0.contains("staged") })
    }

    @Test func stagedPartsAreSealedAndComeBack() throws {
        let start = MonotonicTime(nanoseconds: 1)
        let staged = try StagedWrite(.save, owner: ObjectIdentifier(folder), at: start, folder: folder.path)
        let parts = [[passkey("ada", "1")], [], (0..<300).map { TestIdentity.password("u\($0)", record: nil) }]
        for part in parts { try staged.append(part, at: start) }
        var back: [[CredentialIdentity]] = []
        try staged.forEachPart { back.append($0) }
        #expect(back == [parts[0], parts[2]])
        #expect(staged.count == 301)
    }

    @Test(arguments: [30, nil]) func theCodesPeriodComesBack(period: Int?) {
        let code = CredentialIdentity(
            kind: .oneTimeCode, service: TestIdentity.page, user: "ada", recordIdentifier: "r", rank: 3, period: period)
        let record = IdentityRecord(code, used: 7).encoded().withUnsafeBytes { IdentityRecord(decoding: $0) }
        #expect(record == IdentityRecord(code, used: 7))
    }

    @Test func lengthsAreRounded() {
        let lengths = (0..<20).map { length in
            let user = String(repeating: "u", count: length)
            return IdentityRecord(TestIdentity.password(user)).encoded().count
        }
        #expect(Set(lengths).count <= 2)
        #expect(lengths.allSatisfy { $0 % 32 == 0 })
    }

    // MARK: - Other hands

    @Test(arguments: [(2, "test"), (1, "another")])
    func otherKeyOrProviderReadsNothing(key: Int, provider: String) throws {
        try table().save(TestIdentity.password())
        #expect(throws: SQLiteError.damaged) { try table(key: UInt8(key), provider: provider) }
    }

    @Test(arguments: [
        "host = host + 1", "origin = origin + 1", "site = site + 1", "site = NULL", "name = randomblob(16)",
    ])
    func rowThatWasMovedDoesNotOpen(change: String) throws {
        let identity = TestIdentity.password()
        let name: [UInt8]
        do {
            let table = try table()
            try table.save(identity)
            name = table.keys.name(of: identity)
            try table.database.run("UPDATE identities SET \(change)")
        }
        let again = try table()
        let query = try again.prepared("SELECT \(SealedRows.columns) FROM identities")
        _ = try query.step()
        #expect(throws: SQLiteError.damaged) { try again.rows.open(query) }
        query.reset()
        if change.hasPrefix("name") { #expect(try again.find(name) == nil) }
    }

    @Test func newFileSharesNoNameWithTheOneBefore() throws {
        let first = try table().keys.name(of: TestIdentity.password())
        IdentityDatabase.remove(path: path)
        #expect(try table().keys.name(of: TestIdentity.password()) != first)
    }

    @Test(arguments: [1, 2])
    func plainFileOfAnEarlierVersionIsOverwrittenAndReplaced(version: Int) throws {
        try plain(version)
        // Whoever holds the old file open sees what became of its content.
        let old = try #require(FileHandle(forReadingAtPath: path))
        #expect(try table().count == 0)
        let left = try old.readToEnd() ?? Data()
        #expect(!left.isEmpty)
        #expect(left.allSatisfy { $0 == 0 })
        try table().save(TestIdentity.password())
        #expect(try table().count == 1)
    }

    private func plain(_ version: Int) throws {
        let database = try Database(path: path, access: .create, journal: .rollback)
        try database.execute("CREATE TABLE identities(user TEXT); PRAGMA user_version = \(version)")
        try database.run("INSERT INTO identities VALUES ('canary-plain')")
    }

    @Test func laterVersionIsNotTouched() throws {
        do {
            let database = try Database(path: path, access: .create, journal: .rollback)
            try database.execute("PRAGMA user_version = 99")
        }
        #expect(throws: SQLiteError.damaged) { try table() }
    }

    // MARK: - Order

    /// Saves, uses, removals and changes of rank in any order leave the lists in the order of rank and use.
    @Test(arguments: 0..<4)
    func listsStayInOrder(seed: UInt64) throws {
        var random = Stream(state: seed &* 7919 &+ 1)
        let table = try table()
        var expected: [String: IdentityRecord] = [:]
        var clock: Int64 = 1
        try table.transaction { () throws(SQLiteError) in
            for _ in 0..<250 {
                let user = "u\(random.next() % 30)"
                let rank = seed % 2 == 0 ? 0 : Int(random.next() % 4)
                let site = random.next() % 5 == 0 ? "http://a.example" : "https://a.example"
                let identity = TestIdentity.password(user, at: site, record: user, rank: rank)
                let name = site + user
                switch random.next() % 8 {
                case 0:
                    try table.remove(identity)
                    expected[name] = nil
                case 1, 2, 3:
                    guard let row = try table.find(table.keys.name(of: identity)) else { continue }
                    clock += 1
                    try table.put(IdentityRecord(row.record.identity, used: clock), instead: row)
                    expected[name]?.used = clock
                default:
                    try table.save(identity)
                    expected[name] = IdentityRecord(identity, used: expected[name]?.used ?? 0)
                }
            }
        }
        #expect(table.count == expected.count)
        for site in ["https://a.example", "http://a.example"] {
            let list = table.keys.places(of: TestIdentity.password(at: site), suffixes: Self.suffixes).list
            let stored = try MatchLevel.Part(list: list, exceptHost: nil).first(1000, in: table)
            let wanted = expected.values.filter { $0.identity.service.identifier == site }
            #expect(Set(stored) == Set(wanted))
            #expect(zip(stored, stored.dropFirst()).allSatisfy { !$1.isBefore($0) })
        }
    }

    @Test func roomBetweenTwoRowsNeverEnds() throws {
        let table = try table()
        try table.transaction { () throws(SQLiteError) in
            try table.save(TestIdentity.password("first", rank: 9))
            for index in 0..<20 { try table.save(TestIdentity.password("u\(index)", record: "\(index)")) }
            // Positions as after very many uses: no room is left behind the first row.
            try table.database.run("UPDATE identities SET position = id")
            for index in 0..<20 {
                let identity = TestIdentity.password("u\(index)", record: "\(index)")
                guard let row = try table.find(table.keys.name(of: identity)) else { throw .damaged }
                try table.put(IdentityRecord(identity, used: Int64(index + 1)), instead: row)
            }
        }
        let list = table.keys.places(of: TestIdentity.password(), suffixes: Self.suffixes).list
        let users = try MatchLevel.Part(list: list, exceptHost: nil).first(100, in: table).map(\.identity.user)
        #expect(users == ["first"] + (0..<20).reversed().map { "u\($0)" })
    }

    private struct Stream {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state >> 33
        }
    }

    // MARK: - Damage

    /// Whatever bytes are altered or cut off: the store works afterwards, with what it had or empty, and never crashes.
    @Test(arguments: 0..<16)
    func damagedFileIsReplacedAndNeverCrashes(seed: Int) async throws {
        let identities = (0..<80).map { TestIdentity.password("user\($0)", record: "\($0)") }
        do {
            let table = try table()
            try table.transaction { () throws(SQLiteError) in for one in identities { try table.save(one) } }
        }
        try folder.write(Data(contentsOf: URL(fileURLWithPath: path)), to: "identities/test.sqlite")
        let place = folder.path + "/identities/test.sqlite"
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: place)))
        var random = Stream(state: UInt64(seed) &* 104_729 &+ 3)
        if seed % 4 == 0 {
            bytes.removeLast(Int(random.next()) % bytes.count)
        } else {
            for _ in 0..<(1 << (seed % 8)) { bytes[Int(random.next()) % bytes.count] ^= 1 << UInt8(random.next() % 8) }
        }
        try Data(bytes).write(to: URL(fileURLWithPath: place))
        chmod(folder.path + "/identities", 0o700)
        let stores = try IdentityStores(
            folder: folder.path + "/identities", suffixes: Self.suffixes, key: ScriptedStoreKey(),
            clock: ManualClock(), log: EventLog { _ in })
        await stores.keepOnly(["test"])
        let page = try #require(ServiceAddress(TestIdentity.page, suffixes: Self.suffixes))
        for _ in 0..<4 {
            _ = await failure { _ = try await stores.use("test") { try await $0.reader.matches(page, limit: 300) } }
            _ = await failure {
                try await stores.use("test") { try await $0.writer.remember(identities[7], usedAt: 5) }
            }
        }
        let owner = ObjectIdentifier(folder)
        let now = MonotonicTime(nanoseconds: 1)
        for attempt in 0..<3 {
            let error = await failure {
                _ = try await stores.use("test") {
                    try await $0.writer.write(
                        .init(operation: .replace, identities: identities), owner: owner, now: now)
                }
            }
            // What is damaged where nobody looked before is found, and the next write succeeds.
            if attempt == 2 { #expect(error == nil) }
        }
        let (found, _) = try await stores.use("test") { try await $0.reader.matches(page, limit: 300) }
        #expect(Set(found.map(\.identity)) == Set(identities))
        await stores.close()
    }
}
