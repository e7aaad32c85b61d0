import AutoFillWire
import Synchronization

/// The conversations that the broker handed over, for as long as they last.
final class ServiceClients: Sendable {
    private struct State {
        var connections: [ObjectIdentifier: Connection] = [:]
        var isClosed = false
    }

    private let state = Mutex(State())

    /// Serves one more; after ``closeAll()`` it is closed at once.
    func serve(_ connection: Connection) {
        let key = ObjectIdentifier(connection)
        let isClosed = state.withLock { state in
            if !state.isClosed { state.connections[key] = connection }
            return state.isClosed
        }
        guard !isClosed else { return connection.close() }
        connection.onClose { [weak self] in
            self?.state.withLock { _ = $0.connections.removeValue(forKey: key) }
        }
        connection.start()
    }

    /// Ends all conversations, and takes no more.
    func closeAll() {
        let connections = state.withLock { state in
            state.isClosed = true
            return Array(state.connections.values)
        }
        for connection in connections { connection.close() }
    }
}
