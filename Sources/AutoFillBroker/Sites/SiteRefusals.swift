import KeywaySystem
import Synchronization

/// How long a program can't ask about a new site after the person refused one. This stops harvesting, whatever profile
/// the program names next.
final class SiteRefusals: Sendable {
    private let pauses = Mutex(AskingPauses())
    /// Whose question about the account of another site is there.
    private let asking = Mutex<Set<ClientIdentity>>([])

    /// Begins a question about the account of another site: one at a time for each program, so that nobody refuses one
    /// after the other. ``end(_:)`` says that it is gone.
    ///
    /// - Throws: ``ProtocolError`` with the code `rateLimited` while there is one.
    func begin(_ client: ClientIdentity) throws(ProtocolError) {
        guard !asking.withLock({ $0.insert(client).inserted }) else { return }
        throw ProtocolError(
            .rateLimited, "Keyway is asking you about an account of another site already. Answer that first.")
    }

    /// The question is gone.
    func end(_ client: ClientIdentity) {
        asking.withLock { _ = $0.remove(client) }
    }

    /// The person refused a site that the program of `client` asked for, or closed the question.
    func add(_ client: ClientIdentity, isRefused: Bool, at now: MonotonicTime) {
        pauses.withLock { $0.turnAway(client, isRefused: isRefused, at: now) }
    }

    /// - Throws: ``ProtocolError`` with the code `rateLimited` while a refusal is fresh.
    func check(_ client: ClientIdentity, at now: MonotonicTime) throws(ProtocolError) {
        guard pauses.withLock({ $0.holds(client, at: now) }) else { return }
        throw ProtocolError(
            .rateLimited,
            "You didn't allow a new site for this program a moment ago, or closed the question. Try again later, or run "
                + "in a terminal: keyway clients allow \(client.identifier.shownIdentifier) SITE")
    }
}
