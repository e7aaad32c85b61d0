import AutoFillProtocol
import AutoFillWire
import BrokerBase
import Glibc
import KeywayCrypto
import KeywaySQLite
import KeywaySystem
import Synchronization

/// Records what happened, in a file that can be opened only while the login session is unlocked: which program asked,
/// for which account, when, and how the person was verified.
///
/// Callers don't wait: a thread of its own writes the entries. While the session is locked, nothing is recorded, not
/// even in memory; the first entry afterwards says how many are missing.
actor History {
    /// The most entries; older ones are taken away.
    static let limit: Int64 = 10_000
    /// For how long an entry is kept, in milliseconds: a year.
    static let age: Int64 = 366 * 24 * 3600 * 1000
    /// The most entries that wait to be written.
    private static let maximumWaiting = 1000
    /// The most entries of one answer.
    private static let longestList = 1000
    /// Who says something here when no client did.
    fileprivate static let itself = "Keyway"
    /// Told to programs that make backups, by the specification of cache folders (bford.info/cachedir).
    private static let cacheTag = """
        Signature: 8a477f597d28d172789f06886806bc55
        # What Keyway filled on this machine, sealed to it. Nothing to keep elsewhere.

        """

    private struct Waiting {
        var entries: [HistoryEntry] = []
        var dropped = 0
        var budgets: [HistoryEntry.Event: EntryBudget] = [:]

        /// Whether `event` is listed, and how many were not in the window before.
        mutating func admits(_ event: HistoryEntry.Event, now: MonotonicTime) -> (Bool, unlisted: Int) {
            var budget = budgets[event] ?? EntryBudget(event)
            let unlisted = budget.finish(now: now)
            let isListed = budget.admits(now: now)
            budgets[event] = budget
            return (isListed, unlisted)
        }

        /// Counts what the file holds of the last window, and drops of what waits what is too much with that.
        mutating func count(_ earlier: [HistoryEntry.Event: Int], now: MonotonicTime) {
            for (event, count) in earlier {
                var budget = budgets[event] ?? EntryBudget(event)
                var room = budget.count(earlier: count, now: now)
                budgets[event] = budget
                entries = entries.filter { entry in
                    guard entry.event == event, entry.client != History.itself else { return true }
                    room -= 1
                    return room >= 0
                }
            }
        }
    }

    private let path: String
    private let key: @Sendable () async throws(ProtocolError) -> SecretKey
    private let clock: any TimeSource
    private let log: EventLog
    private let tell: @Sendable (String) -> Void
    private let policy: PolicyFiles
    private let waiting = Mutex(Waiting())
    private let executor = QueueExecutor(label: "org.keyway.history")
    private var file: HistoryFile?
    /// How often the file was closed: a key from before is not used after.
    private var closings = 0
    /// Whether the entries of an earlier broker are counted.
    private var hasCounted = false

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// The history in `folder`, which is made and checked.
    ///
    /// - Parameters:
    ///   - policy: whether the administrator allows one.
    ///   - key: the store key; throws while there is none.
    ///   - tell: tells the person something, once.
    /// - Throws: ``ProtocolError`` with the code `refused` or `system` when the folder is not ours alone.
    init(
        folder: String, policy: PolicyFiles = .none, clock: any TimeSource, log: EventLog,
        tell: @escaping @Sendable (String) -> Void,
        key: @escaping @Sendable () async throws(ProtocolError) -> SecretKey
    ) throws(ProtocolError) {
        try PrivateFolder.prepare(folder)
        let tag = folder + "/CACHEDIR.TAG"
        if access(tag, F_OK) != 0 { try? FileContents.replace(tag, with: Array(Self.cacheTag.utf8)) }
        path = folder + "/history.sqlite"
        self.clock = clock
        self.log = log
        self.tell = tell
        self.key = key
        self.policy = policy
    }

    // MARK: - Noting

    /// Writes `entry` down, in the background; nothing where the administrator wants no history.
    nonisolated func note(_ entry: HistoryEntry) {
        guard policy.current.keepsHistory else { return }
        let isWorth = waiting.withLock { waiting in
            let (isListed, unlisted) = waiting.admits(entry.event, now: clock.now)
            if unlisted > 0 { waiting.entries.append(own(Self.unlisted(unlisted, entry.event))) }
            guard isListed else { return unlisted > 0 }
            guard waiting.entries.count < Self.maximumWaiting else {
                waiting.dropped += 1
                return false
            }
            waiting.entries.append(entry)
            return true
        }
        if isWorth { Task { await write() } }
    }

    /// Writes down that a provider that came with an upgrade of Keyway stays on, and what it declares beyond before.
    nonisolated func note(upgradeOf provider: ProviderReference, thatDeclares more: [String]) {
        let detail = "stays on after an upgrade of Keyway; it declares more now: \(more.joined(separator: ", "))"
        log("\(provider.identifier) \(detail)")
        note(
            HistoryEntry(
                time: clock.milliseconds, event: .change, client: Self.itself, provider: provider, detail: detail))
    }

    /// Writes what waits; returns when that is done, or given up.
    func write() async {
        guard waiting.withLock({ !$0.entries.isEmpty }) else { return }
        do throws(ProtocolError) {
            try await use { (file) throws(SQLiteError) in try append(to: file) }
        } catch {
            drop(because: error)
        }
    }

    private func append(to file: HistoryFile) throws(SQLiteError) {
        var newest = try file.newestTime() ?? 0
        var entries = waiting.withLock { waiting in
            defer { (waiting.entries, waiting.dropped) = ([], 0) }
            guard waiting.dropped > 0 else { return waiting.entries }
            return [own(Self.lost(waiting.dropped))] + waiting.entries
        }
        // Times only grow: a clock that was set back must not hide what came after.
        entries = entries.map { entry in
            newest = max(entry.time, newest + 1)
            return entry.bounded(at: newest)
        }
        do throws(SQLiteError) {
            try file.append(entries, limit: Self.limit, horizon: clock.milliseconds - Self.age)
        } catch {
            // Whoever opens a new file in the place of a damaged one still has them.
            waiting.withLock { $0.entries = entries + $0.entries }
            throw error
        }
    }

    private func drop(because error: ProtocolError) {
        let count = waiting.withLock { waiting in
            waiting.dropped += waiting.entries.count
            defer { waiting.entries = [] }
            return waiting.entries.count
        }
        if error.code != .locked, count > 0 { log("the history was not written: \(error.message)") }
    }

    private nonisolated func own(_ detail: String) -> HistoryEntry {
        HistoryEntry(time: clock.milliseconds, event: .change, client: Self.itself, detail: detail)
    }

    private static func unlisted(_ count: Int, _ event: HistoryEntry.Event) -> String {
        "\(count) more \(event.plural) are not listed."
    }

    private static func lost(_ count: Int) -> String {
        "\(count) entries are missing here: Keyway records nothing while the login session is locked."
    }

    // MARK: - Reading and clearing

    /// What happened.
    ///
    /// - Throws: ``ProtocolError``: `locked` while there is no key, `system`.
    func list(_ parameters: ListHistory.Parameters) async throws(ProtocolError) -> ListHistory.Result {
        await write()
        let limit = min(max(parameters.limit ?? 100, 1), Self.longestList)
        var (entries, hasMore) = try await use { (file) throws(SQLiteError) in
            try file.newest(limit, before: parameters.before ?? .max)
        }
        // It is said, and written down once the window is over: else whoever lists again and again fills the file.
        let unlisted = parameters.before == nil ? waiting.withLock { $0.budgets.filter { $0.value.unlisted > 0 } } : [:]
        let time = max(clock.milliseconds, (entries.first?.time ?? 0) + 1)
        for (event, budget) in unlisted {
            let detail = Self.unlisted(budget.unlisted, event)
            entries.insert(
                HistoryEntry(time: time, event: .change, client: Self.itself, detail: detail), at: 0)
        }
        hasMore = hasMore || entries.count > limit
        return ListHistory.Result(entries: Array(entries.prefix(limit)), hasMore: hasMore)
    }

    /// Forgets all of it; that `client` wanted this, and how the person was verified, is the one entry left.
    ///
    /// - Throws: ``ProtocolError``: `locked` while there is no key, `system`.
    func clear(for client: String, by method: VerificationMethod? = nil) async throws(ProtocolError) {
        _ = try await use { (_) throws(SQLiteError) in }
        file = nil
        HistoryFile.remove(path)
        HistoryFile.remove(aside)
        waiting.withLock { $0 = Waiting() }
        note(
            HistoryEntry(
                time: clock.milliseconds, event: .change, client: client, method: method,
                detail: "The history was cleared."))
        await write()
    }

    // MARK: - The file

    /// Closes the file and forgets its key: the login session is locked, or the broker ends. What waits is written if the
    /// file is open.
    func close() {
        closings += 1
        if let file { try? append(to: file) }
        file = nil
    }

    private var aside: String { path + ".damaged" }

    /// Runs `body` on the open file; one that is damaged is set aside, and another one begun.
    private func use<Result>(
        _ body: (HistoryFile) throws(SQLiteError) -> Result
    ) async throws(ProtocolError) -> Result {
        let before = closings
        let key = try await key()
        guard closings == before else { throw ProtocolError(.locked, "The login session is locked.") }
        do throws(SQLiteError) {
            return try body(try opened(key))
        } catch {
            file = nil
            guard error.isDamage else { throw Self.failure(error) }
        }
        setAside()
        do throws(SQLiteError) {
            let file = try opened(key)
            try append(to: file)
            return try body(file)
        } catch {
            file = nil
            throw Self.failure(error)
        }
    }

    private static func failure(_ error: SQLiteError) -> ProtocolError {
        switch error.code {
        case .busy: ProtocolError(.busy, "The history is busy; try again.")
        case .full: ProtocolError(.system, "The disk is full, so nothing was added to the history.")
        default: ProtocolError(.system, "The history failed (\(error.code)).")
        }
    }

    private func opened(_ key: SecretKey) throws(SQLiteError) -> HistoryFile {
        if let file { return file }
        let opened = try HistoryFile(path: path, storeKey: key)
        if !hasCounted {
            let window = Int64(EntryBudget.window / .milliseconds(1))
            let earlier = try opened.counts(since: clock.milliseconds - window, without: Self.itself)
            waiting.withLock { $0.count(earlier, now: clock.now) }
            hasCounted = true
        }
        file = opened
        return opened
    }

    private func setAside() {
        HistoryFile.remove(aside)
        for suffix in ["", "-journal", "-wal"] { rename(path + suffix, aside + suffix) }
        unlink(path + "-shm")
        let sentence =
            "The history was changed by another program, or its key is lost. Keyway kept it as "
            + "\(aside) and started a new one."
        log(sentence)
        tell(sentence)
        waiting.withLock { $0.entries.insert(own(sentence), at: 0) }
    }
}
