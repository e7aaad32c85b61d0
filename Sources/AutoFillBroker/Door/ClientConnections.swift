import AutoFillWire
import BrokerBase
import Glibc
import IdentityIndex
import KeywaySystem
import Synchronization

/// The open connections of clients, and how much room there is for more.
final class ClientConnections: Sendable {
    /// When memory is given back: not at all, in a second, or in a second after another look.
    private enum GivingBack {
        case not, soon, later
    }

    private struct State {
        var connections: [ObjectIdentifier: Connection] = [:]
        var isClosed = false
        /// How many have come and gone, with what they asked.
        var gone = 0
        /// The same of those whom nobody approved.
        var goneStrangers = 0
        var givingBack = GivingBack.not
        var room = ConnectionRoom(descriptorLimit: ClientConnections.descriptorLimit)
    }

    private let knownGroup: KnownGroup
    private let clients: Clients
    private let clock: any TimeSource
    private let state = Mutex(State())

    init(knownGroup: KnownGroup, clients: Clients, clock: any TimeSource) {
        self.knownGroup = knownGroup
        self.clients = clients
        self.clock = clock
    }

    /// Takes a connection in, if there is room for it.
    func add(_ connection: Connection, _ admission: ClientAdmission) -> Bool {
        let owner = owner(of: connection, isApproved: clients.isKnown(admission.arrivedPath), admission)
        return state.withLock { state in
            guard !state.isClosed, state.room.admit(ObjectIdentifier(connection), of: owner) else { return false }
            state.connections[ObjectIdentifier(connection)] = connection
            return true
        }
    }

    /// It has ended.
    func remove(_ connection: Connection) {
        state.withLock { state in
            let known = state.connections.removeValue(forKey: ObjectIdentifier(connection))
            let count = known.map { $0.requests.begun + 1 } ?? 0
            if state.room.isStranger(ObjectIdentifier(connection)) {
                state.goneStrangers += count
            } else {
                state.gone += count
            }
            state.room.leave(ObjectIdentifier(connection))
        }
        giveBackMemory()
    }

    /// How many there are.
    var count: Int { state.withLock { $0.connections.count } }

    /// How much they ask now. Browsers stay connected as long as they run, and connect again by themselves; terminals
    /// stay for one command, and talk to a provider's service meanwhile.
    func use(countsStrangers: Bool) -> BrokerUse {
        state.withLock { state in
            var (isBusy, count) = (false, state.gone + (countsStrangers ? state.goneStrangers : 0))
            for (identifier, connection) in state.connections {
                guard countsStrangers || !state.room.isStranger(identifier) else { continue }
                let requests = connection.requests
                isBusy = isBusy || requests.running > 0 || connection.role == .terminal || connection.role == nil
                count += requests.begun + 1
            }
            return BrokerUse(isBusy: isBusy, count: count)
        }
    }

    /// Takes none any more, and waits until nobody asks: who was let in, such as a command that has just greeted, has
    /// what it came for. Whoever stays longer than `limit` is not waited for.
    func finish(within limit: Duration) async {
        state.withLock { $0.isClosed = true }
        let begun = clock.now
        while use(countsStrangers: true).isBusy, clock.now.since(begun) < limit {
            try? await clock.sleep(for: .milliseconds(10))
        }
    }

    /// Ends all of them, and takes none any more.
    func close() {
        let connections = state.withLock { state in
            state.isClosed = true
            return Array(state.connections.values)
        }
        for connection in connections { connection.close() }
    }

    /// Whose a connection is, for the room that there is. Without a group an approved program counts as one of Keyway's own.
    private func owner(of connection: Connection, isApproved: Bool, _ admission: ClientAdmission)
        -> ConnectionRoom.Owner
    {
        if knownGroup.covers(connection.peer) { return .own }
        if isApproved { return knownGroup.identifier == nil ? .own : .approved }
        return .stranger(admission.arrivedPath)
    }

    /// The person let the program behind `connection` ask.
    func makeRoom(for connection: Connection, _ admission: ClientAdmission) {
        let owner = owner(of: connection, isApproved: true, admission)
        state.withLock { $0.room.approve(ObjectIdentifier(connection), as: owner) }
    }

    /// How many descriptors this process may have.
    private static var descriptorLimit: Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1024 }
        return Int(min(limit.rlim_cur, 1 << 20))
    }

    /// Gives back, soon and once for many, what ended connections have left: thousands of handles each.
    ///
    /// Not before a second without another end: what is taken apart at that moment would be left behind. And again when
    /// the threads that took them apart have ended, which keep some of it to themselves until then.
    private func giveBackMemory() {
        guard
            state.withLock({ state in
                defer { state.givingBack = state.givingBack == .not ? .soon : .later }
                return state.givingBack == .not
            })
        else { return }
        Task { [weak self, clock] in
            repeat { try? await clock.sleep(for: .seconds(1)) } while self?.isStillEnding == true
            FreedMemory.giveBack()
            try? await clock.sleep(for: .seconds(10))
            FreedMemory.giveBack()
        }
    }

    /// Whether another connection has ended since this was asked last.
    private var isStillEnding: Bool {
        state.withLock { state in
            defer { state.givingBack = state.givingBack == .later ? .soon : .not }
            return state.givingBack == .later
        }
    }

    /// What one connection may have of handles now.
    var handleLimits: SuggestionHandles.Limits {
        SuggestionHandles.Limits(connections: count)
    }
}
