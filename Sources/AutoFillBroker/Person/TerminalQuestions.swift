import AutoFillProtocol
import AutoFillWire
import KeywaySystem

/// Puts questions to the terminal whose program asks for something: what was typed there asked for it, so what is typed
/// there may answer. Never consent: a program does not say of itself that it may.
struct TerminalQuestions: PersonPresenter {
    let connection: Connection
    /// Whether somebody sits in front of a session: where it has a controlling terminal.
    var hasTerminal: @Sendable (TerminalSession) -> Bool = { $0.terminal > 0 }

    func canAsk() async -> Bool {
        // Asked of the kernel again each time: a session can lose its terminal.
        guard connection.role == .terminal, !connection.isClosed, let session = connection.peerSession else {
            return false
        }
        return hasTerminal(session)
    }

    func ask(_ question: AskPerson.Question) async throws(ProtocolError) -> AskPerson.Answer {
        guard question.mayBeAnsweredByWhoAsks else {
            throw ProtocolError(
                .interactionRequired,
                "You can't allow this in a terminal, where the program that asks could type the answer.")
        }
        guard await canAsk() else {
            throw ProtocolError(.interactionRequired, "There is no terminal to ask you in.")
        }
        do throws(ProtocolError) {
            let answer = try await connection.call(AskPerson.self, .init(question)).answer
            guard question.expects(answer) else { return .refused }
            if case .cancelled = answer { throw ProtocolError(.cancelled, "You cancelled.") }
            return answer
        } catch {
            switch error.code {
            case .cancelled, .connectionClosed: throw error
            case .unknownMethod:
                throw ProtocolError(
                    .interactionRequired,
                    "The program in the terminal can't show questions. Use the keyway command of this version.")
            default: throw ProtocolError(.interactionRequired, error.message)
            }
        }
    }
}

extension AskPerson.Question {
    /// Whether the program that wants something may be where the person answers: not where it would approve itself.
    fileprivate var mayBeAnsweredByWhoAsks: Bool {
        switch self {
        case .verification, .otherSite, .passkey: true
        // An app asks from elsewhere: the person answers in a terminal of their own.
        case .application, .account, .newAccount: true
        // Who chooses is verified afterwards, by what no program knows.
        case .exchange: true
        case .consent, .newSite, .enabling, .disabling, .debugging, .saving, .settingUpCode: false
        case .settingUp, .newMasterPassword, .newPIN, .isSetUp: false
        }
    }

    /// Whether that is an answer to this: what is typed is a secret, and that somebody says so verifies nobody.
    fileprivate func expects(_ answer: AskPerson.Answer) -> Bool {
        switch (self, answer) {
        case (_, .refused), (_, .cancelled): true
        case (.verification(let verification), .secret): verification.method.isTyped
        case (.otherSite, .allowed): true
        case (.passkey(let question), .chosen(let choice)): question.choices.indices.contains(choice)
        case (.passkey, .elsewhere): true
        case (.application, .allowed): true
        case (.account(let question), .chosen(let choice)): question.choices.indices.contains(choice)
        case (.newAccount, .named): true
        case (.exchange(let question), .chosen(let choice)): question.destinations.indices.contains(choice)
        default: false
        }
    }
}

extension VerificationMethod {
    /// Whether the person types something where the question is presented.
    var isTyped: Bool {
        switch self {
        case .pin, .loginPassword, .masterPassword: true
        case .fingerprint, .system, .providerInterface: false
        }
    }
}
