import AutoFillProtocol
import AutoFillWire
import BrokerTestSupport
import Foundation
import Synchronization
import Testing

@testable import AutoFillBroker

/// Apps where no window can be shown: the person answers in a terminal of their own.
@Suite(.timeLimit(.minutes(5))) struct AppTerminalTests {
    private final class Terminal: Sendable {
        let questions = Mutex<[AskPerson.Question]>([])
        let allows: Bool

        init(allows: Bool = true) {
            self.allows = allows
        }

        var methods: MethodTable {
            var table = MethodTable()
            table.on(AskPerson.self) { parameters, _ in
                self.questions.withLock { $0.append(parameters.question) }
                if case .application = parameters.question { return .init(self.allows ? .allowed : .refused) }
                return .init(.chosen(0))
            }
            return table
        }

        var count: Int { questions.withLock { $0.count } }
    }

    private static func stage(hasTerminal: Bool = true) async throws -> BrokerFixture {
        let fixture = try BrokerFixture(
            FakeBundles { request, _ in
                guard case .provideWithoutInteraction(let asked) = request, let assertion = asked.assertion else {
                    return .reported
                }
                return Sample.signature(hash: assertion.clientDataHash)
            }, information: Sample.declares("ProvidesPasskeys"), hasTerminal: hasTerminal)
        fixture.broker.appSites.identify { _, _ in
            AppIdentity(name: "Example", path: "/home/ada/example", names: [])
        }
        try await fixture.provide([Sample.passkey()])
        return fixture
    }

    private static let wanted = AuthorizeApplication.Parameters(
        requests: [
            .assertion(
                ApplicationAssertion(
                    relyingParty: "a.example", challenge: Data([1]), userVerification: .discouraged))
        ])

    /// An app that asks, once it waits.
    private static func asking(
        _ fixture: BrokerFixture
    ) async throws -> (task: Task<AuthorizeApplication.Result, any Error>, told: String?) {
        let (heard, sink) = AsyncStream.makeStream(of: String.self)
        var methods = MethodTable()
        methods.on(AuthorizationWaiting.self) { message, _ in sink.yield(message.command) }
        let app = try await fixture.client(.application, methods)
        let task = Task { try await app.call(AuthorizeApplication.self, wanted) }
        let command = await heard.first { _ in true }
        #expect(fixture.broker.answers.count == 1, "whoever is told to answer finds what waits")
        return (task, command)
    }

    @Test func theAppIsAnsweredInTheTerminalThatSaysSo() async throws {
        let fixture = try await Self.stage()
        let (app, told) = try await Self.asking(fixture)
        #expect(told == "keyway answer")
        let person = Terminal()
        let terminal = try await fixture.client(.terminal, person.methods)
        let answer = try await terminal.call(AnswerApplication.self, .init(presents: true))
        #expect((answer.program, answer.path, answer.service) == ("Example", "/home/ada/example", "a.example"))
        #expect(answer.isGiven)
        guard case .assertion = try await app.value.credential else {
            Issue.record("no signature")
            return
        }
        #expect(person.count == 2)
    }

    @Test func whatThePersonRefusesIsNotGiven() async throws {
        let fixture = try await Self.stage()
        let (app, _) = try await Self.asking(fixture)
        let person = Terminal(allows: false)
        let terminal = try await fixture.client(.terminal, person.methods)
        let answer = try await terminal.call(AnswerApplication.self, .init(presents: true))
        #expect(!answer.isGiven)
        #expect(await failure { _ = try await app.value }?.code == .cancelled)
        #expect(person.count == 1)
    }

    @Test func anAppIsNeverItsOwnTerminal() async throws {
        let fixture = try await Self.stage()
        let person = Terminal()
        let (heard, sink) = AsyncStream.makeStream(of: Void.self)
        var methods = person.methods
        methods.on(AuthorizationWaiting.self) { _, _ in sink.yield() }
        let app = try await fixture.client(.application, methods)
        let error = await failure { _ = try await app.call(AnswerApplication.self, .init(presents: true)) }
        #expect(error?.code == .notAllowed)
        let task = Task { try await app.call(AuthorizeApplication.self, Self.wanted) }
        _ = await heard.first { _ in true }
        #expect(person.count == 0)
        task.cancel()
        _ = await task.result
    }

    @Test func aTerminalThatNobodySitsBeforeAnswersNothing() async throws {
        let fixture = try await Self.stage(hasTerminal: false)
        let (app, _) = try await Self.asking(fixture)
        let terminal = try await fixture.client(.terminal, Terminal().methods)
        for presents in [true, false] {
            let error = await failure {
                _ = try await terminal.call(AnswerApplication.self, .init(presents: presents))
            }
            #expect(error?.code == .interactionRequired)
        }
        #expect(fixture.broker.answers.count == 1)
        app.cancel()
        _ = await app.result
    }

    @Test func nothingWaitsForEver() async throws {
        let fixture = try await Self.stage()
        let terminal = try await fixture.client(.terminal, Terminal().methods)
        #expect(
            await failure { _ = try await terminal.call(AnswerApplication.self, .init(presents: true)) }?.code
                == .notFound)
        let (app, _) = try await Self.asking(fixture)
        app.cancel()
        #expect(await failure { _ = try await app.value }?.code == .cancelled)
        while fixture.broker.answers.count != 0 { await Task.yield() }
    }
}
