import KeywayCrypto
import KeywaySQLite

/// A vault in one SQLite file (`Docs/vault-format.md`, "Container"). While it is locked there is no second file beside it;
/// between changes the file alone is the whole vault.
final class SQLiteStore: SealedStore {
    /// After how many bytes no more records are read at once: parts of files are large.
    private static let mostBytes = 8 << 20
    let place: String
    /// The open file; nil after another one took its place and could not be opened yet.
    private var opened: VaultDatabase?

    /// Opens an existing file; nothing in it is changed by that.
    ///
    /// - Throws: `notFound`, `damaged`, `storage`.
    init(path: String) throws(VaultError) {
        place = path
        opened = try VaultDatabase(path: path, place: path)
    }

    /// Makes the tables in an empty file that exists already, and stores header and manifest.
    static func create(at path: String, header: [UInt8], manifest: [UInt8]) throws(VaultError) {
        do throws(SQLiteError) {
            let connection = try Database(path: path, access: .readWrite, synchronous: .extra)
            try connection.transaction { () throws(SQLiteError) in
                try VaultDatabase.makeTables(connection)
                try VaultDatabase.insert(header: header, manifest: manifest, connection)
            }
        } catch {
            throw VaultError(error).at(path)
        }
    }

    deinit { tidy() }

    func tidy() { opened?.connection.removeJournal() }

    // MARK: - Reading

    func header() throws(VaultError) -> [UInt8] { try only(database().selectHeader, "header") }

    func manifest() throws(VaultError) -> [UInt8] { try only(database().selectManifest, "manifest") }

    func record(of item: ItemID) throws(VaultError) -> SealedRecord? {
        let statement = try database().selectRecord
        return try attempt { () throws(SQLiteError) -> SealedRecord? in
            try statement.bind(1, item.bytes)
            guard try statement.step() else { return nil }
            defer { statement.reset() }
            return Self.record(of: item, statement)
        }
    }

    func records(after item: ItemID?, limit: Int) throws(VaultError) -> [SealedRecord] {
        let statement = try database().selectRecordsAfter
        return try attempt { () throws(SQLiteError) -> [SealedRecord] in
            try statement.bind(1, item?.bytes ?? [])
            defer { statement.reset() }
            var (records, size): ([SealedRecord], Int) = ([], 0)
            while records.count < limit, size < Self.mostBytes, try statement.step() {
                guard statement.bytes(4).count == 16 else { throw SQLiteError.damaged }
                let record = Self.record(of: ItemID(sixteen: statement.bytes(4)), statement)
                size += record.summary.count + record.body.count
                records.append(record)
            }
            return records
        }
    }

    func forEachSummary(
        newerThan version: UInt64, _ body: (ItemID, UInt64, UnsafeRawBufferPointer) throws(VaultError) -> Void
    ) throws(VaultError) {
        let statement = try database().selectSummaries
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
        let connection = try database().connection
        try attempt { () throws(SQLiteError) in try connection.beginReading() }
        defer { connection.rollback() }
        return try body()
    }

    // MARK: - Writing

    func transaction(replacing manifest: [UInt8]) throws(VaultError) -> any SealedTransaction {
        let database = try database()
        guard !database.connection.isInTransaction else {
            throw VaultError(.conflict, "other changes are under way", place: place)
        }
        try attempt { () throws(SQLiteError) in try database.connection.begin() }
        do throws(VaultError) {
            try check(manifest)
        } catch {
            database.connection.rollback()
            throw error
        }
        return SQLiteTransaction(database, place)
    }

    func replacement(
        of manifest: [UInt8], random: any RandomSource
    ) throws(VaultError) -> any SealedReplacement {
        let connection = try database().connection
        // Held until the other file has the name: whoever else has this one open can only read it meanwhile, and finds
        // it moved when they write next.
        try attempt { () throws(SQLiteError) in try connection.begin() }
        do throws(VaultError) {
            try check(manifest)
            return try SQLiteReplacement(of: connection, place: place, random: random) { [weak self] in
                self?.opened = nil
                // Where that fails now, the next use tries again: the vault is what it should be.
                _ = try? self?.database()
            }
        } catch {
            connection.rollback()
            throw error
        }
    }

    func removeDrafts() {
        guard let connection = try? database().connection else { return }
        let path = connection.resolvedPath
        guard !VaultFile.drafts(of: path).isEmpty, (try? connection.begin()) != nil else { return }
        // Nobody else makes one now: whoever does holds the same lock.
        for draft in VaultFile.drafts(of: path) { VaultFile.removeDraft(draft) }
        connection.rollback()
    }

    // MARK: - Steps

    private func database() throws(VaultError) -> VaultDatabase {
        if let opened { return opened }
        let database = try VaultDatabase(path: place, place: place)
        opened = database
        return database
    }

    private func check(_ manifest: [UInt8]) throws(VaultError) {
        guard try self.manifest() == manifest else {
            throw VaultError(.conflict, "the vault was changed since it was unlocked", place: place)
        }
    }

    private static func record(of item: ItemID, _ statement: Statement) -> SealedRecord {
        // A body that is missing or of another version cannot be opened: the vault reports it as damaged.
        let isWhole = statement.isInteger(2) && statement.integer(2) == statement.integer(0)
        return SealedRecord(
            item: item, version: UInt64(bitPattern: statement.integer(0)), summary: Array(statement.bytes(1)),
            body: isWhole ? Array(statement.bytes(3)) : [])
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
}
