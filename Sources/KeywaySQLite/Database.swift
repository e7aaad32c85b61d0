import CSQLite

/// One connection to one SQLite file.
///
/// A connection, its statements and the bytes they lend belong to one thread at a time: keep them inside one actor.
/// It is opened without extensions, without URI names and without trust in the schema of the file.
package final class Database {
    /// Whether a file may be changed, and made.
    package enum Access: Sendable {
        /// Only read; the file must exist.
        case readOnly
        /// Read and change; the file must exist.
        case readWrite
        /// Read and change; the file is made if there is none. Its mode follows the umask: make it first if that matters.
        case create
    }

    /// How a transaction survives a crash.
    package enum Journal: String, Sendable {
        /// A rollback journal beside the file while a transaction runs: the file alone is the database at rest.
        case rollback = "DELETE"
        /// The same, but the journal file stays, with an empty header, from the first transaction on: several times
        /// faster. ``removeJournal()`` takes it away.
        case keptRollback = "PERSIST"
        /// In memory alone: a crash within a transaction ruins the file. For a draft that nothing counts on yet.
        case memory = "MEMORY"
        /// A write-ahead log: readers and one writer do not wait for each other; two more files lie beside the database.
        case writeAheadLog = "WAL"
    }

    /// When a transaction counts as written.
    package enum Synchronous: String, Sendable {
        /// After it reached the disk, and the end of its rollback journal too: what was confirmed survives a power cut.
        case extra = "EXTRA"
        /// After it reached the disk: enough with ``Journal/writeAheadLog``; with ``Journal/rollback`` a power cut just
        /// after the commit may still undo it.
        case full = "FULL"
        /// The file survives a power cut undamaged, the newest transactions may be lost (with ``Journal/writeAheadLog``).
        case normal = "NORMAL"
    }

    /// The open connection; what the C functions get.
    let connection: OpaquePointer
    private let journal: Journal

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - path: the file; never interpreted as a URI.
    ///   - busyTimeout: how long a call waits for another connection before it reports `busy`, in milliseconds.
    ///   - cacheKiB: how much memory its page cache may take.
    /// - Throws: `cannotOpen`, `notADatabase`, `readOnly`, or what reading the first page reports.
    package init(
        path: String, access: Access, journal: Journal = .rollback, synchronous: Synchronous = .full,
        busyTimeout: Int32 = 2000, cacheKiB: Int = 2048
    ) throws(SQLiteError) {
        var opened: OpaquePointer?
        let status = sqlite3_open_v2(path, &opened, Self.flags(access), nil)
        guard status == SQLITE_OK, let opened else {
            let error = SQLiteError(status, opened)
            sqlite3_close_v2(opened)
            throw error
        }
        connection = opened
        self.journal = journal
        sqlite3_extended_result_codes(connection, 1)
        sqlite3_busy_timeout(connection, busyTimeout)
        try configure(access, synchronous, cacheKiB)
    }

    /// Opens a database that lies in memory, whole, in no journal mode but that of a file; it can only be read.
    ///
    /// - Throws: `notADatabase`, `damaged`, `outOfMemory`.
    package init(image: [UInt8]) throws(SQLiteError) {
        var opened: OpaquePointer?
        let status = sqlite3_open_v2(":memory:", &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil)
        guard status == SQLITE_OK, let opened else {
            let error = SQLiteError(status, opened)
            sqlite3_close_v2(opened)
            throw error
        }
        connection = opened
        journal = .memory
        sqlite3_extended_result_codes(connection, 1)
        // SQLite frees it, also where it refuses it.
        guard let copy = sqlite3_malloc64(UInt64(max(image.count, 1))) else { throw SQLiteError(SQLITE_NOMEM, nil) }
        image.withUnsafeBytes { copy.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(copy), byteCount: $0.count) }
        let taken = sqlite3_deserialize(
            connection, "main", copy.assumingMemoryBound(to: UInt8.self), Int64(image.count), Int64(image.count),
            UInt32(SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_READONLY))
        guard taken == SQLITE_OK else { throw SQLiteError(taken, connection) }
        try configure(.readOnly, .full, 2048)
        // The first page is looked at now.
        _ = try integer("PRAGMA schema_version")
    }

    deinit {
        // Waits for statements that are still held: the connection is then closed by the last of them.
        sqlite3_close_v2(connection)
    }

    /// Runs SQL that returns nothing of interest; several statements may stand in it.
    package func execute(_ sql: String) throws(SQLiteError) {
        let status = sqlite3_exec(connection, sql, nil, nil, nil)
        guard status == SQLITE_OK else { throw SQLiteError(status, connection) }
    }

    /// Compiles one statement, to be kept and used often.
    package func prepare(_ sql: String) throws(SQLiteError) -> Statement {
        try Statement(sql, in: self)
    }

    /// Compiles and runs one statement once, with these values for its parameters.
    package func run(_ sql: String, _ values: SQLiteValue...) throws(SQLiteError) {
        try prepare(sql).run(values)
    }

    /// The first column of the first row of a query, if there is a row, as an integer.
    package func integer(_ sql: String, _ values: SQLiteValue...) throws(SQLiteError) -> Int64? {
        let statement = try prepare(sql)
        try statement.bind(values)
        return try statement.step() ? statement.integer(0) : nil
    }

    /// The file itself, where `path` was a link or no absolute path.
    package var resolvedPath: String {
        sqlite3_db_filename(connection, "main").map { String(cString: $0) } ?? ""
    }

    /// How many rows the newest INSERT, UPDATE or DELETE touched.
    package var changedRows: Int { Int(sqlite3_changes64(connection)) }

    /// The number of the row that the newest INSERT of this connection made.
    package var lastRow: Int64 { sqlite3_last_insert_rowid(connection) }

    /// Sets how much memory the page cache may take from now on, in KiB, and gives back what is over it.
    package func setCache(kibibytes: Int) throws(SQLiteError) {
        try execute("PRAGMA cache_size = -\(kibibytes); PRAGMA shrink_memory")
    }

    /// Sets when a transaction counts as written, from the next one on.
    package func setSynchronous(_ synchronous: Synchronous) throws(SQLiteError) {
        try execute("PRAGMA synchronous = \(synchronous.rawValue)")
    }

    /// Whether a transaction is open.
    package var isInTransaction: Bool { sqlite3_get_autocommit(connection) == 0 }

    /// Runs `body` in one transaction that takes the write lock at once: all of it is written, or nothing.
    ///
    /// - Throws: what `body` throws, after everything was rolled back, or what the commit reports.
    package func transaction<Result>(
        _ body: () throws(SQLiteError) -> Result
    ) throws(SQLiteError) -> Result {
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

    /// Starts a transaction that holds the write lock.
    package func begin() throws(SQLiteError) { try execute("BEGIN IMMEDIATE") }

    /// Starts a transaction that sees one state of the file, without holding others up for longer than needed.
    package func beginReading() throws(SQLiteError) { try execute("BEGIN DEFERRED") }

    /// Writes the open transaction; it stays open when that fails.
    package func commit() throws(SQLiteError) { try execute("COMMIT") }

    /// Removes the file of a ``Journal/keptRollback``, with the old pages in it; the next transaction makes it again.
    /// Does nothing while another connection uses the database.
    package func removeJournal() {
        guard journal == .keptRollback else { return }
        sqlite3_exec(connection, "PRAGMA journal_mode = DELETE", nil, nil, nil)
        sqlite3_exec(connection, "PRAGMA journal_mode = PERSIST", nil, nil, nil)
    }

    /// Drops the open transaction, if there is one: SQLite drops it itself after some failures.
    package func rollback() {
        if isInTransaction { sqlite3_exec(connection, "ROLLBACK", nil, nil, nil) }
    }

    private static func flags(_ access: Access) -> Int32 {
        // No mutex: a connection belongs to one thread at a time by contract.
        switch access {
        case .readOnly: SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX
        case .readWrite: SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX
        case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        }
    }

    private func configure(
        _ access: Access, _ synchronous: Synchronous, _ cacheKiB: Int
    ) throws(SQLiteError) {
        // The file may come from somebody else: no functions from its schema, no trust in the sizes of its cells.
        // Deleted content is overwritten; temporary content never reaches a disk.
        try execute(
            """
            PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA secure_delete = ON;
            PRAGMA temp_store = MEMORY; PRAGMA mmap_size = 0; PRAGMA foreign_keys = ON;
            PRAGMA synchronous = \(synchronous.rawValue); PRAGMA cache_size = -\(cacheKiB)
            """)
        if access != .readOnly {
            try execute("PRAGMA journal_mode = \(journal.rawValue); PRAGMA journal_size_limit = 1048576")
        }
    }
}
