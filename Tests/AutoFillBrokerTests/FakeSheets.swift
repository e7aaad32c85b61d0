import AutoFillProtocol
import AutoFillWire
import KeywaySystem
import LoginMonitor
import Synchronization
import Testing

@testable import AutoFillBroker
@testable import ProviderHosting

/// The program of the sheets, in this process; the test is the person.
final class FakeSheets: SheetLauncher {
    private struct State {
        var connections: [Connection] = []
        var shown: [PresentationShow.Parameters] = []
        var ended: [Int] = []
        var attempts = 0
        var greeting: Task<Void, any Error>?
        var questions: [AskPerson.Question] = []
        var withdrawn = 0
        var killed = 0
    }

    /// Ends when its connection does.
    private struct Process: LaunchedProcess {
        let processIdentifier: Int32
        let connection: Connection
        let kill: @Sendable () -> Void
        func onExit(_ body: @escaping @Sendable (CInt) -> Void) { connection.onClose { body(0) } }
        func send(signal: CInt) { kill() }
    }

    private let state = Mutex(State())
    private let fails: Bool
    private let answer: AskPerson.Answer?
    private let reply: (@Sendable (AskPerson.Question) -> AskPerson.Answer?)?
    private let hangs: Int

    /// `answer` is what the person says to every question; nil for a person who is away. The first `hangs` programs do
    /// not answer anything.
    ///
    /// `reply`, where it says something to a question, goes before `answer`.
    init(
        fails: Bool = false, answer: AskPerson.Answer? = nil, hangs: Int = 0,
        reply: (@Sendable (AskPerson.Question) -> AskPerson.Answer?)? = nil
    ) {
        self.reply = reply
        self.fails = fails
        self.answer = answer
        self.hangs = hangs
    }

    var starts: Int { state.withLock { $0.connections.count } }
    var shown: [PresentationShow.Parameters] { state.withLock { $0.shown } }
    var ended: [Int] { state.withLock { $0.ended } }
    var attempts: Int { state.withLock { $0.attempts } }
    var questions: [AskPerson.Question] { state.withLock { $0.questions } }
    var withdrawn: Int { state.withLock { $0.withdrawn } }
    var killed: Int { state.withLock { $0.killed } }

    /// The program's end of the connection, once it has greeted: before, nobody listens.
    func greeted() async throws -> Connection {
        try await state.withLock { $0.greeting }?.value
        return try #require(state.withLock { $0.connections.last })
    }

    func launch(
        _ environment: [String: String]
    ) throws(ProtocolError) -> (any LaunchedProcess, OwnedDescriptor) {
        let attempt = state.withLock { state in
            state.attempts += 1
            return state.attempts
        }
        if fails { throw ProtocolError(.system, "no such program") }
        let (ours, theirs) = try LocalSocket.pair()
        var table = MethodTable()
        table.on(PresentationShow.self) { message, _ in self.state.withLock { $0.shown.append(message) } }
        table.on(PresentationEnd.self) { message, _ in self.state.withLock { $0.ended.append(message.request) } }
        let hangs = attempt <= hangs
        table.on(AskPerson.self) { parameters, _ in
            AskPerson.Result(try await self.ask(parameters.question, hangs: hangs))
        }
        table.on(CheckSheets.self) { _, _ in
            if hangs { try await Task.sleep(for: .seconds(3600)) }
            return CheckSheets.Result()
        }
        let connection = Connection(descriptor: theirs, peer: .known(.broker), methods: table)
        connection.start()
        let greeting = Task { _ = try await connection.greet(as: .sheets, name: "fake") }
        state.withLock { state in
            state.connections.append(connection)
            state.greeting = greeting
        }
        let process = Process(processIdentifier: Int32(attempt), connection: connection) {
            self.state.withLock { $0.killed += 1 }
        }
        return (process, ours)
    }

    private func ask(_ question: AskPerson.Question, hangs: Bool) async throws -> AskPerson.Answer {
        state.withLock { $0.questions.append(question) }
        if let answer = reply?(question) ?? answer, !hangs { return answer }
        let (never, end) = AsyncStream.makeStream(of: Void.self)
        for await _ in never {}
        end.finish()
        state.withLock { $0.withdrawn += 1 }
        throw CancellationError()
    }
}

struct FakeSession: GraphicalSession {
    let display: String?

    func variables(in login: LoginSession?) async -> [String: String]? { display.map { ["DISPLAY": $0] } }
}
