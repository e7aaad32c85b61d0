import BrokerBase
import KeywaySystem
import Synchronization

/// Limits how much one program can learn in a given time.
///
/// A person opens one page after another and signs in to a few of them. A program that goes through a list of sites is
/// stopped after a few dozen, whatever the number of its connections.
final class AskingLimits: Sendable {
    /// What fills up with time and is used up by asking.
    struct Allowance: Sendable {
        /// How many at once.
        let burst: Double
        /// How long it takes until there is one more.
        let interval: Duration
        /// The most sites or accounts whose repetition is free.
        let remembered: Int

        /// Sites that accounts are asked for: a person with many tabs stays below.
        static let sites = Allowance(burst: 30, interval: .seconds(2), remembered: 64)
        /// Accounts whose credentials are given.
        static let accounts = Allowance(burst: 20, interval: .seconds(3), remembered: 32)
        /// Sites that a browser was never filled on, and that the person is asked about.
        static let newSites = Allowance(burst: 10, interval: .seconds(60), remembered: 0)
    }

    /// The rest of one allowance.
    private struct Rest {
        var amount: Double
        var since: MonotonicTime
        var recent: [String] = []
        var isExceeded = false

        /// Takes one for each of `things` that was not asked for lately; false when there is not enough.
        mutating func take(_ things: [String], of allowance: Allowance, at now: MonotonicTime) -> Bool {
            amount = min(allowance.burst, amount + now.since(since) / allowance.interval)
            since = now
            if amount >= allowance.burst { isExceeded = false }
            let new = Set(things).subtracting(recent)
            guard Double(new.count) <= amount else { return false }
            amount -= Double(new.count)
            recent = (recent + new).suffix(allowance.remembered)
            return true
        }
    }

    private struct Client {
        var sites: Rest
        var accounts: Rest
        var newSites: Rest
    }

    private let state = Mutex<[String: Client]>([:])
    private let clock: any TimeSource
    private let tell: @Sendable (_ client: String, _ sentence: String) -> Void

    /// Limits by `clock`; `tell` is called once when a program is stopped.
    init(clock: any TimeSource, tell: @escaping @Sendable (_ client: String, _ sentence: String) -> Void) {
        self.clock = clock
        self.tell = tell
    }

    /// The client `identifier`, called `name`, asks for the accounts of `sites`.
    ///
    /// - Parameter program: whom it is counted for, as the kernel tells it; a profile is what the program says.
    /// - Throws: ``ProtocolError`` with the code `rateLimited`.
    func ask(_ identifier: String, _ name: String, program: String? = nil, sites: [String]) throws(ProtocolError) {
        try take(sites, .sites, \.sites, program ?? identifier, name) {
            "\(name) asked for the accounts of many sites in a row, so Keyway stopped it. If this wasn't you: "
                + "keyway clients refuse \(identifier.shownIdentifier)"
        }
    }

    /// A browser is to fill `site`, which it never filled before.
    ///
    /// - Throws: ``ProtocolError`` with the code `rateLimited`.
    func visit(_ client: ConnectedClient, site: String) throws(ProtocolError) {
        try take([site], .newSites, \.newSites, client.identity.program.identifier, client.name) {
            "\(client.name) asked for many new sites in a row, so Keyway stopped it. If this wasn't you: "
                + "keyway clients refuse \(client.identity.identifier.shownIdentifier)"
        }
    }

    /// The client `identifier`, called `name`, asks for the credentials of `accounts`.
    ///
    /// - Throws: ``ProtocolError`` with the code `rateLimited`.
    func fill(
        _ identifier: String, _ name: String, program: String? = nil, accounts: [String]
    ) throws(ProtocolError) {
        try take(accounts, .accounts, \.accounts, program ?? identifier, name) {
            "\(name) asked for many credentials in a row, so Keyway stopped it. If this wasn't you: "
                + "keyway clients refuse \(identifier.shownIdentifier)"
        }
    }

    private func take(
        _ things: [String], _ allowance: Allowance, _ path: any WritableKeyPath<Client, Rest> & Sendable,
        _ identifier: String, _ name: String, _ sentence: () -> String
    ) throws(ProtocolError) {
        let now = clock.now
        let (isAllowed, isFirst) = state.withLock { clients -> (Bool, Bool) in
            var client =
                clients[identifier]
                ?? Client(
                    sites: Rest(amount: Allowance.sites.burst, since: now),
                    accounts: Rest(amount: Allowance.accounts.burst, since: now),
                    newSites: Rest(amount: Allowance.newSites.burst, since: now))
            let isAllowed = client[keyPath: path].take(things, of: allowance, at: now)
            let isFirst = !isAllowed && !client[keyPath: path].isExceeded
            if !isAllowed { client[keyPath: path].isExceeded = true }
            clients[identifier] = client
            return (isAllowed, isFirst)
        }
        guard !isAllowed else { return }
        let sentence = sentence()
        if isFirst { tell(name, sentence) }
        throw ProtocolError(.rateLimited, "Too many requests. Wait a moment. \(sentence)")
    }
}
