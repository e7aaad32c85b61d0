package import KeywaySystem
import Synchronization

/// What the broker handed over: the leaders of the sessions whose clients it attached. In its sandbox the service sees
/// no process of the person.
package final class AttachedPresence: SessionPresence {
    private let leaders = Mutex<[TerminalSession: SessionLeader]>([:])
    private let otherwise: any SessionPresence

    /// Knows no leader yet; for a session that comes without one, `otherwise` is asked.
    package init(otherwise: any SessionPresence = SystemSessionPresence()) {
        self.otherwise = otherwise
    }

    /// Takes the leader of a session, and forgets those that have ended.
    func note(_ leader: SessionLeader, of session: TerminalSession) {
        leaders.withLock { leaders in
            leaders = leaders.filter(\.value.isRunning)
            leaders[session] = leader
        }
    }

    package func isPresent(_ session: TerminalSession) -> Bool {
        leaders.withLock { $0[session] }?.isRunning ?? otherwise.isPresent(session)
    }
}
