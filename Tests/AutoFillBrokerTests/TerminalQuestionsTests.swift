import AutoFillProtocol
import AutoFillWire
import BrokerTestSupport
import KeywaySystem
import Synchronization
import Testing

@testable import AutoFillBroker

/// What a terminal may be asked, and what of its answers counts.
@Suite(.timeLimit(.minutes(5))) struct TerminalQuestionsTests {
    private static let provider = ProviderReference(identifier: "test.vault", name: "vault")
    private static let consent = AskPerson.Question.consent(
        .init(program: "x", path: "/usr/bin/x", permissions: [.receiveCredentials]))
    private static let enabling = AskPerson.Question.enabling(
        .init(provider: provider, path: "/x.appex", reaches: [], isUnconfined: false))
    private static let otherSite = AskPerson.Question.otherSite(
        .init(provider: provider, account: "ada", accountService: "a.example", service: "b.example"))

    private static func verification(_ method: VerificationMethod) -> AskPerson.Question {
        .verification(.init(provider: provider, service: "a.example", account: "ada", method: method))
    }

    /// What a terminal does with questions.
    private enum Reply: String, CaseIterable {
        case allowed, refused, secret

        func answer() throws -> AskPerson.Answer {
            switch self {
            case .allowed: .allowed
            case .refused: .refused
            case .secret:
                .secret(InterfaceSecret(try Array("123456".utf8).withUnsafeBytes { try SealedMemory(copying: $0) }))
            }
        }
    }

    private final class Terminal: Sendable {
        let asked = Mutex(0)
        let wasTakenBack = Mutex(false)
        private let connections = Mutex<[Connection]>([])

        /// The broker's end of a conversation with it.
        func connect(
            _ role: Role = .terminal, _ answer: (@Sendable () async throws -> AskPerson.Answer)?
        ) throws -> Connection {
            let (ours, theirs) = try LocalSocket.pair()
            var table = MethodTable()
            if let answer {
                table.on(AskPerson.self) { [self] _, _ in
                    asked.withLock { $0 += 1 }
                    defer { if Task.isCancelled { wasTakenBack.withLock { $0 = true } } }
                    return .init(try await answer())
                }
            }
            let there = Connection(descriptor: theirs, peer: .known(.broker), methods: table)
            let here = Connection(descriptor: ours, peer: .known(role))
            for connection in [there, here] { connection.start() }
            connections.withLock { $0 += [there, here] }
            return here
        }

        func goAway() { connections.withLock { $0 }.first?.close() }
    }

    @Test(arguments: [consent, enabling])
    func consentIsNeverAskedWhereTheProgramCanType(question: AskPerson.Question) async throws {
        let terminal = Terminal()
        let presenter = TerminalQuestions(connection: try terminal.connect { .allowed }) { _ in true }
        #expect(await presenter.canAsk())
        #expect(await failure { _ = try await presenter.ask(question) }?.code == .interactionRequired)
        #expect(terminal.asked.withLock { $0 } == 0)
    }

    @Test(arguments: [(Role.terminal, false), (.browser, true), (.application, true)])
    func whoHasNoTerminalIsNotAsked(role: Role, hasTerminal: Bool) async throws {
        let terminal = Terminal()
        let presenter = TerminalQuestions(connection: try terminal.connect(role) { .allowed }) { _ in hasTerminal }
        #expect(await !presenter.canAsk())
        #expect(await failure { _ = try await presenter.ask(Self.otherSite) }?.code == .interactionRequired)
        #expect(terminal.asked.withLock { $0 } == 0)
    }

    @Test(arguments: [
        (otherSite, Reply.allowed), (verification(.pin), .secret), (verification(.loginPassword), .secret),
        (verification(.masterPassword), .secret),
    ])
    private func answerThatFitsCounts(question: AskPerson.Question, reply: Reply) async throws {
        let presenter = TerminalQuestions(connection: try Terminal().connect { try reply.answer() }) { _ in true }
        switch try await presenter.ask(question) {
        case .allowed: #expect(reply == .allowed)
        case .secret(let secret):
            #expect(try secret.withUnsafeBytes { String(decoding: $0, as: UTF8.self) } == "123456")
        case .refused, .cancelled, .chosen, .elsewhere, .named, .never, .unchanged: Issue.record("it was refused")
        }
    }

    @Test(arguments: [otherSite, verification(.pin), verification(.fingerprint)])
    func whoBacksOutHasNotAnswered(question: AskPerson.Question) async throws {
        let presenter = TerminalQuestions(connection: try Terminal().connect { .cancelled }) { _ in true }
        #expect(await failure { _ = try await presenter.ask(question) }?.code == .cancelled)
    }

    /// A terminal that says "yes" to a check verifies nobody, and neither does one that types where nothing is typed.
    @Test(arguments: [
        (verification(.pin), Reply.allowed), (verification(.fingerprint), .allowed), (verification(.system), .secret),
        (verification(.masterPassword), .allowed), (otherSite, .secret), (otherSite, .refused),
    ])
    private func answerThatDoesNotFitIsARefusal(question: AskPerson.Question, reply: Reply) async throws {
        let presenter = TerminalQuestions(connection: try Terminal().connect { try reply.answer() }) { _ in true }
        guard case .refused = try await presenter.ask(question) else {
            Issue.record("\(reply) counted")
            return
        }
    }

    @Test func questionIsTakenBackWithItsTask() async throws {
        let terminal = Terminal()
        let connection = try terminal.connect {
            try await Task.sleep(for: .seconds(3600))
            return .refused
        }
        let presenter = TerminalQuestions(connection: connection) { _ in true }
        let question = Task { try await presenter.ask(Self.verification(.fingerprint)) }
        try await eventually { terminal.asked.withLock { $0 } == 1 }
        question.cancel()
        #expect(await failure { _ = try await question.value }?.code == .cancelled)
        try await eventually { terminal.wasTakenBack.withLock { $0 } }
    }

    @Test func terminalThatGoesAwayIsSaid() async throws {
        let terminal = Terminal()
        let connection = try terminal.connect {
            terminal.goAway()
            return .allowed
        }
        let presenter = TerminalQuestions(connection: connection) { _ in true }
        #expect(await failure { _ = try await presenter.ask(Self.otherSite) }?.code == .connectionClosed)
        #expect(await !presenter.canAsk())
    }

    @Test func programThatShowsNoQuestionsNeedsThePerson() async throws {
        let presenter = TerminalQuestions(connection: try Terminal().connect(.terminal, nil)) { _ in true }
        #expect(await failure { _ = try await presenter.ask(Self.otherSite) }?.code == .interactionRequired)
        let failing = TerminalQuestions(
            connection: try Terminal().connect { throw ProtocolError(.internalError, "There is no terminal.") }
        ) { _ in true }
        #expect(await failure { _ = try await failing.ask(Self.otherSite) }?.code == .interactionRequired)
    }
}
