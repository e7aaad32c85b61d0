import BrokerBase
import KeywaySystem
import Synchronization

/// How long a verification lasts, and for whom: for the same caller and the same provider, until the session is
/// locked.
final class VerificationGrace: Sendable {
    /// Whom a check counts for: another one's check never does.
    enum Caller: Hashable, Sendable {
        /// Whatever asks from this terminal session.
        case terminal(TerminalSession)
        /// One connection.
        case connection(ObjectIdentifier)
    }

    private struct Key: Hashable {
        let caller: Caller
        let provider: String
    }

    private let clock: any TimeSource
    private let times = Mutex<[Key: MonotonicTime]>([:])

    /// Nobody was checked yet; time is told by `clock`, which nobody sets.
    init(clock: any TimeSource) {
        self.clock = clock
    }

    /// The person was verified now.
    func begin(_ caller: Caller, _ provider: String) {
        let now = clock.now
        times.withLock { times in
            // A day is longer than any grace: what ended terminals left goes with it.
            times = times.filter { now.since($0.value) < .seconds(86400) }
            times[Key(caller: caller, provider: provider)] = now
        }
    }

    /// Whether a check was made at most `seconds` ago.
    func covers(_ caller: Caller, _ provider: String, seconds: Int) -> Bool {
        guard let time = times.withLock({ $0[Key(caller: caller, provider: provider)] }) else { return false }
        return clock.now.since(time) < .seconds(seconds)
    }

    /// That connection has ended; another one may have its identifier.
    func forget(_ connection: ObjectIdentifier) {
        times.withLock { $0 = $0.filter { $0.key.caller != .connection(connection) } }
    }

    /// The session was locked, or the settings changed: nobody counts as verified.
    func forgetAll() {
        times.withLock { $0 = [:] }
    }
}
