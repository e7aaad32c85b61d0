import AutoFillProtocol
import KeywaySystem
import Synchronization

/// A check that is made elsewhere (a sensor, a window of polkit's) while the presenter says what for.
enum AccompaniedCheck {
    /// Runs `body` while `question` stands at the presenter; backing out there ends it.
    ///
    /// - Throws: what `body` throws, or ``ProtocolError`` with the code `cancelled`.
    static func run(
        _ question: AskPerson.Question, through presenter: any PersonPresenter,
        _ body: @escaping @Sendable () async throws(ProtocolError) -> Void
    ) async throws(ProtocolError) {
        do {
            try await withThrowingTaskGroup(of: Bool.self) { group in
                group.addTask {
                    try await body()
                    return true
                }
                group.addTask {
                    if case .refused = try await presenter.ask(question) {
                        throw ProtocolError(.cancelled, "You cancelled.")
                    }
                    return false
                }
                defer { group.cancelAll() }
                while let isDone = try await group.next() { if isDone { return } }
            }
        } catch {
            throw (error as? ProtocolError) ?? ProtocolError(.cancelled, "The check was cancelled.")
        }
    }
}

/// An answer that comes once, from a queue, to a task that may be cancelled.
final class OneAnswer<Value: Sendable>: Sendable {
    private struct State {
        var value: Value?
        var waiting: CheckedContinuation<Value, Never>?
    }

    private let state = Mutex(State())

    /// Gives the answer; what comes after the first is dropped.
    func give(_ value: Value) {
        let waiting = state.withLock { state -> CheckedContinuation<Value, Never>? in
            guard state.value == nil else { return nil }
            state.value = value
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume(returning: value)
    }

    /// Waits for it. Called once.
    func wait() async -> Value {
        await withCheckedContinuation { continuation in
            let value = state.withLock { state in
                if state.value == nil { state.waiting = continuation }
                return state.value
            }
            if let value { continuation.resume(returning: value) }
        }
    }
}
