package import KeywaySystem
import Synchronization

/// A fair lock: one holder works, and the others wait in the order in which they came.
package final class Turn: Sendable {
    private struct State {
        var isTaken = false
        var nextTicket = 0
        var waiting: [(ticket: Int, continuation: CheckedContinuation<Bool, Never>)] = []
        var withdrawn: Set<Int> = []
    }

    private let state = Mutex(State())

    /// Nobody has it, and nobody waits.
    package init() {}

    /// Runs `body` when it is this caller's turn.
    ///
    /// - Throws: what `body` throws, or ``ProtocolError`` with the code `cancelled` when the task was, while it waited.
    package func run<Result: Sendable>(
        _ body: () async throws(ProtocolError) -> Result
    ) async throws(ProtocolError) -> Result {
        guard await take() else { throw ProtocolError(.cancelled, "The request was cancelled.") }
        defer { pass() }
        return try await body()
    }

    private func take() async -> Bool {
        let ticket = state.withLock { state in
            defer { state.nextTicket += 1 }
            return state.nextTicket
        }
        // Nobody withdraws a ticket once the wait is over.
        defer { state.withLock { _ = $0.withdrawn.remove(ticket) } }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer = state.withLock { state -> Bool? in
                    if state.withdrawn.contains(ticket) { return false }
                    guard state.isTaken else {
                        state.isTaken = true
                        return true
                    }
                    state.waiting.append((ticket, continuation))
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            withdraw(ticket)
        }
    }

    private func withdraw(_ ticket: Int) {
        let continuation = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            guard let index = state.waiting.firstIndex(where: { $0.ticket == ticket }) else {
                // Not in the queue yet, or past it: only the former looks here again.
                state.withdrawn.insert(ticket)
                return nil
            }
            return state.waiting.remove(at: index).continuation
        }
        continuation?.resume(returning: false)
    }

    private func pass() {
        let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            if state.waiting.isEmpty { state.isTaken = false }
            return state.waiting.isEmpty ? nil : state.waiting.removeFirst().continuation
        }
        next?.resume(returning: true)
    }
}
