import KeywaySystem
import Synchronization

/// How long a program can't ask about a new site after the person refused one. This stops harvesting, whatever profile
/// the program names next.
final class SiteRefusals: Sendable {
    private let pauses = Mutex(AskingPauses())

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
