import AutoFillProtocol
import KeywayCrypto
import KeywaySQLite
import ServiceMatching

/// The rows of one store, for whoever writes. Belongs to one actor.
final class IdentityTable: SealedTable {
    /// What became of one identity.
    enum Change {
        case none, added, altered
    }

    /// How many identities there are.
    private(set) var count: Int
    private var countBefore = 0
    let suffixes: PublicSuffixes

    init(_ database: Database, keys: IdentityKeys, suffixes: PublicSuffixes) throws(SQLiteError) {
        self.suffixes = suffixes
        count = Int(try database.integer("SELECT COUNT(*) FROM identities") ?? 0)
        super.init(database, keys: keys)
    }

    /// Runs `body` in one transaction: all of it is written, or nothing.
    func transaction<Result>(_ body: () throws(SQLiteError) -> Result) throws(SQLiteError) -> Result {
        try begin()
        do {
            let result = try body()
            try commit()
            return result
        } catch {
            rollback()
            throw error
        }
    }

    /// Starts a transaction.
    func begin() throws(SQLiteError) {
        try database.begin()
        countBefore = count
    }

    /// Writes the open transaction.
    func commit() throws(SQLiteError) { try database.commit() }

    /// Drops the open transaction.
    func rollback() {
        database.rollback()
        count = countBefore
    }

    // MARK: - Rows

    /// The row of an identity.
    func find(_ name: [UInt8]) throws(SQLiteError) -> SealedRows.Row? {
        let query = try prepared("SELECT \(SealedRows.columns) FROM identities WHERE name = ?1")
        defer { query.reset() }
        try query.bind(1, name)
        return try query.step() ? try rows.open(query) : nil
    }

    /// Adds an identity, or overwrites it; what was used last stays known.
    ///
    /// - Returns: the number of its row, and what became of it.
    @discardableResult
    func save(_ identity: CredentialIdentity) throws(SQLiteError) -> (row: Int64, change: Change) {
        let name = keys.name(of: identity)
        if let found = try find(name) {
            guard found.record.identity != identity else { return (found.number, .none) }
            try put(IdentityRecord(identity, used: found.record.used), instead: found)
            return (found.number, .altered)
        }
        let record = IdentityRecord(identity)
        let places = keys.places(of: identity, suffixes: suffixes)
        let position = try position(for: record, in: places.list)
        let insert = try prepared(
            "INSERT INTO identities(name, host, origin, site, position, sealed) VALUES (?1, ?2, ?3, ?4, ?5, ?6)")
        try insert.bind(1, name)
        try bind(places, insert)
        try insert.bind(5, position)
        try insert.bind(6, rows.seal(record, name, places))
        try insert.run()
        count += 1
        return (database.lastRow, .added)
    }

    /// Writes another record of the same identity into its row.
    func put(_ record: IdentityRecord, instead row: SealedRows.Row) throws(SQLiteError) {
        let isMoved = record.isBefore(row.record) || row.record.isBefore(record)
        let position = isMoved ? try position(for: record, in: row.places.list) : row.position
        let update = try prepared("UPDATE identities SET position = ?2, sealed = ?3 WHERE id = ?1")
        try update.bind(1, row.number)
        try update.bind(2, position)
        try update.bind(3, rows.seal(record, row.name, row.places))
        try update.run()
    }

    /// Takes an identity away; whether it was there.
    @discardableResult
    func remove(_ identity: CredentialIdentity) throws(SQLiteError) -> Bool {
        let delete = try prepared("DELETE FROM identities WHERE name = ?1")
        try delete.bind(1, keys.name(of: identity))
        try delete.run()
        count -= database.changedRows
        return database.changedRows > 0
    }

    /// Takes away every row that is not in `kept`.
    func removeAll(but kept: RowSet) throws(SQLiteError) {
        let walk = try prepared("SELECT id FROM identities WHERE id > ?1 ORDER BY id LIMIT 1000")
        let delete = try prepared("DELETE FROM identities WHERE id = ?1")
        var last = Int64.min
        while true {
            var gone: [Int64] = []
            var seen = 0
            try walk.bind(1, last)
            while try walk.step() {
                last = walk.integer(0)
                seen += 1
                if !kept.contains(last) { gone.append(last) }
            }
            for number in gone {
                try delete.bind(1, number)
                try delete.run()
            }
            count -= gone.count
            if seen < 1000 { return }
        }
    }

    /// Derives the indexes from the rows again. A row that was altered does not open and is found; an index entry that
    /// was altered only finds nothing, for ever, unless everything that the provider sends anew ends here.
    func rebuildIndexes() throws(SQLiteError) {
        try database.execute("REINDEX identities")
    }

    private func bind(_ places: IdentityPlaces, _ statement: Statement) throws(SQLiteError) {
        try statement.bind(2, places.host)
        try statement.bind(3, places.origin)
        if let site = places.site { try statement.bind(4, site) } else { try statement.bindNull(4) }
    }
}

// MARK: - Values beside the rows

extension IdentityTable {
    private static let proof: StaticString = "proof"
    private static let newest: StaticString = "newest use"

    /// Checks that the file was sealed under this key; a new file is marked with it.
    ///
    /// - Throws: `damaged` when it was another key.
    func prove() throws(SQLiteError) {
        let found = try IdentityDatabase.value("\(Self.proof)", in: database)
        if found.isEmpty {
            guard count == 0 else { throw .damaged }
            try set(Self.proof, rows.seal([1], as: Self.proof))
        } else if found.withUnsafeBytes({ rows.open($0, as: Self.proof) }) != [1] {
            throw .damaged
        }
    }

    /// When anything was used last, in milliseconds since 1970.
    func newestUse() throws(SQLiteError) -> Int64 {
        let sealed = try IdentityDatabase.value("\(Self.newest)", in: database)
        guard !sealed.isEmpty else { return 0 }
        guard let bytes = sealed.withUnsafeBytes({ rows.open($0, as: Self.newest) }), bytes.count == 8 else {
            throw .damaged
        }
        return Int64(littleEndian: bytes.withUnsafeBytes { $0.loadUnaligned(as: Int64.self) })
    }

    /// Remembers the newest use.
    func setNewestUse(_ time: Int64) throws(SQLiteError) {
        try set(Self.newest, rows.seal(withUnsafeBytes(of: time.littleEndian) { Array($0) }, as: Self.newest))
    }

    /// Derives the registrable domains again when the public suffix list is another one than last time.
    func refreshSites() throws(SQLiteError) {
        let current = Array(suffixes.fingerprint.utf8)
        guard try IdentityDatabase.value("suffixes", in: database) != current else { return }
        try transaction { () throws(SQLiteError) in
            let walk = try prepared(
                "SELECT \(SealedRows.columns) FROM identities WHERE id > ?1 ORDER BY id LIMIT 1000")
            let update = try prepared(
                "UPDATE identities SET host = ?2, origin = ?3, site = ?4, position = ?5, sealed = ?6 WHERE id = ?1")
            var last = Int64.min
            while true {
                var moved: [(SealedRows.Row, IdentityPlaces)] = []
                let start = last
                try walk.bind(1, last)
                while try walk.step() {
                    let row = try rows.open(walk)
                    last = row.number
                    let places = keys.places(of: row.record.identity, suffixes: suffixes)
                    if places != row.places { moved.append((row, places)) }
                }
                for (row, places) in moved {
                    try bind(places, update)
                    try update.bind(1, row.number)
                    try update.bind(5, try position(for: row.record, in: places.list))
                    try update.bind(6, rows.seal(row.record, row.name, places))
                    try update.run()
                }
                if last == start { break }
            }
            try set("suffixes", current)
        }
    }

    private func set(_ name: StaticString, _ value: [UInt8]) throws(SQLiteError) {
        try database.run("INSERT OR REPLACE INTO meta VALUES (?1, ?2)", .text("\(name)"), .blob(value))
    }
}

/// Numbers of rows, close together: a bit for each.
struct RowSet {
    private var words: [Int64: UInt64] = [:]

    mutating func insert(_ number: Int64) {
        words[number >> 6, default: 0] |= 1 << UInt64(number & 63)
    }

    func contains(_ number: Int64) -> Bool {
        (words[number >> 6] ?? 0) & 1 << UInt64(number & 63) != 0
    }
}
