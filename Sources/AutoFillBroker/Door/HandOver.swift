import BrokerBase
import KeywaySystem
import Synchronization

/// Ends the broker when its program was replaced or removed, by an upgrade for example, as soon as nobody loses anything
/// by that. The next client starts the program that is installed then.
final class HandOver: Sendable {
    /// How long nobody may have asked anything: what a menu offers is good for one connection.
    static let quiet = Duration.seconds(30)
    /// How long those are waited for whom nobody approved: any program can stay connected, and keep the old broker running.
    static let patience = Duration.seconds(600)
    /// How often is looked whether that is so.
    static let interval = Duration.seconds(5)

    private let clock: any TimeSource
    private let log: EventLog
    private let isReplaced: @Sendable () -> Bool
    private let use: @Sendable (_ countsStrangers: Bool) async -> BrokerUse
    private let end: @Sendable () -> Void
    private let isWaiting = Mutex(false)

    /// Looks at nothing before ``look()``.
    ///
    /// - Parameters:
    ///   - isReplaced: whether the file at the path of the broker's program is no longer the one that runs.
    ///   - use: who uses the broker now, with or without programs that nobody approved.
    ///   - end: ends the broker; called once.
    init(
        clock: any TimeSource, log: EventLog, isReplaced: @escaping @Sendable () -> Bool,
        use: @escaping @Sendable (_ countsStrangers: Bool) async -> BrokerUse, end: @escaping @Sendable () -> Void
    ) {
        self.clock = clock
        self.log = log
        self.isReplaced = isReplaced
        self.use = use
        self.end = end
    }

    /// Whether the program was replaced: to be asked whenever something changes in its folder.
    func look() {
        let begins = isWaiting.withLock { isWaiting in
            guard !isWaiting, isReplaced() else { return false }
            isWaiting = true
            return true
        }
        guard begins else { return }
        log("the program was replaced: ending as soon as nobody uses this one")
        Task { await waitForQuiet() }
    }

    private func waitForQuiet() async {
        var last: BrokerUse?
        let begin = clock.now
        var since = begin
        while goesOn() {
            let use = await use(clock.now.since(begin) < Self.patience)
            if use.isBusy || use != last { since = clock.now }
            last = use
            guard clock.now.since(since) < Self.quiet else { return end() }
            do { try await clock.sleep(for: Self.interval) } catch { return }
        }
    }

    /// Whether there is still something to wait for: the program may have been put back.
    private func goesOn() -> Bool {
        isWaiting.withLock { isWaiting in
            isWaiting = isReplaced()
            return isWaiting
        }
    }
}

/// How much the broker is used at a moment.
struct BrokerUse: Equatable {
    /// Whether somebody would lose something by the broker's end: a request runs, a terminal is connected, a provider's
    /// extension works, or a vault is open.
    let isBusy: Bool
    /// Counts connections and requests: another number means that somebody asked meanwhile.
    let count: Int
}

extension Broker {
    /// Who uses the broker now. A browser that is connected and asks nothing connects again by itself.
    func use(countsStrangers: Bool = true) async -> BrokerUse {
        let holdsWork = await processes.holdsWork
        let use = connections.use(countsStrangers: countsStrangers)
        return BrokerUse(isBusy: holdsWork || use.isBusy, count: use.count)
    }
}
