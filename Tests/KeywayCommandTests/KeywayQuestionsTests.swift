import AutoFillProtocol
import AutoFillWire
import KeywaySystem
import TerminalInterface
import Testing

@testable import KeywayCommand

/// The system's own questions in the terminal of a command.
@Suite(.timeLimit(.minutes(5))) struct KeywayQuestionsTests {
    private static let provider = ProviderReference(identifier: "org.keyway.passwords", name: "Passwords")
    private static let otherSite = AskPerson.Question.otherSite(
        .init(provider: provider, account: "ada", accountService: "a.example", service: "b.example"))

    private static func verification(
        _ method: VerificationMethod, reason: String? = nil, error: String? = nil
    ) -> AskPerson.Question {
        .verification(
            .init(
                provider: provider, service: "a.example", account: "ada", reason: reason, method: method, error: error))
    }

    /// What the broker learnt of the person.
    private enum Learnt: Equatable {
        case allowed, refused, cancelled, chosen(Int), typed(String), failed(ProtocolError.Code)

        init(_ ask: () async throws -> AskPerson.Answer) async throws {
            do {
                switch try await ask() {
                case .allowed: self = .allowed
                case .refused: self = .refused
                case .cancelled: self = .cancelled
                case .chosen(let choice): self = .chosen(choice)
                case .elsewhere: self = .failed(.elsewhere)
                case .named, .never, .unchanged: self = .failed(.internalError)
                case .secret(let secret):
                    self = .typed(try secret.withUnsafeBytes { String(decoding: $0, as: UTF8.self) })
                }
            } catch let error as ProtocolError {
                self = .failed(error.code)
            }
        }
    }

    /// A broker that asks `questions` before it answers a fill, which the command waits for.
    private func trial(_ questions: [AskPerson.Question], _ learnt: Received<Learnt>, shows: Bool = false) -> Trial {
        var trial = Trial()
        trial.broker.on(Fill.self) { _, context in
            if shows { Self.show(context) }
            for question in questions {
                learnt.append(
                    try await Learnt { try await context.connection.call(AskPerson.self, .init(question)).answer })
            }
            return .init(credential: .text(try .secret("given")), provider: Self.provider)
        }
        return trial
    }

    private static func show(_ context: RequestContext) {
        let list = InterfaceList(title: "All of them", sections: [.init(rows: [.init(id: "1", title: "one")])])
        context.connection.notify(
            PresentationShow.self,
            .init(request: context.requestID ?? 0, provider: provider, service: nil, interface: .list(list)))
    }

    @Test(arguments: [
        (VerificationMethod.pin, "Keyway PIN"), (.loginPassword, "Login password"),
        (.masterPassword, "Master password of Passwords"),
    ])
    func whatIsTypedGoesToTheBrokerAndIsNotDrawn(method: VerificationMethod, label: String) async throws {
        let learnt = Received<Learnt>()
        var trial = trial([Self.verification(method, error: "That was wrong.")], learnt)
        let terminal = TypingTerminal(["123", "456\r"])
        trial.terminal = terminal
        #expect(try await trial.run("fill", "--text").out == "given\n")
        #expect(learnt.all == [.typed("123456")])
        #expect(!terminal.written.contains("123") && !terminal.written.contains("456"))
        for said in ["Keyway", label, "ada at a.example, saved in Passwords.", "That was wrong."] {
            #expect(terminal.written.contains(said), "\(said)")
        }
    }

    @Test func whatAProviderSaysIsQuotedBehindItsName() async throws {
        let learnt = Received<Learnt>()
        var trial = trial([Self.verification(.pin, reason: "to \u{1B}[2Jshow it")], learnt)
        let terminal = TypingTerminal(["\u{1B}"])
        trial.terminal = terminal
        _ = try await trial.run("fill", "--text")
        #expect(terminal.written.contains("Passwords says: “to [2Jshow it”"))
        #expect(learnt.all == [.refused])
    }

    /// Enter out of habit gives nothing away: the button that does is to be selected first.
    @Test(arguments: [(["\r"], Learnt.refused), (["\u{1B}[D", "\r"], .allowed), (["\u{1B}"], .refused)])
    private func anotherSitesAccountIsGivenOnPurpose(keys: [String], answer: Learnt) async throws {
        let learnt = Received<Learnt>()
        var trial = trial([Self.otherSite], learnt)
        let terminal = TypingTerminal(keys)
        trial.terminal = terminal
        _ = try await trial.run("fill", "--text")
        #expect(learnt.all == [answer])
        #expect(terminal.written.contains("ada is saved for a.example"))
        #expect(terminal.written.contains("Give it to b.example"))
    }

    @Test(arguments: [(["\r"], 0), (["\u{1B}[B", "\r"], 1)])
    private func aPasskeyIsChosenFromTheList(keys: [String], choice: Int) async throws {
        let question = AskPerson.PasskeyChoice(
            purpose: .signIn, service: "a.example",
            choices: ["ada", "eve"].map { .init(provider: Self.provider, account: $0) })
        let learnt = Received<Learnt>()
        var trial = trial([.passkey(question)], learnt)
        let terminal = TypingTerminal(keys)
        trial.terminal = terminal
        _ = try await trial.run("fill", "--text")
        #expect(learnt.all == [.chosen(choice)])
        #expect(terminal.written.contains("Another device"))
    }

    @Test(arguments: [VerificationMethod.fingerprint, .system])
    func questionThatNobodyAnswersInTheTerminalIsTakenAway(method: VerificationMethod) async throws {
        var trial = Trial()
        let terminal = TypingTerminal([])
        trial.terminal = terminal
        trial.broker.on(Fill.self) { _, context in
            let question = Task {
                try await context.connection.call(AskPerson.self, .init(Self.verification(method)))
            }
            try await eventually { terminal.written.contains("ada at a.example") }
            question.cancel()
            _ = await question.result
            return .init(credential: .text(try .secret("given")), provider: Self.provider)
        }
        #expect(try await trial.run("fill", "--text").out == "given\n")
        #expect(
            terminal.written.contains(method == .system ? "the window that your system shows" : "Place your finger"))
        #expect(terminal.written.hasSuffix("\u{1B}[?25h"))
    }

    /// The broker goes from one method to the next without waiting for the terminal.
    @Test func questionWaitsForTheOneBefore() async throws {
        let learnt = Received<Learnt>()
        var trial = Trial()
        let terminal = TypingTerminal(answers: [("Keyway PIN", "77\r")])
        trial.terminal = terminal
        trial.broker.on(Fill.self) { _, context in
            let finger = Task {
                try await context.connection.call(AskPerson.self, .init(Self.verification(.fingerprint)))
            }
            try await eventually { terminal.written.contains("Place your finger") }
            finger.cancel()
            learnt.append(
                try await Learnt {
                    try await context.connection.call(AskPerson.self, .init(Self.verification(.pin))).answer
                })
            return .init(credential: .text(try .secret("given")), provider: Self.provider)
        }
        #expect(try await trial.run("fill", "--text").out == "given\n")
        #expect(learnt.all == [.typed("77")])
    }

    @Test func controlCEndsTheWholeRequest() async throws {
        let learnt = Received<Learnt>()
        var trial = trial([Self.verification(.pin), Self.verification(.loginPassword)], learnt)
        trial.terminal = TypingTerminal(["\u{3}"])
        let outcome = try await trial.run("fill", "--text")
        #expect(outcome.code == .cancelled)
        #expect(outcome.out.isEmpty)
    }

    @Test func whatTheProviderShowsComesBackAfterAQuestion() async throws {
        let learnt = Received<Learnt>()
        var trial = Trial()
        let terminal = TypingTerminal(answers: [("Keyway PIN", "1234\r"), ("All of them", "\r")])
        trial.terminal = terminal
        let chosen = Received<String>()
        trial.broker.on(PresentationEvent.self) { parameters, _ in
            if case .chose(let row) = parameters.event { chosen.append(row) }
        }
        trial.broker.on(Fill.self) { _, context in
            Self.show(context)
            try await eventually { terminal.written.contains("All of them") }
            learnt.append(
                try await Learnt {
                    try await context.connection.call(AskPerson.self, .init(Self.verification(.pin))).answer
                })
            try await eventually { !chosen.all.isEmpty }
            return .init(credential: .text(try .secret("given")), provider: Self.provider)
        }
        #expect(try await trial.run("fill", "--text").out == "given\n")
        #expect(learnt.all == [.typed("1234")])
        #expect(chosen.all == ["1"])
    }

    @Test func withoutATerminalTheBrokerLearnsItAtOnce() async throws {
        let learnt = Received<Learnt>()
        var trial = Trial()
        trial.broker.on(ListProviders.self) { _, context in
            for question in [Self.otherSite, Self.verification(.pin), Self.verification(.fingerprint)] {
                learnt.append(
                    try await Learnt { try await context.connection.call(AskPerson.self, .init(question)).answer })
            }
            return .init(providers: [.passwords(enabled: true)])
        }
        #expect(try await trial.run("providers", "list").code == .success)
        #expect(learnt.all == [Learnt](repeating: .failed(.interactionRequired), count: 3))
    }

    @Test func consentIsNotGivenInATerminal() async throws {
        let learnt = Received<Learnt>()
        let consent = AskPerson.Question.consent(.init(program: "x", path: "/x", permissions: []))
        var trial = trial([consent], learnt)
        // Whoever drives the terminal would close whatever is drawn there.
        let terminal = TypingTerminal(["\u{3}"])
        trial.terminal = terminal
        _ = try await trial.run("fill", "--text")
        #expect(learnt.all == [.failed(.interactionRequired)])
        #expect(terminal.written.isEmpty)
    }
}

struct NotInTime: Error {}

/// Waits until `condition` is true.
func eventually(_ condition: @Sendable () -> Bool) async throws {
    let deadline = ContinuousClock.now + .seconds(60)
    while !condition() {
        guard ContinuousClock.now < deadline else { throw NotInTime() }
        try await Task.sleep(for: .milliseconds(1))
    }
}
