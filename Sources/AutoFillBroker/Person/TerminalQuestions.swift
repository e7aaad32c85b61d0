import AutoFillProtocol

/// The system's own questions, put to the person in the terminal that asked.
struct TerminalQuestions: PersonPresenter {
    let connection: Connection

    func canAsk() async -> Bool { !connection.isClosed }

    func ask(_ question: AskPerson.Question) async throws(ProtocolError) -> AskPerson.Answer {
        try await connection.call(AskPerson.self, .init(question)).answer
    }
}

/// Nobody would see a question.
struct NoPresenter: PersonPresenter {
    func canAsk() async -> Bool { false }

    func ask(_ question: AskPerson.Question) async throws(ProtocolError) -> AskPerson.Answer {
        throw ProtocolError(.interactionRequired, "There is no place where you would see the question.")
    }
}
