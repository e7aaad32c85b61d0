import AutoFillProtocol
import Synchronization

/// What the person should know: told to every terminal that is there, or, where none is, to the next one, once.
final class NoticeBoard: Sendable {
    /// The most notices that wait for a terminal; the oldest go first.
    static let capacity = 16

    private struct State {
        var readers: [ObjectIdentifier: Connection] = [:]
        var waiting: [BrokerNotice.Parameters] = []
    }

    private let state = Mutex(State())

    /// Tells `text`.
    func post(_ provider: ProviderReference?, _ text: String) {
        let notice = BrokerNotice.Parameters(provider: provider, text: text)
        let readers = state.withLock { state in
            if state.readers.isEmpty, !state.waiting.contains(notice) {
                state.waiting = state.waiting.suffix(Self.capacity - 1) + [notice]
            }
            return Array(state.readers.values)
        }
        for reader in readers { reader.notify(BrokerNotice.self, notice) }
    }

    /// From now on until it closes, `connection` hears what there is to tell, beginning with what waits;
    /// one that hears already goes on.
    func add(_ connection: Connection) {
        let waiting = state.withLock { state -> [BrokerNotice.Parameters]? in
            guard state.readers.updateValue(connection, forKey: ObjectIdentifier(connection)) == nil else { return nil }
            defer { state.waiting = [] }
            return state.waiting
        }
        guard let waiting else { return }
        connection.onClose { [weak self, weak connection] in
            guard let self, let connection else { return }
            self.state.withLock { _ = $0.readers.removeValue(forKey: ObjectIdentifier(connection)) }
        }
        for notice in waiting { connection.notify(BrokerNotice.self, notice) }
    }
}
