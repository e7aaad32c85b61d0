package import AutoFillProtocol
import KeywaySQLite

/// One identity that fits a page.
package struct IdentityMatch: Hashable, Sendable {
    /// The identity.
    package let identity: CredentialIdentity
    /// How well it fits.
    package let match: ServiceMatch
    /// When it was used last, in milliseconds since 1970; 0 for never.
    package let used: Int64
}

/// What reads the identities of one provider, beside its writer and without waiting for it.
package actor IdentityReader {
    /// From this many on, identities are not counted any further.
    package static let countingLimit = 1000
    private static let pageCount = 1000
    /// A page's texts in bytes, far below what a frame holds even where every byte is escaped.
    private static let pageBytes = 160 << 10

    private var database: Database?
    private var statements: [String: Statement] = [:]
    private let executor: QueueExecutor

    nonisolated package var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Opens a file that its writer has made.
    ///
    /// - Throws: ``SQLiteError``.
    init(path: String) throws(SQLiteError) {
        database = try Database(path: path, access: .readOnly)
        executor = QueueExecutor(label: "org.keyway.identities.reading")
    }

    func close() {
        statements = [:]
        database = nil
    }

    /// How many identities there are.
    func count() throws -> Int {
        let statement = try prepared("SELECT COUNT(*) FROM identities")
        defer { statement.reset() }
        return try statement.step() ? Int(statement.integer(0)) : 0
    }

    /// Whether there is any.
    func holdsAny() throws -> Bool {
        let statement = try prepared("SELECT 1 FROM identities LIMIT 1")
        defer { statement.reset() }
        return try statement.step()
    }

    /// What may be offered on a page, best first.
    ///
    /// - Parameter kinds: the kinds that are wanted.
    /// - Returns: `limit` matches at most, and how many there are in all, counted up to ``countingLimit``.
    func matches(
        _ page: ServiceAddress, kinds: Set<CredentialKind> = [.password], limit: Int
    ) throws -> (found: [IdentityMatch], total: Int) {
        var found: [IdentityMatch] = []
        var total = 0
        for level in MatchLevel.levels(of: page, kinds: kinds) {
            let wanted = limit - found.count
            var count = 0
            if wanted > 0 {
                let rows = try prepared(level.selection)
                try level.bind(rows)
                try rows.bind(level.limitParameter, Int64(wanted))
                while try rows.step() {
                    count += 1
                    guard let identity = IdentityDatabase.identity(rows) else { continue }
                    found.append(IdentityMatch(identity: identity, match: level.match, used: rows.integer(8)))
                }
            }
            if count < wanted {
                total += count
            } else if total < Self.countingLimit {
                let rows = try prepared(level.counting)
                try level.bind(rows)
                try rows.bind(level.limitParameter, Int64(Self.countingLimit))
                total += try rows.step() ? Int(rows.integer(0)) : 0
                rows.reset()
            }
        }
        return (found, min(total, max(Self.countingLimit, found.count)))
    }

    /// One page of everything, in the order in which it was stored.
    func read(_ parameters: ReadIdentities.Parameters) throws -> ReadIdentities.Result {
        let kinds = parameters.kinds.isEmpty ? CredentialKind.allCases : parameters.kinds
        let rows = try prepared(
            "SELECT \(IdentityDatabase.columns), id FROM identities WHERE id > ?1"
                + (parameters.service == nil ? "" : " AND service_kind = ?2 AND service = ?3") + " ORDER BY id")
        defer { rows.reset() }
        try rows.bind(1, Int64(parameters.after ?? 0))
        if let service = parameters.service {
            try rows.bind(2, service.kind.rawValue)
            try rows.bind(3, service.identifier)
        }
        var page: [CredentialIdentity] = []
        var bytes = 0
        var last = 0
        while try rows.step() {
            guard page.count < Self.pageCount, bytes < Self.pageBytes else {
                return ReadIdentities.Result(identities: page, next: last)
            }
            last = Int(rows.integer(8))
            guard let identity = IdentityDatabase.identity(rows), kinds.contains(identity.kind) else { continue }
            page.append(identity)
            bytes += identity.service.identifier.utf8.count + identity.user.utf8.count
            bytes += identity.recordIdentifier?.utf8.count ?? 0
        }
        return ReadIdentities.Result(identities: page, next: nil)
    }

    private func prepared(_ sql: String) throws -> Statement {
        if let statement = statements[sql] { return statement }
        guard let database else {
            throw ProtocolError(.disabled, "The provider is not enabled, so it has no store.")
        }
        let statement = try database.prepare(sql)
        statements[sql] = statement
        return statement
    }
}
