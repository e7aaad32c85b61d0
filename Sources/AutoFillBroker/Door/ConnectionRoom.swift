/// Limits how many connections are open. Some are reserved for Keyway's own programs, however many others connect.
struct ConnectionRoom {
    /// Whose a connection is.
    enum Owner: Hashable, Sendable {
        /// One of Keyway's own programs; where no group tells those, a program that the person approved.
        case own
        /// A program that the person approved.
        case approved
        /// Any other, by its file; nil for one that hides.
        case stranger(String?)
    }

    /// The most connections, where descriptors suffice.
    static let most = 2048
    /// How many are left to Keyway's own.
    static let reserved = 128
    /// The most of one program that nobody approved.
    static let mostOfStranger = 64
    /// Descriptors that a connection may take, and that everything else takes.
    private static let descriptors = (ofConnection: 4, others: 256)

    private let limit: Int
    private let reserve: Int
    private var owners: [ObjectIdentifier: Owner] = [:]
    private var counts: [Owner: Int] = [:]

    /// No connection yet; `descriptorLimit` is that of the process (`RLIMIT_NOFILE`).
    init(descriptorLimit: Int) {
        limit = min(Self.most, max(64, (descriptorLimit - Self.descriptors.others) / Self.descriptors.ofConnection))
        reserve = min(Self.reserved, limit / 4)
    }

    /// Takes a connection in, if there is room for it.
    mutating func admit(_ connection: ObjectIdentifier, of owner: Owner) -> Bool {
        guard owners.count < limit else { return false }
        if owner != .own, owners.count - counts[.own, default: 0] >= limit - reserve { return false }
        if case .stranger = owner, counts[owner, default: 0] >= Self.mostOfStranger { return false }
        owners[connection] = owner
        counts[owner, default: 0] += 1
        return true
    }

    /// Whether nobody approved its program.
    func isStranger(_ connection: ObjectIdentifier) -> Bool {
        if case .stranger = owners[connection] { true } else { false }
    }

    /// The person let its program ask: it is a stranger's no longer.
    mutating func approve(_ connection: ObjectIdentifier, as owner: Owner) {
        guard owners[connection] != nil else { return }
        leave(connection)
        owners[connection] = owner
        counts[owner, default: 0] += 1
    }

    /// It has ended.
    mutating func leave(_ connection: ObjectIdentifier) {
        guard let owner = owners.removeValue(forKey: connection) else { return }
        counts[owner, default: 0] -= 1
        if counts[owner] == 0 { counts[owner] = nil }
    }
}
