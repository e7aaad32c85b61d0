import AutoFillProtocol
import Synchronization

/// Where questions wait that any program can cause by asking: one of them is before the person at a time, so that they
/// never fill the window's own queue, which requests of providers need.
final class ConsentLine: Sendable {
    /// The most that wait.
    static let limit = 8
    /// How long a consent that the person closed is not put again: no program wears them out by asking on.
    static let pause = Duration.seconds(30)

    private struct State {
        var isTaken = false
        var nextTicket = 0
        var waiting: [(ticket: Int, continuation: CheckedContinuation<Bool, Never>)] = []
        var closed: [AskPerson.Question: MonotonicTime] = [:]
    }

    private let state = Mutex(State())

    /// Waits for its turn; ``leave()`` ends it.
    ///
    /// - Throws: ``ProtocolError`` with the code `cancelled` when too many wait, or the task was cancelled.
    func enter() async throws(ProtocolError) {
        let ticket = state.withLock { state in
            defer { state.nextTicket += 1 }
            return state.nextTicket
        }
        let isIn = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isIn = state.withLock { state -> Bool? in
                    if Task.isCancelled { return false }
                    if !state.isTaken {
                        state.isTaken = true
                        return true
                    }
                    guard state.waiting.count < Self.limit else { return false }
                    state.waiting.append((ticket, continuation))
                    return nil
                }
                if let isIn { continuation.resume(returning: isIn) }
            }
        } onCancel: {
            take(ticket)?.resume(returning: false)
        }
        guard !isIn else { return }
        throw ProtocolError(
            .cancelled, Task.isCancelled ? "The question was taken back." : "Too many questions wait for you already.")
    }

    /// The turn of the next.
    func leave() {
        let next = state.withLock { state in
            state.isTaken = !state.waiting.isEmpty
            return state.isTaken ? state.waiting.removeFirst().continuation : nil
        }
        next?.resume(returning: true)
    }

    /// The person closed `question` without an answer.
    func close(_ question: AskPerson.Question, at now: MonotonicTime) {
        state.withLock { $0.closed[question] = now }
    }

    /// Whether the person closed `question` a moment ago.
    func isClosed(_ question: AskPerson.Question, at now: MonotonicTime) -> Bool {
        state.withLock { state in
            state.closed = state.closed.filter { now.since($0.value) < Self.pause }
            return state.closed[question] != nil
        }
    }

    private func take(_ ticket: Int) -> CheckedContinuation<Bool, Never>? {
        state.withLock { state in
            guard let place = state.waiting.firstIndex(where: { $0.ticket == ticket }) else { return nil }
            return state.waiting.remove(at: place).continuation
        }
    }
}
