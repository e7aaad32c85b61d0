import AutoFillProtocol
import BrokerBase
import FoundationEssentials
import KeywaySystem
import ProviderHosting
import ServiceMatching
import Synchronization

/// The state of automatic upgrades: what was filled, what the person undid, and where they are notified.
final class Upgrades: Sendable {
    /// How long a refusal takes, whatever its reason: longer than looking does, and than a provider that declines.
    static let patience = Duration.seconds(4)
    /// The most accounts that are remembered because their passkey was taken back; the oldest goes first.
    static let mostTakenBack = 256

    /// The one answer to whoever asks for a passkey that is not made, whatever the reason.
    static let refusal = ProtocolError(.notAllowed, "No passkey is created in the background.")

    /// A passkey that was made without asking anybody.
    struct Made: Sendable {
        let provider: ProviderReference
        let party: RelyingParty
        /// The account, as it is called there.
        let user: String
        let credentialID: Data
        /// Who asked for it.
        let caller: BundleProcesses.Caller
        /// Whether its provider hears that it is not wanted.
        let canTakeBack: Bool
    }

    /// One account at one site.
    private struct Account: Hashable {
        let party: RelyingParty
        let user: String
    }

    private struct State {
        var notifier: any DesktopNotifier = NoNotifier()
        var takenBack: [Account] = []
    }

    /// Which passwords were filled lately.
    let fills: RecentFills
    private let state = Mutex(State())

    /// Nothing was filled yet, and nobody can be told anything.
    init(clock: any TimeSource) {
        fills = RecentFills(clock: clock)
    }

    /// From now on the person is told by `notifier`.
    func use(_ notifier: any DesktopNotifier) {
        state.withLock { $0.notifier = notifier }
    }

    /// Where the person is told.
    var notifier: any DesktopNotifier { state.withLock { $0.notifier } }

    /// The person does not want the passkey that was made for that account.
    func noteTakenBack(_ made: Made) {
        let account = Account(party: made.party, user: made.user)
        state.withLock { state in
            guard !state.takenBack.contains(account) else { return }
            state.takenBack = state.takenBack.suffix(Self.mostTakenBack - 1) + [account]
        }
    }

    /// Whether the person took back a passkey of that account since the broker was started. A provider that hides it
    /// goes on to know.
    func wasTakenBack(_ user: String, at party: RelyingParty) -> Bool {
        state.withLock { $0.takenBack.contains(Account(party: party, user: user)) }
    }
}
