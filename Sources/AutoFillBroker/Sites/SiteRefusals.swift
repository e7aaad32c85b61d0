import KeywaySystem
import Synchronization

/// How long a program isn't asked about after the person refused it something. This stops harvesting, whatever profile
/// the program names next. A refused account of another site says nothing of new sites, and the other way round.
final class SiteRefusals: Sendable {
    /// What the person was asked.
    enum Question: Sendable {
        /// Whether a site may be filled for the first time.
        case newSite
        /// Whether the account of another site may go to a page.
        case otherSite

        func sentence(_ client: ClientIdentity) -> String {
            switch self {
            case .newSite:
                "You didn't allow a new site for this program a moment ago, or closed the question. Try again later, or "
                    + "run in a terminal: keyway clients allow \(client.identifier.shownIdentifier) SITE"
            case .otherSite:
                "You didn't allow an account of another site for this program a moment ago, or closed the question. "
                    + "Try again later."
            }
        }
    }

    private let pauses = Mutex<[Question: AskingPauses]>([:])
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

    /// The person refused the program of `client`, or closed the question.
    func add(_ question: Question, _ client: ClientIdentity, isRefused: Bool, at now: MonotonicTime) {
        pauses.withLock { $0[question, default: AskingPauses()].turnAway(client, isRefused: isRefused, at: now) }
    }

    /// - Throws: ``ProtocolError`` with the code `rateLimited` while a refusal is fresh.
    func check(_ question: Question, _ client: ClientIdentity, at now: MonotonicTime) throws(ProtocolError) {
        guard pauses.withLock({ $0[question]?.holds(client, at: now) }) == true else { return }
        throw ProtocolError(.rateLimited, question.sentence(client))
    }
}
