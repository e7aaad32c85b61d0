package import AutoFillProtocol
import BrokerBase
import KeywaySQLite
import KeywaySystem
package import ServiceMatching

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

    private var table: SealedTable?
    private let suffixes: PublicSuffixes
    private let executor: QueueExecutor

    nonisolated package var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Opens a file that its writer has made.
    ///
    /// - Throws: ``SQLiteError``.
    init(path: String, keys: IdentityKeys, suffixes: PublicSuffixes) throws(SQLiteError) {
        self.suffixes = suffixes
        table = SealedTable(try Database(path: path, access: .readOnly), keys: keys)
        executor = QueueExecutor(label: "org.keyway.identities.reading")
    }

    /// Closes the file and forgets its keys; whoever comes later is told `locked`.
    func close() {
        table = nil
    }

    /// How many identities there are.
    package func count() throws -> Int {
        let query = try opened().prepared("SELECT COUNT(*) FROM identities")
        defer { query.reset() }
        return try query.step() ? Int(query.integer(0)) : 0
    }

    /// Whether there is any.
    func holdsAny() throws -> Bool {
        let query = try opened().prepared("SELECT 1 FROM identities LIMIT 1")
        defer { query.reset() }
        return try query.step()
    }

    /// What may be offered on a page, best first.
    ///
    /// - Parameter kinds: the kinds that are wanted.
    /// - Returns: `limit` matches at most, and how many there are in all, counted up to ``countingLimit``.
    package func matches(
        _ page: ServiceAddress, kinds: Set<CredentialKind> = [.password], limit: Int
    ) throws -> (found: [IdentityMatch], total: Int) {
        let table = try opened()
        // All lists as they were at one moment.
        try table.database.beginReading()
        defer { table.database.rollback() }
        var found: [IdentityMatch] = []
        var total = 0
        for level in MatchLevel.levels(of: page) {
            let wanted = limit - found.count
            var records: [IdentityRecord] = []
            var hasSeveral = false
            for list in try level.lists(in: table, kinds) {
                let some = wanted > 0 ? try list.first(wanted, in: table) : []
                hasSeveral = hasSeveral || !records.isEmpty
                records += some
                if some.count < wanted {
                    total += some.count
                } else if total < Self.countingLimit {
                    total += try list.count(upTo: Self.countingLimit - total, in: table)
                }
            }
            if hasSeveral { records.sort { $0.isBefore($1) } }
            found += records.prefix(wanted).map {
                IdentityMatch(identity: $0.identity, match: level.match, used: $0.used)
            }
        }
        return (found, min(total, max(Self.countingLimit, found.count)))
    }

    /// One page of everything, in the order in which it was stored.
    package func read(_ parameters: ReadIdentities.Parameters) throws -> ReadIdentities.Result {
        let kinds = parameters.kinds.isEmpty ? CredentialKind.allCases : parameters.kinds
        let table = try opened()
        let query = try table.prepared(
            "SELECT \(SealedRows.columns) FROM identities WHERE id > ?1"
                + (parameters.service == nil ? "" : " AND host IN (?2, ?3, ?4)") + " ORDER BY id")
        defer { query.reset() }
        try query.bind(1, Int64(parameters.after ?? 0))
        if let service = parameters.service {
            for (index, kind) in CredentialKind.allCases.enumerated() {
                try query.bind(Int32(index + 2), table.keys.host(of: service, kind, suffixes: suffixes))
            }
        }
        var page: [CredentialIdentity] = []
        var bytes = 0
        var last = 0
        while try query.step() {
            guard page.count < Self.pageCount, bytes < Self.pageBytes else {
                return ReadIdentities.Result(identities: page, next: last)
            }
            last = Int(query.integer(0))
            let identity = try table.rows.open(query).record.identity
            guard kinds.contains(identity.kind), parameters.service.map({ $0 == identity.service }) ?? true else {
                continue
            }
            page.append(identity)
            bytes += identity.service.identifier.utf8.count + identity.user.utf8.count
            bytes += identity.recordIdentifier?.utf8.count ?? 0
            bytes += identity.passkey.map { $0.credentialID.count + $0.userHandle.count } ?? 0
        }
        return ReadIdentities.Result(identities: page, next: nil)
    }

    private func opened() throws(ProtocolError) -> SealedTable {
        guard let table else { throw ProtocolError(.locked, "The identity store was closed; try again.") }
        return table
    }
}
