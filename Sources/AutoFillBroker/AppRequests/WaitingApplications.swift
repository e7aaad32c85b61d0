import AutoFillWire
import KeywaySystem
import Synchronization

/// Queues the requests of apps that wait for the person to answer in a terminal, because there is no display.
final class WaitingApplications: Sendable {
    /// The most that wait.
    static let most = 16
    /// What is typed there.
    static let command = "keyway answer"

    /// A terminal in which the person answers one of them.
    struct Terminal: Sendable {
        /// How the person is asked there.
        let questions: ClientQuestions
        let context: RequestContext
        /// Called once, when the request has ended: whether the app got what it asked for.
        let finish: @Sendable (Bool) -> Void
    }

    /// What is shown of a request before anybody answers it.
    struct Subject: Hashable, Sendable {
        let program: String
        let path: String
        /// For which site it wants an account; nil where it wants to give its accounts to another provider.
        let service: String?

        /// What it wants, in words that follow its name.
        var wish: String {
            service.map { "asks for an account for \($0)" } ?? "wants to give its accounts to another provider"
        }
    }

    private struct Entry {
        let number: Int
        let subject: Subject
        let sink: AsyncStream<Terminal>.Continuation
    }

    private struct State {
        var next = 0
        var waiting: [Entry] = []
    }

    private let state = Mutex(State())

    /// Waits for a terminal; nil when the task is cancelled. `announce` is called once a terminal would find the request:
    /// whoever does at once what it says comes not too early.
    ///
    /// - Throws: ``ProtocolError`` with the code `busy` when too many wait.
    func wait(
        for subject: Subject, announce: @Sendable () -> Void = {}
    ) async throws(ProtocolError) -> Terminal? {
        let (terminals, sink) = AsyncStream.makeStream(of: Terminal.self)
        let number = state.withLock { state -> Int? in
            guard state.waiting.count < Self.most else { return nil }
            state.next += 1
            state.waiting.append(Entry(number: state.next, subject: subject, sink: sink))
            return state.next
        }
        guard let number else {
            throw ProtocolError(.busy, "Too many apps are waiting for you already. Run: \(Self.command)")
        }
        defer { state.withLock { $0.waiting.removeAll { $0.number == number } } }
        announce()
        for await terminal in terminals { return terminal }
        return nil
    }

    /// Hands `terminal` to the request that waits longest.
    ///
    /// - Returns: what it is about; nil where none waits.
    func take(_ terminal: Terminal) -> Subject? {
        while let entry = state.withLock({ $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }) {
            if case .enqueued = entry.sink.yield(terminal) { return entry.subject }
        }
        return nil
    }

    /// How many wait.
    var count: Int { state.withLock { $0.waiting.count } }
}
