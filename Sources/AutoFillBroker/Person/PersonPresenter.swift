import AutoFillProtocol

/// Where the system's own questions are put to the person: the sheets on their graphical session, or the terminal that
/// asked. A question is taken back by cancelling the task that waits for it.
protocol PersonPresenter: Sendable {
    /// Whether the person would see a question there.
    func canAsk() async -> Bool

    /// Asks, and waits for the answer.
    ///
    /// - Throws: ``ProtocolError``: `cancelled` when the question was taken back, `interactionRequired` when nobody would
    ///   see it, `connectionClosed` when the presenter went away.
    func ask(_ question: AskPerson.Question) async throws(ProtocolError) -> AskPerson.Answer
}
