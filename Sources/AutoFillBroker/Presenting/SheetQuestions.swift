import AutoFillProtocol
import BrokerBase
import KeywaySystem

/// The system's own questions, put to the person in `keyway-sheets`.
struct SheetQuestions: PersonPresenter {
    let desk: SheetWindows

    func canAsk() async -> Bool { await desk.start() }

    func ask(_ question: AskPerson.Question) async throws(ProtocolError) -> AskPerson.Answer {
        switch question {
        // The person has begun it, and waits for it.
        case .verification, .otherSite, .newMasterPassword, .newPIN, .isSetUp: return try await put(question)
        case .consent, .newSite, .enabling, .disabling, .debugging, .application, .account, .newAccount, .passkey,
            .exchange, .saving, .settingUpCode, .settingUp:
            if case .settingUpCode = question { try desk.line.beginCodes() }
            defer { if case .settingUpCode = question { desk.line.endCodes() } }
            try await desk.line.enter()
            defer { desk.line.leave() }
            guard !desk.line.isClosed(question, at: desk.clock.now) else {
                // Nobody closed it who could mean by that that they want it later.
                if case .settingUp = question {
                    throw ProtocolError(.busy, "Keyway asked this a moment ago. Try again later.")
                }
                throw ProtocolError(.cancelled, "You closed this question a moment ago. Try again later.")
            }
            return try await put(question)
        }
    }

    private func put(_ question: AskPerson.Question, isAgain: Bool = false) async throws(ProtocolError)
        -> AskPerson.Answer
    {
        guard await desk.start(), let place = desk.beginQuestion() else {
            throw ProtocolError(.interactionRequired, "There is no desktop session to ask you in.")
        }
        do throws(ProtocolError) {
            defer { desk.endQuestion() }
            let answer = try await Deadline.run(
                ProviderRequest.personLimit, desk.clock, "The question was not answered in time."
            ) {
                try await place.connection.call(AskPerson.self, .init(question)).answer
            }
            guard case .cancelled = answer else {
                // Any page can have links opened: who says no to several of them is left in peace for a while.
                if case .refused = answer, case .settingUpCode = question {
                    desk.line.close(question, at: desk.clock.now)
                }
                return answer
            }
            // Who turns a provider on began it themselves, and may at once again.
            desk.line.close(question, at: desk.clock.now)
            throw ProtocolError(.cancelled, "You closed the question without answering it.")
        } catch {
            // A browser that goes on opening this window and taking it away is stopped for a while.
            if Task.isCancelled, case .settingUp = question { desk.line.close(question, at: desk.clock.now) }
            if error.code == .timedOut { throw ProtocolError(.cancelled, error.message) }
            guard error.code == .connectionClosed else { throw error }
            // The session was locked while the question stood there: nobody answered it, and nobody will.
            if desk.interruptions != place.interruptions {
                throw ProtocolError(.cancelled, "The session was locked before the question was answered.")
            }
            // It hung, and another one is there in its place.
            guard !isAgain, desk.restarts != place.restarts else { throw error }
        }
        return try await put(question, isAgain: true)
    }
}

extension SheetWindows {
    /// Where the system's own questions are put.
    var presenter: any PersonPresenter { SheetQuestions(desk: self) }
}
