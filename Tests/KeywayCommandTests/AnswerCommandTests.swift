import AutoFillProtocol
import KeywaySystem
import TerminalInterface
import Testing

@testable import KeywayCommand

/// `keyway answer`: what an app asks, in a terminal of the person's own.
@Suite(.timeLimit(.minutes(5))) struct AnswerCommandTests {
    private static let provider = ProviderReference(identifier: "org.keyway.passwords", name: "Passwords")
    private static let unnamed = AskPerson.Question.application(
        .init(program: "bank", path: "/opt/\u{1B}[2Jbank", purpose: .signIn, service: "a.example"))

    /// What the broker learnt of the person.
    private enum Learnt: Equatable, Sendable {
        case allowed, refused, chosen(Int), named(String), other

        init(_ answer: AskPerson.Answer) {
            self =
                switch answer {
                case .allowed: .allowed
                case .refused, .cancelled: .refused
                case .chosen(let choice): .chosen(choice)
                case .named(let name): .named(name)
                default: .other
                }
        }
    }

    /// A broker at which an app waits, which asks `questions`.
    private static func trial(
        _ questions: [AskPerson.Question] = [], _ learnt: Received<Learnt> = Received(), keys: [String] = [],
        isGiven: Bool = true, notices: [String] = []
    ) -> (trial: Trial, terminal: TypingTerminal) {
        var trial = Trial()
        let terminal = TypingTerminal(keys)
        trial.terminal = terminal
        trial.broker.on(AnswerApplication.self) { parameters, context in
            guard parameters.presents else { throw ProtocolError(.interactionRequired, "no terminal") }
            for notice in notices {
                context.connection.notify(BrokerNotice.self, .init(provider: nil, text: notice))
            }
            for question in questions {
                learnt.append(Learnt(try await context.connection.call(AskPerson.self, .init(question)).answer))
            }
            return .init(program: "bank", path: "/opt/bank", service: "a.example", isGiven: isGiven)
        }
        return (trial, terminal)
    }

    @Test(arguments: [
        (true, "keyway: bank received what it asked for at a.example.\n"),
        (false, "keyway: bank received nothing for a.example.\n"),
    ])
    func thePersonLearnsWhatBecameOfIt(isGiven: Bool, said: String) async throws {
        let outcome = try await Self.trial(isGiven: isGiven).trial.run("answer")
        #expect((outcome.code, outcome.out, outcome.err) == (.success, "", said))
    }

    @Test func asJSONItIsData() async throws {
        let outcome = try await Self.trial().trial.run("answer", "--json")
        for (key, value) in [
            ("program", "\"bank\""), ("path", "\"/opt/bank\""), ("service", "\"a.example\""), ("given", "true"),
        ] {
            #expect(outcome.out.contains("\"\(key)\": \(value)"), "\(key)")
        }
        #expect(outcome.err.isEmpty)
    }

    @Test func withoutATerminalNobodyIsAsked() async throws {
        var trial = Self.trial([Self.unnamed]).trial
        trial.terminal = nil
        let outcome = try await trial.run("answer")
        #expect(outcome.code == .needsPerson)
        #expect(outcome.err.contains("only in a terminal"))
    }

    @Test func whereNoAppWaitsThatIsSaid() async throws {
        var trial = Trial()
        trial.terminal = TypingTerminal([])
        trial.broker.on(AnswerApplication.self) { _, _ in
            throw ProtocolError(.notFound, "No app is waiting for an answer.")
        }
        let outcome = try await trial.run("answer")
        #expect(outcome.code != .success)
        #expect(outcome.err.contains("No app is waiting for an answer."))
    }

    /// Whoever just answered an app is not told that it asks; of another one they are.
    @Test func theAppThatWasAnsweredIsNotAnnounced() async throws {
        let (mine, other) = (
            "bank (/opt/bank) asks. To answer: keyway answer", "mail (/opt/mail) asks. To answer: keyway answer"
        )
        let outcome = try await Self.trial(notices: [mine, other]).trial.run("answer")
        #expect(!outcome.err.contains(mine))
        #expect(outcome.err.contains(other))
    }

    /// Enter out of habit allows nothing.
    @Test(arguments: [(["\r"], Learnt.refused), (["\u{1B}[D", "\r"], .allowed), (["\u{1B}"], .refused)])
    private func anAppThatTheSiteDoesNotNameIsAllowedOnPurpose(keys: [String], answer: Learnt) async throws {
        let learnt = Received<Learnt>()
        let (trial, terminal) = Self.trial([Self.unnamed], learnt, keys: keys)
        _ = try await trial.run("answer")
        #expect(learnt.all == [answer])
        for said in ["bank (/opt/[2Jbank)", "a.example", "doesn't list this program as its own"] {
            #expect(Self.words(terminal.written).contains(said), "\(said)")
        }
    }

    /// What was written, whatever the lines.
    private static func words(_ text: String) -> String {
        var plain = ""
        var isEscape = false
        for character in text {
            if character == "\u{1B}" { isEscape = true }
            if !isEscape { plain.append(character.isWhitespace ? " " : character) }
            if isEscape, character.isLetter { isEscape = false }
        }
        return plain.split(separator: " ").joined(separator: " ")
    }

    private static let choices: [AskPerson.AccountChoice.Choice] = [
        .init(provider: provider, account: "ada", service: "a.example", kind: .passkey),
        .init(provider: provider, account: "", service: "a.example", kind: .password), .init(provider: provider),
        .init(provider: provider, account: "grace", isNew: true), .init(provider: nil, method: "restorePurchase"),
    ]

    @Test(arguments: 0..<5) func oneRowIsChosen(row: Int) async throws {
        let learnt = Received<Learnt>()
        let question = AskPerson.AccountChoice(
            program: "bank", purpose: .signIn, service: "a.example", choices: Self.choices)
        let (trial, terminal) = Self.trial(
            [.account(question)], learnt, keys: Array(repeating: "\u{1B}[B", count: row) + ["\r"])
        _ = try await trial.run("answer")
        #expect(learnt.all == [.chosen(row)])
        let said = Self.words(terminal.written)
        #expect(said.contains("Choose an account for bank"))
        for row in ["ada passkey, a.example, Passwords", "All accounts in Passwords", "new passkey, grace"] {
            #expect(said.contains(row), "\(row)")
        }
    }

    @Test(arguments: 0..<2) func oneProviderIsChosenToGetEverything(row: Int) async throws {
        let learnt = Received<Learnt>()
        let question = AskPerson.ExchangeChoice(
            exporter: Self.provider, path: "/opt/bank",
            destinations: ["First", "Second"].map { .init(identifier: "org.example.\($0)", name: $0) })
        let (trial, terminal) = Self.trial(
            [.exchange(question)], learnt, keys: Array(repeating: "\u{1B}[B", count: row) + ["\r"])
        _ = try await trial.run("answer")
        #expect(learnt.all == [.chosen(row)])
        for said in ["Copy all accounts of Passwords to", "First asked for by /opt/bank", "Second"] {
            #expect(Self.words(terminal.written).contains(said), "\(said)")
        }
    }

    @Test func anAppThatGaveItsAccountsAwayHadNoSite() async throws {
        var trial = Trial()
        trial.terminal = TypingTerminal([])
        trial.broker.on(AnswerApplication.self) { _, _ in
            .init(program: "bank", path: "/opt/bank", service: nil, isGiven: true)
        }
        let outcome = try await trial.run("answer")
        #expect(outcome.err.contains("bank gave its accounts to the provider that you chose."))
    }

    @Test(arguments: [(["ada", "\r"], Learnt.named("ada")), (["\u{1B}"], .refused)])
    private func aNewAccountIsNamedByThePerson(keys: [String], answer: Learnt) async throws {
        let learnt = Received<Learnt>()
        let (trial, terminal) = Self.trial(
            [.newAccount(.init(program: "bank", service: "a.example"))], learnt, keys: keys)
        _ = try await trial.run("answer")
        #expect(learnt.all == [answer])
        #expect(
            Self.words(terminal.written).contains("bank will see the name that you enter for your account at a.example")
        )
    }
}
