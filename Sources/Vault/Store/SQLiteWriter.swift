import KeywaySQLite

/// Writes sealed bytes inside of a transaction that ``SQLiteStore`` holds.
final class SQLiteWriter: SealedWriter {
    private let place: String
    private let putSummary: Statement
    private let putBody: Statement
    private let removeSummary: Statement
    private let removeBody: Statement
    private let putManifest: Statement
    private let putHeader: Statement

    init(_ database: Database, _ place: String) throws(SQLiteError) {
        self.place = place
        putSummary = try database.prepare("INSERT OR REPLACE INTO summary VALUES (?, ?, ?)")
        putBody = try database.prepare("INSERT OR REPLACE INTO body VALUES (?, ?, ?)")
        removeSummary = try database.prepare("DELETE FROM summary WHERE item = ?")
        removeBody = try database.prepare("DELETE FROM body WHERE item = ?")
        putManifest = try database.prepare("UPDATE manifest SET sealed = ?")
        putHeader = try database.prepare("UPDATE header SET content = ?")
    }

    func put(_ record: SealedRecord) throws(VaultError) {
        try put(record.item, record.version, record.summary, with: putSummary)
        try put(record.item, record.version, record.body, with: putBody)
    }

    func remove(_ item: ItemID) throws(VaultError) {
        try run(removeSummary, .blob(item.bytes))
        try run(removeBody, .blob(item.bytes))
    }

    func put(manifest: [UInt8]) throws(VaultError) { try run(putManifest, .blob(manifest)) }

    func put(header: [UInt8]) throws(VaultError) { try run(putHeader, .blob(header)) }

    private func put(
        _ item: ItemID, _ version: UInt64, _ sealed: [UInt8], with statement: Statement
    ) throws(VaultError) {
        do throws(SQLiteError) {
            try statement.bind(1, item.bytes)
            try statement.bind(2, Int64(clamping: version))
            try statement.bind(3, sealed)
            try statement.run()
        } catch {
            throw VaultError(error).at(place)
        }
    }

    private func run(_ statement: Statement, _ value: SQLiteValue) throws(VaultError) {
        do {
            try statement.run([value])
        } catch {
            throw VaultError(error).at(place)
        }
    }
}
