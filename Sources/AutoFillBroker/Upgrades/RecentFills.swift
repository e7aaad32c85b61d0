import AutoFillProtocol
import BrokerBase
import KeywaySystem
import ServiceMatching
import Synchronization

/// Which passwords were filled lately, by whom and where: an account that was just signed in to may get a passkey by
/// itself. In memory only, few, for minutes, and until the session is locked.
final class RecentFills: Sendable {
    /// How long a fill counts.
    static let lifetime = Duration.seconds(300)
    /// The most that are remembered; the oldest goes first.
    static let most = 64

    /// Who had it filled: a program keeps its fills over its connections, and no other one shares them.
    enum Client: Hashable, Sendable {
        /// Whatever asks from this terminal session.
        case terminal(TerminalSession)
        /// One program, and one profile of a browser.
        case program(ClientIdentity)
        /// One connection, of whom nothing else is known.
        case connection(ObjectIdentifier)
    }

    private struct Fill {
        let client: Client
        let provider: String
        let user: String
        let page: ServiceAddress
        let time: MonotonicTime

        func counts(_ user: String, _ party: RelyingParty, _ asker: ServiceAddress?) -> Bool {
            self.user == user && party.covers(page)
                && (asker.map { $0.host == page.host || $0.host.text == party.identifier } ?? true)
        }
    }

    private let clock: any TimeSource
    private let fills = Mutex<[Fill]>([])

    /// Nothing was filled yet; time is told by `clock`, which nobody sets.
    init(clock: any TimeSource) {
        self.clock = clock
    }

    /// The password of `user` was filled in `page` now.
    func add(_ user: String, of provider: String, in page: ServiceAddress, for client: Client) {
        let fill = Fill(client: client, provider: provider, user: user, page: page, time: clock.nowWithSleep)
        fills.withLock { fills in
            prune(&fills)
            fills = fills.suffix(Self.most - 1) + [fill]
        }
    }

    /// Whose password of `user` was filled last for `client`, in a page that may use the passkeys of `party`; nil where
    /// that was nobody, or too long ago. Of pages, it counts for `asker` on that host, or on the one that the party is
    /// called: any other host below it may be somebody else's. Who is no page (nil) is an app that the party names.
    func provider(of user: String, at party: RelyingParty, from asker: ServiceAddress?, for client: Client) -> String? {
        fills.withLock { fills in
            prune(&fills)
            return fills.last { $0.client == client && $0.counts(user, party, asker) }?.provider
        }
    }

    /// The same, and one passkey for one fill: in the same moment those of that account count no more, whoever had them
    /// filled.
    func take(_ user: String, at party: RelyingParty, from asker: ServiceAddress?, for client: Client) -> String? {
        fills.withLock { fills in
            prune(&fills)
            guard let last = fills.last(where: { $0.client == client && $0.counts(user, party, asker) })
            else { return nil }
            fills.removeAll { $0.user == user && party.covers($0.page) }
            return last.provider
        }
    }

    /// The session was locked: whoever comes back may be somebody else.
    func forget() {
        fills.withLock { $0 = [] }
    }

    /// How many count.
    var count: Int {
        fills.withLock { fills in
            prune(&fills)
            return fills.count
        }
    }

    private func prune(_ fills: inout [Fill]) {
        let now = clock.nowWithSleep
        fills.removeAll { now.since($0.time) >= Self.lifetime }
    }
}
