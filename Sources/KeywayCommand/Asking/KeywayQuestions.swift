import AutoFillProtocol
import AutoFillWire
import KeywaySystem
import Synchronization
import TerminalInterface

/// Asks the person Keyway's own questions, one at a time, on the terminal of the command that caused them.
final class KeywayQuestions: Sendable {
    /// What else draws on the terminal.
    struct Neighbour: Sendable {
        /// Takes away what it shows; returns when the terminal is free.
        let makeRoom: @Sendable () async -> Void
        /// Shows it again.
        let comeBack: @Sendable () -> Void
        /// Ends the whole request: the person wants no more of it.
        let giveUp: @Sendable () -> Void
    }

    private struct State {
        var neighbour: Neighbour?
        /// The newest question; it waits for those before it.
        var asking: Task<AskPerson.Answer, any Error>?
    }

    private let surroundings: Surroundings
    private let state = Mutex(State())

    init(_ surroundings: Surroundings) {
        self.surroundings = surroundings
    }

    /// From now on `neighbour` makes room for questions.
    func sitBeside(_ neighbour: Neighbour) {
        state.withLock { $0.neighbour = neighbour }
    }

    /// Answers questions of the broker.
    func addMethods(to methods: inout MethodTable) {
        methods.on(AskPerson.self) { parameters, _ in .init(try await self.ask(parameters.question)) }
    }

    /// Takes away the question that stands there, and returns when the terminal is as it was.
    func endQuestions() async {
        let asking = state.withLock { $0.asking }
        asking?.cancel()
        _ = await asking?.result
    }

    /// Asks; a question that is taken back is taken away.
    ///
    /// - Throws: ``ProtocolError`` with the code `interactionRequired` where there is no terminal, or `CancellationError`.
    private func ask(_ question: AskPerson.Question) async throws -> AskPerson.Answer {
        let asking = state.withLock { state in
            let (before, neighbour) = (state.asking, state.neighbour)
            let asking = Task {
                // One that was taken back may still be on its way out.
                _ = await before?.result
                try Task.checkCancellation()
                return try await self.show(PersonQuestion(question), neighbour)
            }
            state.asking = asking
            return asking
        }
        return try await withTaskCancellationHandler {
            try await asking.value
        } onCancel: {
            asking.cancel()
        }
    }

    private func show(_ question: PersonQuestion, _ neighbour: Neighbour?) async throws -> AskPerson.Answer {
        let presentation = try question.presentation()
        let device: any TerminalDevice
        do throws(TerminalError) { device = try surroundings.openTerminal() } catch {
            throw ProtocolError(.interactionRequired, error.detail)
        }
        await neighbour?.makeRoom()
        defer { neighbour?.comeBack() }
        let (outcomes, sink) = AsyncStream.makeStream(of: PresenterOutcome.self)
        // What was typed before the question stood there is thrown away when the terminal is entered.
        let presenter = TerminalPresenter(device: device, appearance: surroundings.appearance) { sink.yield($0) }
        presenter.show(presentation)
        var outcome: PresenterOutcome?
        for await next in outcomes {
            outcome = next
            break
        }
        await presenter.close()
        try Task.checkCancellation()
        switch outcome {
        case .event(let event): return question.answer(event)
        case .abandoned:
            neighbour?.giveUp()
            return .refused
        case .failed(let error): throw ProtocolError(.interactionRequired, error.detail)
        case nil: return .refused
        }
    }
}
