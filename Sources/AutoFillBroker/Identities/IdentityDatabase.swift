import AutoFillProtocol
import FoundationEssentials
import Glibc
import KeywaySQLite

/// The file of one identity store: how it is made, opened, and what its rows mean.
///
/// It only repeats what the provider can send again. So a file that cannot be read is replaced by an empty one, and the
/// store's state then asks the provider for everything.
enum IdentityDatabase {
    private static let version: Int64 = 2

    /// `record` is empty for none and starts with `=` otherwise, and `credential` is empty for what is no passkey, since
    /// NULLs would never be equal in the unique key.
    /// `host`, `port`, `secure` and `site` are NULL where a service is no web address: such a row is kept and never
    /// offered. `staged` holds the parts of writes whose last part has not come.
    private static let schema = """
        CREATE TABLE meta(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
        CREATE TABLE identities(
            id INTEGER PRIMARY KEY,
            kind TEXT NOT NULL, service_kind TEXT NOT NULL, service TEXT NOT NULL, user TEXT NOT NULL,
            record TEXT NOT NULL, credential BLOB NOT NULL, rank INTEGER NOT NULL, handle BLOB,
            host TEXT, port INTEGER, secure INTEGER, site TEXT,
            used INTEGER NOT NULL DEFAULT 0,
            UNIQUE(kind, service_kind, service, user, record, credential));
        CREATE INDEX by_origin ON identities(host, secure, port, rank DESC, used DESC);
        CREATE INDEX by_host ON identities(host, rank DESC, used DESC, secure, port);
        CREATE INDEX by_site ON identities(site, secure, rank DESC, used DESC, host);
        CREATE INDEX by_use ON identities(used) WHERE used > 0;
        CREATE TABLE staged(
            write INTEGER NOT NULL,
            kind TEXT NOT NULL, service_kind TEXT NOT NULL, service TEXT NOT NULL, user TEXT NOT NULL,
            record TEXT NOT NULL, credential BLOB NOT NULL, rank INTEGER NOT NULL, handle BLOB,
            host TEXT, port INTEGER, secure INTEGER, site TEXT,
            PRIMARY KEY(write, kind, service_kind, service, user, record, credential)) WITHOUT ROWID;
        """

    /// Opens the file for writing; makes it, mode 0600, where there is none.
    ///
    /// - Throws: ``SQLiteError``, `damaged` and `notADatabase` among them, also for a version that is not ours.
    static func open(path: String, suffixes: PublicSuffixes) throws(SQLiteError) -> Database {
        let file = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, mode_t(0o600))
        if file >= 0 { close(file) }
        // What was confirmed survives a power cut.
        let database = try Database(path: path, access: .readWrite, journal: .writeAheadLog, synchronous: .full)
        let found = try database.integer("PRAGMA user_version") ?? 0
        if found == 0 {
            try database.transaction { () throws(SQLiteError) in
                try database.execute(schema + "PRAGMA user_version = \(version)")
            }
        } else if found != version {
            throw SQLiteError(unreadable, nil)
        }
        try database.transaction { () throws(SQLiteError) in
            try database.execute("DELETE FROM staged")
            try refreshSites(database, suffixes)
        }
        return database
    }

    /// SQLITE_NOTADB, for a file of a version that this build does not know.
    private static let unreadable: Int32 = 26

    /// Derives the registrable domains again when the public suffix list is another one than last time.
    private static func refreshSites(_ database: Database, _ suffixes: PublicSuffixes) throws(SQLiteError) {
        let query = try database.prepare("SELECT value FROM meta WHERE name = 'suffixes'")
        let known = try query.step() ? query.text(0) : nil
        query.reset()
        guard known != suffixes.fingerprint else { return }
        let rows = try database.prepare("SELECT id, service_kind, service, site FROM identities")
        let update = try database.prepare("UPDATE identities SET site = ?2 WHERE id = ?1")
        while try rows.step() {
            guard let kind = ServiceIdentifier.Kind(rawValue: rows.text(1)) else { continue }
            let address = ServiceAddress(ServiceIdentifier(rows.text(2), kind: kind), suffixes: suffixes)
            guard (address?.site ?? "") != rows.text(3) else { continue }
            try update.run([.integer(rows.integer(0)), address?.site.map(SQLiteValue.text) ?? .null])
        }
        try database.run(
            "INSERT OR REPLACE INTO meta VALUES ('suffixes', ?1)", .text(suffixes.fingerprint))
    }

    /// Removes the file and what lies beside it. Nobody may have it open: SQLite removes its log by name.
    static func remove(path: String) {
        for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) }
    }
}

extension IdentityDatabase {
    /// The columns that ``identity(_:)`` reads.
    static let columns = "kind, service_kind, service, user, record, credential, rank, handle"

    /// The identity in the first eight columns; nil for a kind of a later release.
    static func identity(_ row: Statement) -> CredentialIdentity? {
        guard let kind = CredentialKind(rawValue: row.text(0)),
            let serviceKind = ServiceIdentifier.Kind(rawValue: row.text(1))
        else { return nil }
        let record = row.text(4)
        return CredentialIdentity(
            kind: kind, service: ServiceIdentifier(row.text(2), kind: serviceKind), user: row.text(3),
            recordIdentifier: record.isEmpty ? nil : String(record.dropFirst()), rank: Int(row.integer(6)),
            passkey: row.isNull(7)
                ? nil : PasskeyReference(credentialID: Data(row.bytes(5)), userHandle: Data(row.bytes(7))))
    }

    /// Binds what makes an identity that identity, to six parameters from `first` on.
    static func bindKey(_ identity: CredentialIdentity, _ statement: Statement, first: Int32) throws(SQLiteError) {
        try statement.bind(first, identity.kind.rawValue)
        try statement.bind(first + 1, identity.service.kind.rawValue)
        try statement.bind(first + 2, identity.service.identifier)
        try statement.bind(first + 3, identity.user)
        try statement.bind(first + 4, identity.recordIdentifier.map { "=" + $0 } ?? "")
        try statement.bind(first + 5, identity.passkey.map { [UInt8]($0.credentialID) } ?? [])
    }

    /// The condition that names one identity by the parameters of ``bindKey(_:_:first:)``.
    static func key(first: Int) -> String {
        "kind = ?\(first) AND service_kind = ?\(first + 1) AND service = ?\(first + 2) AND user = ?\(first + 3) "
            + "AND record = ?\(first + 4) AND credential = ?\(first + 5)"
    }
}

extension ProtocolError {
    /// What a caller learns of a failed store.
    init(_ error: SQLiteError) {
        switch error.code {
        case .busy: self.init(.busy, "The identity store is busy; try again.")
        case .full: self.init(.system, "The disk is full: the identity store took nothing.")
        case .damaged, .notADatabase: self.init(.damaged, "The identity store is damaged.")
        default: self.init(.system, "The identity store failed (\(error.code)).")
        }
    }
}
