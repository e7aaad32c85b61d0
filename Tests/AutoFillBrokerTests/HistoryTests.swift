import AutoFillProtocol
import AutoFillWire
import BrokerTestSupport
import ClockTestSupport
import Foundation
import KeywayCrypto
import KeywaySQLite
import KeywaySystem
import Synchronization
import Testing

@testable import AutoFillBroker
@testable import BrokerBase
@testable import IdentityIndex

/// What the history keeps, for how long, and what its file tells to whoever has it without the key.
@Suite(.timeLimit(.minutes(5))) struct HistoryTests {
    private let folder: TemporaryFolder
    private let clock = ManualClock()
    private let keys = ScriptedStoreKey()
    private let told = Told()

    private final class Told: Sendable {
        let sentences = Mutex<[String]>([])
        var all: [String] { sentences.withLock { $0 } }
    }

    init() throws {
        folder = try TemporaryFolder()
    }

    private var path: String { folder.path + "/history/history.sqlite" }

    private func history() throws -> History {
        let (keys, told) = (keys, told)
        return try History(
            folder: folder.path + "/history", clock: clock, log: EventLog { _ in },
            tell: { line in told.sentences.withLock { $0.append(line) } },
            key: { () async throws(ProtocolError) in
                guard let key = await keys.fetch().key else { throw ProtocolError(.locked, "The session is locked.") }
                return key
            })
    }

    private func entry(
        _ account: String, at time: Int64? = nil, event: HistoryEntry.Event = .fill, detail: String? = nil
    ) -> HistoryEntry {
        HistoryEntry(
            time: time ?? clock.milliseconds, event: event, client: "canary-client",
            provider: ProviderReference(identifier: "test.vault", name: "canary-vault"), service: "canary.example",
            account: account, kind: .password, method: .pin, detail: detail)
    }

    private func list(
        _ history: History, _ limit: Int? = nil, before: Int64? = nil
    ) async throws -> ListHistory.Result {
        try await history.list(.init(limit: limit, before: before))
    }

    @Test func everythingOfAnEntryComesBackNewestFirst() async throws {
        let history = try history()
        let entries = ["ada", "bob"].map { entry($0, detail: "why") }
        for entry in entries { history.note(entry) }
        let found = try await list(history)
        #expect(found.entries.map(\.account) == ["bob", "ada"])
        #expect(found.entries.last == entries[0])
        #expect(!found.hasMore)
    }

    @Test func whatWasNotedSurvivesTheBroker() async throws {
        let first = try history()
        first.note(entry("ada"))
        await first.write()
        await first.close()
        #expect(try await list(try history()).entries.map(\.account) == ["ada"])
    }

    @Test func pagesAreWholeEvenWithinOneMoment() async throws {
        let history = try history()
        for index in 0..<25 { history.note(entry("\(index)")) }
        var seen: [String?] = []
        var before: Int64?
        while true {
            let page = try await list(history, 10, before: before)
            seen += page.entries.map(\.account)
            before = page.entries.last?.time
            if !page.hasMore { break }
        }
        #expect(seen == (0..<25).reversed().map { "\($0)" })
    }

    @Test func clockThatWasSetBackHidesNothing() async throws {
        let history = try history()
        let now = clock.milliseconds
        history.note(entry("late", at: now + 4000))
        await history.write()
        history.note(entry("early", at: now))
        let found = try await list(history)
        #expect(found.entries.map(\.account) == ["early", "late"])
        #expect(found.entries.first?.time == now + 4001)
    }

    // MARK: - Bounds

    @Test func oldestIsTakenAway() throws {
        try FileManager.default.createDirectory(atPath: folder.path + "/history", withIntermediateDirectories: true)
        var file = try HistoryFile(path: path, storeKey: ScriptedStoreKey.key(1))
        for round in 0..<3 {
            let entries = (0..<40).map { entry("\(round * 40 + $0)", at: Int64(round * 40 + $0)) }
            try file.append(entries, limit: 50, horizon: 0)
            // What was taken away is no damage.
            file = try HistoryFile(path: path, storeKey: ScriptedStoreKey.key(1))
        }
        let (found, hasMore) = try file.newest(1000, before: .max)
        #expect(found.compactMap(\.account) == (70..<120).reversed().map { "\($0)" })
        #expect(!hasMore)
        #expect(History.limit == 10_000)
    }

    @Test func afterAYearAnEntryIsGone() async throws {
        let history = try history()
        let now = clock.milliseconds
        history.note(entry("old", at: now))
        history.note(entry("newer", at: now + 1000))
        await history.write()
        clock.set(milliseconds: now + History.age + 500)
        history.note(entry("now"))
        #expect(try await list(history).entries.map(\.account) == ["now", "newer"])
    }

    @Test(arguments: HistoryEntry.Event.allCases)
    func whoDoesTheSameAgainAndAgainPushesNothingOut(event: HistoryEntry.Event) async throws {
        let history = try history()
        let most = EntryBudget.most(event)
        history.note(entry("first", event: event == .fill ? .save : .fill))
        for start in stride(from: 0, to: most + 500, by: 500) {
            for _ in start..<min(start + 500, most + 500) { history.note(entry("eve", event: event, detail: "x")) }
            await history.write()
        }
        let file = try await list(history, 1000)
        #expect(file.entries.first?.detail == "500 more \(event.plural) are not listed.")
        let older = try await history.list(.init(limit: 1000, before: file.entries.last?.time))
        let all = file.entries + older.entries
        #expect(all.count { $0.account == "eve" } == most)
        #expect(all.last?.account == "first")
    }

    @Test func whatWasNotListedIsWrittenDownOnceWhoeverListsMeanwhile() async throws {
        let history = try history()
        let most = EntryBudget.most(.refusal)
        for _ in 0..<10 {
            for _ in 0..<50 { history.note(entry("eve", event: .refusal)) }
            _ = try await list(history)
        }
        #expect(try await list(history, 1).entries.map(\.detail) == ["\(500 - most) more refusals are not listed."])
        clock.advance(by: EntryBudget.window)
        history.note(entry("eve", event: .refusal))
        let found = try await list(history, 1000).entries
        #expect(found.first?.event == .refusal)
        #expect(found.map(\.detail).filter { $0 != nil } == ["\(500 - most) more refusals are not listed."])
    }

    /// Whoever can end the broker must not get a new budget by it.
    @Test func endingTheBrokerPushesNothingOut() async throws {
        let most = EntryBudget.most(.refusal)
        let first = try history()
        first.note(entry("first"))
        await first.write()
        await first.close()
        for _ in 0..<4 {
            let next = try history()
            for _ in 0..<(most - 10) { next.note(entry("eve", event: .refusal)) }
            await next.write()
            await next.close()
        }
        let last = try history()
        #expect(try await list(last, 1000).entries.count { $0.account == "eve" } == most)
        last.note(entry("mallory", event: .refusal))
        let found = try await list(last, 1000).entries
        #expect(found.first?.detail == "1 more refusals are not listed.")
        #expect(found.count { $0.account == "mallory" } == 0)
        // Other kinds are not touched, and an hour later there is room again.
        last.note(entry("bob"))
        #expect(try await list(last, 1000).entries.contains { $0.account == "bob" })
        await last.close()
        clock.set(milliseconds: clock.milliseconds + Int64(EntryBudget.window / .milliseconds(1)) + 1000)
        let later = try history()
        later.note(entry("carol", event: .refusal))
        #expect(try await list(later, 1000).entries.contains { $0.account == "carol" })
    }

    @Test func textsAreOneHarmlessLine() async throws {
        let history = try history()
        history.note(entry("a\u{1B}[2J\nb", detail: String(repeating: "x", count: 100_000)))
        let found = try #require(try await list(history).entries.first)
        #expect(found.account == "a[2J b")
        #expect(found.detail?.count == DisplayText.maximumLine)
    }

    // MARK: - The key

    @Test func whatHappensWhileLockedIsCountedAndNotKept() async throws {
        let history = try history()
        history.note(entry("before"))
        await history.write()
        keys.set(nil)
        await history.close()
        for name in ["canary-locked", "canary-locked2"] { history.note(entry(name)) }
        await history.write()
        #expect(await failure { _ = try await list(history) }?.code == .locked)
        keys.set(1)
        history.note(entry("after"))
        let found = try await list(history).entries
        #expect(found.map(\.account) == ["after", nil, "before"])
        #expect(found.dropFirst().first?.detail?.hasPrefix("2 entries are missing here") == true)
    }

    @Test func keyFromBeforeTheLockOpensNothingAfterIt() async throws {
        let gate = Gate()
        let history = try History(
            folder: folder.path + "/history", clock: clock, log: EventLog { _ in }, tell: { _ in },
            key: { () async throws(ProtocolError) in
                await gate.wait()
                return ScriptedStoreKey.key(1)
            })
        let list = Task { try await history.list(.init()) }
        try await eventually { gate.isAwaited }
        await history.close()
        gate.open()
        #expect(await failure { _ = try await list.value }?.code == .locked)
    }

    private final class Gate: Sendable {
        private struct State {
            var waiting: [CheckedContinuation<Void, Never>] = []
            var isOpen = false
        }
        private let state = Mutex(State())

        var isAwaited: Bool { state.withLock { !$0.waiting.isEmpty } }

        func wait() async {
            await withCheckedContinuation { continuation in
                let isOpen = state.withLock { state in
                    if !state.isOpen { state.waiting.append(continuation) }
                    return state.isOpen
                }
                if isOpen { continuation.resume() }
            }
        }

        func open() {
            let waiting = state.withLock { state in
                state.isOpen = true
                defer { state.waiting = [] }
                return state.waiting
            }
            for continuation in waiting { continuation.resume() }
        }
    }

    // MARK: - The file

    @Test func fileTellsNothingWithoutTheKey() async throws {
        let history = try history()
        history.note(entry("canary-account", detail: "canary-detail"))
        await history.write()
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path + "/history")
        where name.hasPrefix("history") {
            // A journal goes once its transaction has ended.
            guard let bytes = FileManager.default.contents(atPath: folder.path + "/history/" + name) else { continue }
            for canary in ["canary", "example", "test.vault", "fill", "password", "pin"] {
                #expect(bytes.range(of: Data(canary.utf8)) == nil, "\(canary) in \(name)")
            }
        }
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(FileManager.default.fileExists(atPath: folder.path + "/history/CACHEDIR.TAG"))
    }

    @Test func whatWasWrittenIsThereThoughNobodyClosedTheFile() async throws {
        let first = try history()
        first.note(entry("ada"))
        await first.write()
        // As after a crash: the file with the log beside it.
        let next = folder.path + "/next"
        try FileManager.default.createDirectory(atPath: next, withIntermediateDirectories: true)
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: path + suffix, toPath: next + "/history.sqlite" + suffix)
        }
        let file = try HistoryFile(path: next + "/history.sqlite", storeKey: ScriptedStoreKey.key(1))
        #expect(try file.newest(10, before: .max).entries.map(\.account) == ["ada"])
    }

    @Test func aClosedFileIsAlone() async throws {
        let history = try history()
        history.note(entry("ada"))
        await history.write()
        #expect(FileManager.default.fileExists(atPath: path + "-wal"))
        await history.close()
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/history")
        #expect(names.filter { $0.hasPrefix("history") } == ["history.sqlite"])
    }

    @Test func lengthsAreRounded() throws {
        let lengths = try (0..<40).map { length in
            try HistoryRecord(entry(String(repeating: "u", count: length))).encoded().count
        }
        #expect(Set(lengths).count <= 2)
        #expect(lengths.allSatisfy { $0 % 128 == 0 })
    }

    /// Whoever can write the file cannot make it tell another story: it is set aside, and that is said.
    @Test(arguments: [
        "DELETE FROM entries WHERE number = 2", "DELETE FROM entries WHERE number = 3",
        "DELETE FROM entries WHERE number = 1", "UPDATE entries SET number = number + 1 WHERE number = 3",
        "UPDATE entries SET sealed = (SELECT sealed FROM entries WHERE number = 1) WHERE number = 2",
        "UPDATE entries SET sealed = zeroblob(168) WHERE number = 1", "DROP TABLE entries",
        "UPDATE meta SET value = randomblob(16) WHERE name = 'salt'", "DELETE FROM meta WHERE name = 'range'",
        "INSERT INTO entries VALUES (4, zeroblob(168))", "PRAGMA user_version = 9",
    ])
    func alteredFileIsSetAsideAndSaid(change: String) async throws {
        let first = try history()
        for name in ["a", "b", "c"] { first.note(entry(name)) }
        await first.write()
        await first.close()
        do {
            let database = try Database(path: path, access: .readWrite)
            try database.execute(change)
        }
        let history = try history()
        let found = try await list(history).entries
        #expect(found.count == 1)
        #expect(found.first?.detail?.contains("was changed by another program") == true)
        #expect(told.all.count == 1)
        #expect(FileManager.default.fileExists(atPath: path + ".damaged"))
        history.note(entry("later"))
        #expect(try await list(history).entries.count == 2)
    }

    @Test func fileOfAnotherKeyIsSetAside() async throws {
        let first = try history()
        first.note(entry("ada"))
        await first.write()
        await first.close()
        keys.set(2)
        let history = try history()
        history.note(entry("bob"))
        #expect(try await list(history).entries.map(\.account) == ["bob", nil])
        #expect(told.all.count == 1)
    }

    @Test(arguments: 0..<12)
    func damagedBytesNeverCrash(seed: Int) async throws {
        let first = try history()
        for index in 0..<50 { first.note(entry("\(index)")) }
        await first.write()
        await first.close()
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        var state = UInt64(seed) &* 104_729 &+ 3
        func next() -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33)
        }
        if seed % 4 == 0 {
            bytes.removeLast(next() % bytes.count)
        } else {
            for _ in 0..<(1 << (seed % 8)) { bytes[next() % bytes.count] ^= 1 << UInt8(next() % 8) }
        }
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let history = try history()
        history.note(entry("after"))
        _ = try await list(history, 1000)
        // Damage that nobody met before is found by whoever lists it: from then on it is another file.
        history.note(entry("later"))
        #expect(try await list(history, 1000).entries.first?.account == "later")
    }

    @Test func clearingLeavesThatItWasCleared() async throws {
        let history = try history()
        for name in ["a", "b"] { history.note(entry(name)) }
        await history.write()
        let salt = try salt()
        try await history.clear(for: "keyway")
        let found = try await list(history).entries
        #expect(found.map(\.detail) == ["The history was cleared."])
        #expect(found.map(\.client) == ["keyway"])
        #expect(try self.salt() != salt)
        keys.set(nil)
        await history.close()
        #expect(await failure { try await history.clear(for: "keyway") }?.code == .locked)
    }

    /// That of the file, as it is now: read from a copy, with its log, because the broker holds the file.
    private func salt() throws -> [UInt8] {
        let copy = path + ".copy"
        for suffix in ["", "-wal"] {
            try? FileManager.default.removeItem(atPath: copy + suffix)
            try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix)
        }
        return try IdentityDatabase.value("salt", in: Database(path: copy, access: .readWrite))
    }
}
