import AutoFillProtocol
import AutoFillWire
import KeywaySystem
import ProviderHosting
import Synchronization

/// The programs in terminals that were connected to services. A service names each by its number when it asks whether it
/// may hand something out.
final class ServiceConversations: Sendable {
    /// One of them.
    final class Conversation: Sendable {
        /// How long one look at names lasts: a long list comes in several pages.
        static let lookLimit = Duration.seconds(60)

        /// Judges what the service wants to hand out.
        typealias Permit =
            @Sendable (PermitService.Purpose, ProviderBundle, Conversation) async throws(ProtocolError) -> Void

        let connection: Connection
        let provider: String
        private let permit: Permit
        private let lookedSince = Mutex<MonotonicTime?>(nil)

        init(connection: Connection, provider: String, permit: @escaping Permit) {
            self.permit = permit
            self.connection = connection
            self.provider = provider
        }

        /// Lets the service hand something out.
        ///
        /// - Throws: as whoever began the conversation refuses it.
        func permit(_ purpose: PermitService.Purpose, of bundle: ProviderBundle) async throws(ProtocolError) {
            try await permit(purpose, bundle, self)
        }

        /// Whether the person let it look at names a moment ago.
        func isLooking(at now: MonotonicTime) -> Bool {
            lookedSince.withLock { $0.map { now.since($0) < Self.lookLimit } ?? false }
        }

        /// It looks at names from now on; nil ends that.
        func look(since time: MonotonicTime?) { lookedSince.withLock { $0 = time } }
    }

    /// The most that one connection keeps; the oldest hand out nothing more.
    static let most = 64

    private struct State {
        var next = 1
        var open: [Int: Conversation] = [:]
        var numbers: [ObjectIdentifier: [Int]] = [:]
    }

    private let state = Mutex(State())

    /// Numbers a conversation of the program behind `connection`; it ends with the connection.
    func add(_ conversation: Conversation) -> Int {
        let connection = ObjectIdentifier(conversation.connection)
        let (number, isFirst) = state.withLock { state in
            let number = state.next
            state.next += 1
            state.open[number] = conversation
            var numbers = state.numbers[connection] ?? []
            let isFirst = numbers.isEmpty
            numbers.append(number)
            if numbers.count > Self.most { state.open[numbers.removeFirst()] = nil }
            state.numbers[connection] = numbers
            return (number, isFirst)
        }
        if isFirst { conversation.connection.onClose { [weak self] in self?.drop(connection) } }
        return number
    }

    /// The conversation with that number, if the service of `provider` has it.
    func conversation(_ number: Int, of provider: String) -> Conversation? {
        state.withLock { $0.open[number] }.flatMap { $0.provider == provider ? $0 : nil }
    }

    /// Whether a service may hand something out to a client that it was connected to.
    ///
    /// - Throws: ``ProtocolError``, as ``Conversation/permit(_:of:)``; `refused` for a client that is gone.
    func permit(_ parameters: PermitService.Parameters, of bundle: ProviderBundle) async throws(ProtocolError) {
        guard let conversation = conversation(parameters.number, of: bundle.reference.identifier) else {
            throw ProtocolError(.refused, "The program that asked has ended its connection to Keyway.")
        }
        try await conversation.permit(parameters.purpose.bounded, of: bundle)
    }

    /// The session was locked: no look goes on.
    func endLooks() {
        let open = state.withLock { Array($0.open.values) }
        for conversation in open { conversation.look(since: nil) }
    }

    /// How many there are.
    var count: Int { state.withLock { $0.open.count } }

    private func drop(_ connection: ObjectIdentifier) {
        state.withLock { state in
            for number in state.numbers.removeValue(forKey: connection) ?? [] { state.open[number] = nil }
        }
    }
}

extension PermitService.Purpose {
    /// The same with texts of a service made harmless to show.
    fileprivate var bounded: Self {
        switch self {
        case .account(let account):
            .account(
                .init(
                    record: String(account.record.prefix(300)), user: DisplayText.line(account.user),
                    service: DisplayText.line(account.service), kind: account.kind))
        case .comparison(let accounts):
            .comparison(
                .init(
                    records: accounts.records.prefix(PermitService.Comparison.named).map { String($0.prefix(300)) },
                    count: accounts.count))
        default: self
        }
    }
}
