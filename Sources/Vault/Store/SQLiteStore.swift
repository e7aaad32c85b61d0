import KeywaySQLite

/// A vault in one SQLite file (`Docs/vault-format.md`, "Container"). While it is locked there is no second file beside it;
/// between changes the file alone is the whole vault.
final class SQLiteStore: SealedStore {
    let place: String
    private let database: Database
    private let selectHeader: Statement
    private let selectManifest: Statement
    private let selectRecord: Statement
    private let selectSummaries: Statement
    private let writer: SQLiteWriter

    static let schema = [
        "CREATE TABLE header (id INTEGER PRIMARY KEY CHECK (id = 1), content BLOB NOT NULL)",
        "CREATE TABLE manifest (id INTEGER PRIMARY KEY CHECK (id = 1), sealed BLOB NOT NULL)",
        "CREATE TABLE summary (item BLOB PRIMARY KEY, version INTEGER NOT NULL, sealed BLOB NOT NULL) WITHOUT ROWID",
        "CREATE TABLE body (item BLOB PRIMARY KEY, version INTEGER NOT NULL, sealed BLOB NOT NULL) WITHOUT ROWID",
    ]

    /// Opens an existing file; nothing in it is changed by that.
    ///
    /// - Throws: `notFound`, `damaged`, `storage`.
    init(path: String) throws(VaultError) {
        place = path
        try VaultFile.check(path)
        do throws(SQLiteError) {
            database = try Database(
                path: path, access: .readWrite, journal: .keptRollback, synchronous: .extra, cacheKiB: 2048)
            try Self.checkSchema(database)
            selectHeader = try database.prepare("SELECT content FROM header")
            selectManifest = try database.prepare("SELECT sealed FROM manifest")
            selectRecord = try database.prepare(
                """
                SELECT summary.version, summary.sealed, body.version, body.sealed FROM summary
                LEFT JOIN body ON body.item = summary.item WHERE summary.item = ?
                """)
            selectSummaries = try database.prepare("SELECT item, version, sealed FROM summary WHERE version > ?")
            writer = try SQLiteWriter(database, place)
        } catch {
            throw VaultError(error).at(path)
        }
    }

    /// Makes the tables in an empty file that exists already, and stores header and manifest.
    static func create(at path: String, header: [UInt8], manifest: [UInt8]) throws(VaultError) {
        do throws(SQLiteError) {
            let database = try Database(path: path, access: .readWrite, synchronous: .extra)
            try database.transaction { () throws(SQLiteError) in
                try database.execute("PRAGMA application_id = \(VaultFile.applicationID)")
                for statement in schema { try database.execute(statement) }
                try database.run("INSERT INTO header VALUES (1, ?)", .blob(header))
                try database.run("INSERT INTO manifest VALUES (1, ?)", .blob(manifest))
            }
        } catch {
            throw VaultError(error).at(path)
        }
    }

    deinit { tidy() }

    func tidy() { database.removeJournal() }

    // MARK: - Reading

    func header() throws(VaultError) -> [UInt8] { try only(selectHeader, "header") }

    func manifest() throws(VaultError) -> [UInt8] { try only(selectManifest, "manifest") }

    func record(of item: ItemID) throws(VaultError) -> SealedRecord? {
        let statement = selectRecord
        return try attempt { () throws(SQLiteError) -> SealedRecord? in
            try statement.bind(1, item.bytes)
            guard try statement.step() else { return nil }
            defer { statement.reset() }
            // A body that is missing or of another version cannot be opened: the vault reports it as damaged.
            let isWhole = statement.isInteger(2) && statement.integer(2) == statement.integer(0)
            return SealedRecord(
                item: item, version: UInt64(bitPattern: statement.integer(0)), summary: Array(statement.bytes(1)),
                body: isWhole ? Array(statement.bytes(3)) : [])
        }
    }

    func forEachSummary(
        newerThan version: UInt64, _ body: (ItemID, UInt64, UnsafeRawBufferPointer) throws(VaultError) -> Void
    ) throws(VaultError) {
        let statement = selectSummaries
        try attempt { () throws(SQLiteError) in try statement.bind(1, Int64(clamping: version)) }
        defer { statement.reset() }
        while try attempt({ () throws(SQLiteError) in try statement.step() }) {
            let name = statement.bytes(0)
            let version = statement.integer(1)
            guard name.count == 16, version > 0 else {
                throw VaultError(.damaged, "a summary with a name of \(name.count) bytes", place: place)
            }
            try body(ItemID(sixteen: name), UInt64(version), statement.bytes(2))
        }
    }

    func reading<Result>(_ body: () throws(VaultError) -> Result) throws(VaultError) -> Result {
        try attempt { () throws(SQLiteError) in try database.beginReading() }
        defer { database.rollback() }
        return try body()
    }

    // MARK: - Writing

    func writing<Result>(
        replacing manifest: [UInt8], _ body: (any SealedWriter) throws(VaultError) -> Result
    ) throws(VaultError) -> Result {
        try attempt { () throws(SQLiteError) in try database.begin() }
        do throws(VaultError) {
            guard try self.manifest() == manifest else {
                throw VaultError(.conflict, "the vault was changed since it was unlocked", place: place)
            }
            let result = try body(writer)
            try attempt { () throws(SQLiteError) in try database.commit() }
            return result
        } catch {
            database.rollback()
            throw error
        }
    }

    private func attempt<Result>(_ body: () throws(SQLiteError) -> Result) throws(VaultError) -> Result {
        do {
            return try body()
        } catch {
            throw VaultError(error).at(place)
        }
    }

    /// The content of the only row of a table.
    private func only(_ statement: Statement, _ name: String) throws(VaultError) -> [UInt8] {
        let rows = try attempt { () throws(SQLiteError) -> [[UInt8]] in
            defer { statement.reset() }
            var rows: [[UInt8]] = []
            while try statement.step(), rows.count < 2 { rows.append(Array(statement.bytes(0))) }
            return rows
        }
        guard rows.count == 1 else { throw VaultError(.damaged, "the \(name) is missing or doubled", place: place) }
        return rows[0]
    }

    /// Views or triggers that somebody added would run inside of our statements: only the tables that we made are there.
    private static func checkSchema(_ database: Database) throws(SQLiteError) {
        let statement = try database.prepare("SELECT sql FROM sqlite_schema ORDER BY rowid")
        var found: [String] = []
        while try statement.step() { found.append(statement.text(0)) }
        guard found == schema else { throw SQLiteError.damaged }
    }
}

/// Writes sealed bytes inside of a transaction that ``SQLiteStore`` holds.
private final class SQLiteWriter: SealedWriter {
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

extension VaultError {
    /// What a failure of SQLite means for a vault.
    init(_ error: SQLiteError) {
        let code: Code =
            switch error.code {
            case .full: .storageFull
            case .damaged, .notADatabase, .constraint: .damaged
            case .busy: .conflict
            case .outOfMemory: .outOfMemory
            case .readOnly, .cannotOpen, .inputOutput, .other: .storage
            }
        self.init(code, error.description)
    }
}
