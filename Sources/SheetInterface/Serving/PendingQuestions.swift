import AutoFillProtocol
import Synchronization

/// The questions of the broker that the person has not answered yet.
final class PendingQuestions: Sendable {
    private struct State {
        var next = 1
        var waiting: [Int: CheckedContinuation<AskPerson.Answer, Never>] = [:]
    }

    private let state = Mutex(State())

    /// Gives a question a number, hands that to `ask` and waits for the answer. When the task is cancelled,
    /// nobody has answered, and `ifCancelled` is told.
    func ask(
        _ ask: @escaping @Sendable (Int) -> Void, ifCancelled: @escaping @Sendable (Int) -> Void
    ) async throws -> AskPerson.Answer {
        let number = state.withLock { state in
            defer { state.next += 1 }
            return state.next
        }
        let answer = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                state.withLock { $0.waiting[number] = continuation }
                ask(number)
                guard Task.isCancelled else { return }
                // Taken back before it was asked: what was just asked goes away again.
                self.answer(number, .cancelled)
                ifCancelled(number)
            }
        } onCancel: {
            self.answer(number, .cancelled)
            ifCancelled(number)
        }
        try Task.checkCancellation()
        return answer
    }

    /// Answers the question `number`, once; later answers are too late.
    func answer(_ number: Int, _ answer: AskPerson.Answer) {
        state.withLock { $0.waiting.removeValue(forKey: number) }?.resume(returning: answer)
    }
}
