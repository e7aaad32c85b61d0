import KeywaySystem
import Synchronization

/// Lets one task through at a time, in the order of arrival; a few may wait, the others are turned away.
///
/// A derivation takes 256 MiB and a second of a core, so two at a time would be a way to exhaust the machine.
final class Turnstile: Sendable {
    private struct State {
        var isTaken = false
        var nextTicket = 0
        var waiting: [(ticket: Int, continuation: CheckedContinuation<Bool, Never>)] = []
    }

    private let state = Mutex(State())
    private let capacity: Int

    /// A turnstile before which `capacity` tasks may wait.
    init(capacity: Int) {
        self.capacity = capacity
    }

    /// Runs `body` alone. It inherits the isolation of the caller.
    ///
    /// - Throws: `busy` when too many wait, `cancelled` when the task is cancelled while it waits, or what `body` throws.
    func pass<Result>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
    ) async throws -> Result {
        try await enter()
        defer { leave() }
        return try await body()
    }

    private func enter(isolation: isolated (any Actor)? = #isolation) async throws(ProtocolError) {
        let ticket = state.withLock { state in
            defer { state.nextTicket += 1 }
            return state.nextTicket
        }
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let now = state.withLock { state -> Bool? in
                    if Task.isCancelled || state.waiting.count >= capacity { return false }
                    if state.isTaken {
                        state.waiting.append((ticket, continuation))
                        return nil
                    }
                    state.isTaken = true
                    return true
                }
                if let now { continuation.resume(returning: now) }
            }
        } onCancel: {
            abandon(ticket)
        }
        if outcome { return }
        if Task.isCancelled { throw ProtocolError(.cancelled, "The request was cancelled.") }
        throw ProtocolError(.busy, "Too many programs are trying to unlock the vault. Wait for them to finish.")
    }

    private func leave() {
        let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            guard !state.waiting.isEmpty else {
                state.isTaken = false
                return nil
            }
            return state.waiting.removeFirst().continuation
        }
        next?.resume(returning: true)
    }

    private func abandon(_ ticket: Int) {
        let abandoned = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            guard let place = state.waiting.firstIndex(where: { $0.ticket == ticket }) else { return nil }
            return state.waiting.remove(at: place).continuation
        }
        abandoned?.resume(returning: false)
    }
}
