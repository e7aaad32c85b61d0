import AutoFillProtocol
package import KeywaySystem

/// To whom the vault is open: the terminal sessions that unlocked it, and, for pages, the provider's own extension.
struct AccessGrants {
    private var terminals: Set<TerminalSession> = []
    private var includesExtension = false
    private let presence: any SessionPresence

    init(presence: any SessionPresence) {
        self.presence = presence
    }

    /// Opens the vault to whoever unlocked it. An unlock in a terminal, by `keyway` or in an interface of the extension
    /// that was shown there, counts for pages as well; one for a page counts for no terminal.
    mutating func grant(to client: ServiceClient) {
        if let session = client.terminalSession { terminals.insert(session) }
        includesExtension = true
    }

    /// Whether the vault is open to `client`. The grant of a session ends with the session's leader.
    mutating func contains(_ client: ServiceClient) -> Bool {
        guard let session = client.terminalSession else { return includesExtension }
        guard terminals.contains(session) else { return false }
        if presence.isPresent(session) { return true }
        terminals.remove(session)
        return false
    }

    /// Closes the vault to everyone.
    mutating func revokeAll() {
        terminals = []
        includesExtension = false
    }
}

/// Tells whether a terminal session still has its leader; injected, so that tests can end one.
package protocol SessionPresence: Sendable {
    /// Whether the process that leads the session is the one that led it when the session was named.
    func isPresent(_ session: TerminalSession) -> Bool
}

/// What `/proc` says.
package struct SystemSessionPresence: SessionPresence {
    /// Makes one; it holds no state.
    package init() {}

    /// Whether the leader runs, by its number and start time.
    package func isPresent(_ session: TerminalSession) -> Bool {
        guard session.leaderStart > 0, let leader = TerminalSession(of: session.identifier) else { return false }
        return leader.identifier == session.identifier && leader.leaderStart == session.leaderStart
    }
}
