import AutoFillProtocol
import AutoFillWire
import KeywaySystem
import Synchronization

/// Messages for the person. Each goes to every connected terminal, or, if there is none, once to the next one.
final class NoticeBoard: Sendable {
    /// The most notices that wait for a terminal; the oldest go first.
    static let capacity = 16

    /// Something to tell, and the terminal that caused it: that one alone is not enough.
    private struct Note: Equatable {
        let notice: BrokerNotice.Parameters
        let origin: TerminalSession?

        /// Whether it is for a terminal whose session the kernel names as `session` says; nil where it does not.
        func isNews(in session: @autoclosure () -> TerminalSession?) -> Bool {
            guard let origin else { return true }
            return session().map { $0 != origin } ?? false
        }
    }

    private struct State {
        var readers: [ObjectIdentifier: Connection] = [:]
        var waiting: [Note] = []
    }

    private let state = Mutex(State())

    /// What waits for a terminal.
    var waitingTexts: [String] { state.withLock { $0.waiting.map(\.notice.text) } }

    /// Tells `text`.
    ///
    /// - Parameter origin: the terminal session in which something began that the others should hear of: it is told too,
    ///   and the notice waits where there is no other one.
    func post(_ provider: ProviderReference?, _ text: String, from origin: TerminalSession? = nil) {
        let note = Note(notice: BrokerNotice.Parameters(provider: provider, text: text), origin: origin)
        let readers = state.withLock { state in
            if !state.readers.values.contains(where: { note.isNews(in: $0.peerSession) }), !state.waiting.contains(note)
            {
                state.waiting = state.waiting.suffix(Self.capacity - 1) + [note]
            }
            return Array(state.readers.values)
        }
        for reader in readers { reader.notify(BrokerNotice.self, note.notice) }
    }

    /// From now on until it closes, `connection` hears what there is to tell, beginning with what waits;
    /// one that hears already goes on.
    func add(_ connection: Connection) {
        let waiting = state.withLock { state -> [Note]? in
            guard state.readers.updateValue(connection, forKey: ObjectIdentifier(connection)) == nil else { return nil }
            let waiting = state.waiting.filter { $0.isNews(in: connection.peerSession) }
            state.waiting.removeAll { waiting.contains($0) }
            return waiting
        }
        guard let waiting else { return }
        connection.onClose { [weak self, weak connection] in
            guard let self, let connection else { return }
            self.state.withLock { _ = $0.readers.removeValue(forKey: ObjectIdentifier(connection)) }
        }
        for note in waiting { connection.notify(BrokerNotice.self, note.notice) }
    }
}
