import AutoFillProtocol
import KeywaySystem

/// Where the system's own questions are put to the person: the sheets on their graphical session, or the terminal that
/// asked. A question is taken back by cancelling the task that waits for it.
protocol PersonPresenter: Sendable {
    /// Whether the person would see a question there.
    func canAsk() async -> Bool

    /// Asks, and waits for the answer.
    ///
    /// - Returns: what the person decided; never `cancelled`.
    /// - Throws: ``ProtocolError``: `cancelled` when nobody decided (the person backed out or did not answer in time, the
    ///   question was taken back, too many wait), `interactionRequired` when nobody would see it, `connectionClosed` when
    ///   the presenter went away.
    func ask(_ question: AskPerson.Question) async throws(ProtocolError) -> AskPerson.Answer
}
