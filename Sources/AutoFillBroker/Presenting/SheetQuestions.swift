import AutoFillProtocol

/// The system's own questions, put to the person in `keyway-sheets`.
struct SheetQuestions: PersonPresenter {
    let desk: SheetDesk

    func canAsk() async -> Bool { await desk.start() }

    func ask(_ question: AskPerson.Question) async throws(ProtocolError) -> AskPerson.Answer {
        guard await desk.start(), let place = desk.open() else {
            throw ProtocolError(.interactionRequired, "There is no desktop session on which the person could be asked.")
        }
        do throws(ProtocolError) {
            return try await place.connection.call(AskPerson.self, .init(question)).answer
        } catch {
            // The session was locked while the question stood there: nobody answered it, and nobody will.
            guard error.code == .connectionClosed, desk.interruptions != place.interruptions else { throw error }
            throw ProtocolError(.cancelled, "The session was locked before the question was answered.")
        }
    }
}

extension SheetDesk {
    /// Where the system's own questions are put.
    var presenter: any PersonPresenter { SheetQuestions(desk: self) }
}
