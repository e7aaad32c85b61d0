import KeywaySQLite

/// An open vault file: the connection to it, and the statements that are used often.
final class VaultDatabase {
    static let schema = [
        "CREATE TABLE header (id INTEGER PRIMARY KEY CHECK (id = 1), content BLOB NOT NULL)",
        "CREATE TABLE manifest (id INTEGER PRIMARY KEY CHECK (id = 1), sealed BLOB NOT NULL)",
        "CREATE TABLE summary (item BLOB PRIMARY KEY, version INTEGER NOT NULL, sealed BLOB NOT NULL) WITHOUT ROWID",
        "CREATE TABLE body (item BLOB PRIMARY KEY, version INTEGER NOT NULL, sealed BLOB NOT NULL) WITHOUT ROWID",
    ]
    private static let record = """
        SELECT summary.version, summary.sealed, body.version, body.sealed, summary.item FROM summary
        LEFT JOIN body ON body.item = summary.item WHERE summary.item
        """

    let connection: Database
    let selectHeader: Statement
    let selectManifest: Statement
    let selectRecord: Statement
    let selectRecordsAfter: Statement
    let selectSummaries: Statement
    let writer: SQLiteWriter

    /// Opens an existing file; nothing in it is changed by that.
    ///
    /// - Parameter place: what to call it in messages.
    /// - Throws: `notFound`, `damaged`, `storage`.
    init(path: String, place: String) throws(VaultError) {
        try VaultFile.check(path)
        do throws(SQLiteError) {
            connection = try Database(
                path: path, access: .readWrite, journal: .keptRollback, synchronous: .extra, cacheKiB: 2048)
            try Self.checkSchema(connection)
            selectHeader = try connection.prepare("SELECT content FROM header")
            selectManifest = try connection.prepare("SELECT sealed FROM manifest")
            selectRecord = try connection.prepare(Self.record + " = ?")
            selectRecordsAfter = try connection.prepare(Self.record + " > ? ORDER BY summary.item")
            selectSummaries = try connection.prepare("SELECT item, version, sealed FROM summary WHERE version > ?")
            writer = try SQLiteWriter(connection, place)
        } catch {
            throw VaultError(error).at(path)
        }
    }

    /// Makes the tables in an empty file, in a transaction of the caller.
    static func makeTables(_ connection: Database) throws(SQLiteError) {
        try connection.execute("PRAGMA application_id = \(VaultFile.applicationID)")
        for statement in schema { try connection.execute(statement) }
    }

    /// Stores the only header and manifest of a file that has none.
    static func insert(header: [UInt8], manifest: [UInt8], _ connection: Database) throws(SQLiteError) {
        try connection.run("INSERT INTO header VALUES (1, ?)", .blob(header))
        try connection.run("INSERT INTO manifest VALUES (1, ?)", .blob(manifest))
    }

    /// Views or triggers that somebody added would run inside of our statements: only the tables that we made are there.
    private static func checkSchema(_ connection: Database) throws(SQLiteError) {
        let statement = try connection.prepare("SELECT sql FROM sqlite_schema ORDER BY rowid")
        var found: [String] = []
        while try statement.step() { found.append(statement.text(0)) }
        guard found == schema else { throw SQLiteError.damaged }
    }

    /// Has SQLite look at every page of a file, and not only at those that are read.
    ///
    /// - Throws: `damaged`, `storage`.
    static func checkTrees(_ path: String) throws(VaultError) {
        do throws(SQLiteError) {
            let statement = try Database(path: path, access: .readOnly).prepare("PRAGMA integrity_check(1)")
            guard try statement.step(), statement.text(0) == "ok" else { throw SQLiteError.damaged }
        } catch {
            throw VaultError(error).at(path)
        }
    }

    /// An empty file that is filled in one transaction.
    struct Filling {
        private let database: Database
        private let writer: SQLiteWriter
        private let place: String

        /// Begins with the tables.
        ///
        /// - Parameter place: what to call it in messages.
        /// - Throws: `storage`, `storageFull`.
        init(at path: String, place: String) throws(VaultError) {
            self.place = place
            do throws(SQLiteError) {
                database = try Database(path: path, access: .readWrite, journal: .memory, cacheKiB: 2048)
                try database.begin()
                try VaultDatabase.makeTables(database)
                writer = try SQLiteWriter(database, place)
            } catch {
                throw VaultError(error).at(place)
            }
        }

        /// Adds a record; in the order of their identifiers this is quickest.
        func put(_ record: SealedRecord) throws(VaultError) { try writer.put(record) }

        /// Adds header and manifest; everything is on the disk when the call returns.
        func finish(header: [UInt8], manifest: [UInt8]) throws(VaultError) {
            do throws(SQLiteError) {
                try VaultDatabase.insert(header: header, manifest: manifest, database)
                try database.commit()
            } catch {
                throw VaultError(error).at(place)
            }
        }
    }
}
