import AutoFillProtocol
import KeywaySystem

/// Nobody would see a question.
struct NoPresenter: PersonPresenter {
    func canAsk() async -> Bool { false }

    func ask(_ question: AskPerson.Question) async throws(ProtocolError) -> AskPerson.Answer {
        throw ProtocolError(.interactionRequired, "There is no display or terminal to ask you on.")
    }
}
