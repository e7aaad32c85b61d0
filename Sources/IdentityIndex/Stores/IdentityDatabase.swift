import Glibc
import KeywayCrypto
import KeywaySQLite
import KeywaySystem
import ServiceMatching

/// The file of one identity store: how it is made, opened, and what its columns mean.
///
/// It only repeats what the provider can send again. So a file that cannot be read is replaced by an empty one, and the
/// store's state then asks the provider for everything.
enum IdentityDatabase {
    /// 1 and 2 kept plain rows.
    private static let version: Int64 = 3

    /// `name`, `host`, `origin` and `site` are keyed hashes; `position` orders a list and means nothing beside the
    /// positions of the same list; everything else is in `sealed` (`Docs/decisions/0013-identity-store.md`).
    private static let schema = """
        CREATE TABLE meta(name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
        CREATE TABLE identities(
            id INTEGER PRIMARY KEY, name BLOB NOT NULL, host INTEGER NOT NULL, origin INTEGER NOT NULL, site INTEGER,
            position INTEGER NOT NULL, sealed BLOB NOT NULL);
        CREATE UNIQUE INDEX by_name ON identities(name);
        CREATE INDEX by_host ON identities(host, origin, position);
        CREATE INDEX by_site ON identities(site, position, host) WHERE site IS NOT NULL;
        """

    /// Opens the file for writing; makes it, mode 0600, where there is none. A file of an earlier version is overwritten
    /// and made anew.
    ///
    /// - Throws: ``SQLiteError``, `damaged` and `notADatabase` among them, also for a later version and for a file that
    ///   was sealed under another key.
    static func open(
        path: String, provider: String, key: SecretKey, suffixes: PublicSuffixes
    ) throws(SQLiteError) -> IdentityTable {
        guard let database = try openCurrent(path) else {
            remove(path: path, isPlain: true)
            return try open(path: path, provider: provider, key: key, suffixes: suffixes)
        }
        let salt = try value("salt", in: database)
        guard salt.count == IdentityKeys.saltCount else { throw .damaged }
        let keys = IdentityKeys(storeKey: key, provider: provider, salt: salt)
        let table = try IdentityTable(database, keys: keys, suffixes: suffixes)
        try table.prove()
        try table.refreshSites()
        return table
    }

    /// The file as this version has it; nil where an earlier one made it.
    private static func openCurrent(_ path: String) throws(SQLiteError) -> Database? {
        let file = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, mode_t(0o600))
        if file >= 0 { close(file) }
        // What was confirmed survives a power cut.
        let database = try Database(path: path, access: .readWrite, journal: .writeAheadLog, synchronous: .full)
        switch try database.integer("PRAGMA user_version") ?? 0 {
        case version: return database
        case 1..<version: return nil
        case 0: break
        default: throw .damaged
        }
        try database.transaction { () throws(SQLiteError) in
            try database.execute(schema + "PRAGMA user_version = \(version)")
            let salt = SystemRandomSource().bytes(IdentityKeys.saltCount)
            try database.run("INSERT INTO meta VALUES ('salt', ?1)", .blob(salt))
        }
        return database
    }

    /// A value of `meta`; empty where there is none.
    static func value(_ name: String, in database: Database) throws(SQLiteError) -> [UInt8] {
        let query = try database.prepare("SELECT value FROM meta WHERE name = ?1")
        try query.bind(1, name)
        return try query.step() ? [UInt8](query.bytes(0)) : []
    }

    /// Removes the file and what lies beside it. Nobody may have it open: SQLite removes its log by name.
    ///
    /// - Parameter isPlain: whether it may hold plain rows, which are overwritten first.
    static func remove(path: String, isPlain: Bool = false) {
        for suffix in ["", "-wal", "-shm", "-journal"] {
            if isPlain { overwrite(path + suffix) }
            unlink(path + suffix)
        }
    }

    private static func overwrite(_ path: String) {
        let file = Glibc.open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { return }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { return }
        let zeros = [UInt8](repeating: 0, count: 64 << 10)
        var left = Int(status.st_size)
        while left > 0, zeros[..<min(zeros.count, left)].withUnsafeBytes({ WholeTransfer.write($0, to: file) }) {
            left -= zeros.count
        }
        fsync(file)
    }
}

extension SQLiteError {
    /// Whether the file is not what we wrote. Our statements are always the same and break no rule of our schema: one
    /// that does not compile, or meets a second row of one name, met an altered file.
    package var isDamage: Bool { [.damaged, .notADatabase, .constraint, .other].contains(code) }
}

extension ProtocolError {
    /// What a caller learns of a failed store.
    init(_ error: SQLiteError) {
        switch error.code {
        case .busy: self.init(.busy, "The identity store is busy; try again.")
        case .full: self.init(.system, "The disk is full, so nothing was added to the identity store.")
        case _ where error.isDamage: self.init(.damaged, "The identity store is damaged.")
        default: self.init(.system, "The identity store failed (\(error.code)).")
        }
    }
}
