import KeywaySQLite

/// A transaction of ``SQLiteStore`` that is open.
final class SQLiteTransaction: SealedTransaction {
    private let database: VaultDatabase
    private let place: String
    private var isOver = false

    init(_ database: VaultDatabase, _ place: String) {
        self.database = database
        self.place = place
    }

    deinit { abandon() }

    func put(_ record: SealedRecord) throws(VaultError) { try writer().put(record) }

    func remove(_ item: ItemID) throws(VaultError) { try writer().remove(item) }

    func put(manifest: [UInt8]) throws(VaultError) { try writer().put(manifest: manifest) }

    func put(header: [UInt8]) throws(VaultError) { try writer().put(header: header) }

    func commit() throws(VaultError) {
        _ = try writer()
        do {
            try database.connection.commit()
            isOver = true
        } catch {
            abandon()
            throw VaultError(error).at(place)
        }
    }

    func abandon() {
        guard !isOver else { return }
        isOver = true
        database.connection.rollback()
    }

    private func writer() throws(VaultError) -> SQLiteWriter {
        guard !isOver else { throw VaultError(.locked, "the changes were given up", place: place) }
        return database.writer
    }
}
