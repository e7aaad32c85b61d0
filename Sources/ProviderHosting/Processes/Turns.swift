import BrokerBase
import KeywaySystem
import Synchronization

/// A queue for each thing that only one may have at a time, for as long as somebody has it or wants it.
final class Turns<Name: Hashable & Sendable>: Sendable {
    private struct Queue {
        let turn = Turn()
        var users = 0
    }

    private let queues = Mutex<[Name: Queue]>([:])

    /// Runs `body` when it is this caller's turn at `name`.
    ///
    /// - Throws: what `body` throws, or ``ProtocolError`` with the code `cancelled` when the task was, while it waited.
    func run<Result: Sendable>(
        _ name: Name, _ body: () async throws(ProtocolError) -> Result
    ) async throws(ProtocolError) -> Result {
        let turn = queues.withLock { queues in
            var queue = queues[name] ?? Queue()
            queue.users += 1
            queues[name] = queue
            return queue.turn
        }
        defer {
            queues.withLock { queues in
                queues[name]?.users -= 1
                if queues[name]?.users == 0 { queues[name] = nil }
            }
        }
        return try await turn.run(body)
    }

    /// How many queues there are.
    var count: Int { queues.withLock { $0.count } }
}
