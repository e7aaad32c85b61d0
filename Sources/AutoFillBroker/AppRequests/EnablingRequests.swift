import KeywaySystem
import Synchronization

/// Apps that asked to have their provider turned on, and those of them that still wait for the person.
final class EnablingRequests: Sendable {
    /// How long the person may take.
    static let patience = Duration.seconds(60)
    /// How long an app must wait before it asks again.
    static let pause = Duration.seconds(10)

    private struct State {
        var asked: [String: MonotonicTime] = [:]
        var requested: Set<String> = []
        var waiting: [Int: (identifier: String, sink: AsyncStream<Bool>.Continuation)] = [:]
        var nextTicket = 0
    }

    /// One app that waits; withdrawn when nobody holds it any more.
    final class Wait: Sendable {
        private let answers: AsyncStream<Bool>
        private let withdraw: @Sendable () -> Void

        fileprivate init(_ answers: AsyncStream<Bool>, withdraw: @escaping @Sendable () -> Void) {
            self.answers = answers
            self.withdraw = withdraw
        }

        deinit { withdraw() }

        /// The person's decision; false when the task is cancelled first.
        func answer() async -> Bool {
            for await answer in answers { return answer }
            return false
        }
    }

    private let state = Mutex(State())

    /// Notes that the program at `path` asks for the provider `identifier`.
    ///
    /// - Returns: the wait for the answer.
    /// - Throws: ``ProtocolError`` with the code `busy` when the same program asked a moment ago.
    func ask(_ identifier: String, program path: String, now: MonotonicTime) throws(ProtocolError) -> Wait {
        let (answers, sink) = AsyncStream.makeStream(of: Bool.self)
        let ticket = state.withLock { state -> Int? in
            if let last = state.asked[path], now.since(last) < Self.pause { return nil }
            state.asked[path] = now
            state.requested.insert(identifier)
            state.nextTicket += 1
            state.waiting[state.nextTicket] = (identifier, sink)
            return state.nextTicket
        }
        guard let ticket else {
            throw ProtocolError(
                .busy, "The app asked less than \(Self.pause) ago. Try again later.", provider: identifier)
        }
        return Wait(answers) { [weak self] in
            self?.state.withLock { _ = $0.waiting.removeValue(forKey: ticket) }
        }
    }

    /// Whether an app of the provider asked, and nobody decided since.
    func isRequested(_ identifier: String) -> Bool { state.withLock { $0.requested.contains(identifier) } }

    /// Tells all who wait what the person decided.
    func decide(_ identifier: String, isEnabled: Bool) {
        let sinks = state.withLock { state in
            state.requested.remove(identifier)
            return state.waiting.values.filter { $0.identifier == identifier }.map(\.sink)
        }
        for sink in sinks { sink.yield(isEnabled) }
    }
}
