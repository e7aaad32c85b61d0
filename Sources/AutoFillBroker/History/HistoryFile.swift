import AutoFillProtocol
import Glibc
import KeywayCrypto
import KeywaySQLite

/// The history file: numbered rows, each sealed with XChaCha20-Poly1305 under a key of this file and bound to its
/// number. The set of existing numbers is sealed next to them, so rows that were altered, moved or removed are
/// detected.
final class HistoryFile {
    private static let version: Int64 = 1
    private static let saltCount = 16
    private static let schema = """
        CREATE TABLE meta(name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
        CREATE TABLE entries(number INTEGER PRIMARY KEY, sealed BLOB NOT NULL);
        """

    /// The numbers of the rows: from the first to the last, without a gap.
    private struct Range {
        var first: Int64 = 1
        var last: Int64 = 0

        var bytes: [UInt8] {
            [first, last].flatMap { number in withUnsafeBytes(of: number.littleEndian) { Array($0) } }
        }

        init() {}

        init?(_ bytes: [UInt8]) {
            guard bytes.count == 16 else { return nil }
            let numbers = bytes.withUnsafeBytes { bytes in
                [0, 8].map { Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: $0, as: Int64.self)) }
            }
            (first, last) = (numbers[0], numbers[1])
        }
    }

    private let database: Database
    private let key: SecretKey
    private var range: Range
    private let random = SystemRandomSource()

    /// Opens the file; makes it, mode 0600, where there is none.
    ///
    /// - Throws: ``SQLiteError``, `damaged` for a file that is not as it was written, or was written under another key.
    init(path: String, storeKey: SecretKey) throws(SQLiteError) {
        let file = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, mode_t(0o600))
        if file >= 0 { close(file) }
        // With a log, an entry waits for the disk once; a rollback journal has it wait five times.
        database = try Database(
            path: path, access: .readWrite, journal: .writeAheadLog, synchronous: .full, cacheKiB: 256)
        let isNew = try database.integer("PRAGMA user_version") == 0
        if isNew { try Self.make(database) }
        guard try database.integer("PRAGMA user_version") == Self.version else { throw .damaged }
        let salt = try Self.value("salt", in: database)
        guard salt.count == Self.saltCount else { throw .damaged }
        key = Self.key(storeKey, salt)
        range = Range()
        guard !isNew else {
            try database.transaction { () throws(SQLiteError) in try writeRange() }
            return
        }
        let sealed = try Self.value("range", in: database)
        guard let found = Self.opened(sealed, under: key, context: Self.rangeContext).flatMap({ Range($0) }),
            try database.integer("SELECT count(*) FROM entries") == found.last - found.first + 1,
            try database.integer("SELECT coalesce(max(number), \(found.first - 1)) FROM entries") == found.last
        else { throw .damaged }
        range = found
    }

    /// Takes the file away, with what lies beside it.
    static func remove(_ path: String) {
        for suffix in ["", "-journal", "-wal", "-shm"] { unlink(path + suffix) }
    }

    private static func make(_ database: Database) throws(SQLiteError) {
        try database.transaction { () throws(SQLiteError) in
            try database.execute(schema + "PRAGMA user_version = \(version)")
            try database.run("INSERT INTO meta VALUES ('salt', ?1)", .blob(SystemRandomSource().bytes(saltCount)))
        }
    }

    /// A value of `meta`; empty where there is none.
    private static func value(_ name: String, in database: Database) throws(SQLiteError) -> [UInt8] {
        let query = try database.prepare("SELECT value FROM meta WHERE name = ?1")
        try query.bind(1, name)
        return try query.step() ? [UInt8](query.bytes(0)) : []
    }

    /// A key of this file alone: a file that was made anew opens nothing of the one before.
    private static func key(_ storeKey: SecretKey, _ salt: [UInt8]) -> SecretKey {
        let own = storeKey.derive(1, context: "history ")
        return SecretKey(
            SecretBytes(count: SecretKey.count) { room in salt.withUnsafeBytes { own.hash($0, into: room) } })
    }

    // MARK: - Writing

    /// Adds entries, and takes away the oldest: of more than `limit`, and those from before `horizon`.
    ///
    /// - Returns: the time of the last entry.
    func append(_ entries: [HistoryEntry], limit: Int64, horizon: Int64) throws(SQLiteError) {
        let before = range
        do {
            try database.transaction { () throws(SQLiteError) in
                for entry in entries {
                    guard let bytes = try? HistoryRecord(entry).encoded() else { continue }
                    range.last += 1
                    try database.run(
                        "INSERT INTO entries VALUES (?1, ?2)", .integer(range.last), .blob(seal(bytes, range.last)))
                }
                try prune(limit: limit, horizon: horizon)
                try writeRange()
            }
        } catch {
            range = before
            throw error
        }
    }

    private func prune(limit: Int64, horizon: Int64) throws(SQLiteError) {
        range.first = max(range.first, range.last - limit + 1)
        try database.run("DELETE FROM entries WHERE number < ?1", .integer(range.first))
        while range.first <= range.last, let time = HistoryRecord.time(of: try bytes(range.first)), time < horizon {
            try database.run("DELETE FROM entries WHERE number = ?1", .integer(range.first))
            range.first += 1
        }
    }

    private func writeRange() throws(SQLiteError) {
        try database.run(
            "INSERT OR REPLACE INTO meta VALUES ('range', ?1)", .blob(seal(range.bytes, context: Self.rangeContext)))
    }

    // MARK: - Reading

    /// The time of the newest entry; nil where there is none.
    func newestTime() throws(SQLiteError) -> Int64? {
        guard range.first <= range.last else { return nil }
        return HistoryRecord.time(of: try bytes(range.last))
    }

    /// The newest entries from before `time`, newest first, and whether there are older ones.
    func newest(_ limit: Int, before time: Int64) throws(SQLiteError) -> (entries: [HistoryEntry], hasMore: Bool) {
        var entries: [HistoryEntry] = []
        var number = range.last
        while number >= range.first {
            let bytes = try bytes(number)
            number -= 1
            guard let found = HistoryRecord.time(of: bytes) else { throw .damaged }
            guard found < time else { continue }
            guard entries.count < limit else { return (entries, true) }
            guard let record = HistoryRecord(decoding: bytes) else { throw .damaged }
            entries.append(record.entry)
        }
        return (entries, false)
    }

    /// How many entries of each event there are since `time`, but for those of `client`.
    func counts(since time: Int64, without client: String) throws(SQLiteError) -> [HistoryEntry.Event: Int] {
        var counts: [HistoryEntry.Event: Int] = [:]
        var number = range.last
        while number >= range.first {
            let bytes = try bytes(number)
            number -= 1
            guard let found = HistoryRecord.time(of: bytes) else { throw .damaged }
            guard found >= time else { break }
            guard let entry = HistoryRecord(decoding: bytes)?.entry else { throw .damaged }
            if entry.client != client { counts[entry.event, default: 0] += 1 }
        }
        return counts
    }

    private func bytes(_ number: Int64) throws(SQLiteError) -> [UInt8] {
        let query = try database.prepare("SELECT sealed FROM entries WHERE number = ?1")
        try query.bind(1, number)
        guard try query.step() else { throw .damaged }
        guard let bytes = Self.opened([UInt8](query.bytes(0)), under: key, context: Self.context(number)) else {
            throw .damaged
        }
        return bytes
    }

    // MARK: - Sealing

    private static let rangeContext = Array("range".utf8)

    private static func context(_ number: Int64) -> [UInt8] {
        Array("entry".utf8) + withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }

    private func seal(_ bytes: [UInt8], _ number: Int64) -> [UInt8] { seal(bytes, context: Self.context(number)) }

    private func seal(_ bytes: [UInt8], context: [UInt8]) -> [UInt8] {
        bytes.withUnsafeBytes { bytes in
            context.withUnsafeBytes { key.seal(bytes, context: $0, random: random) }
        }
    }

    private static func opened(_ sealed: [UInt8], under key: SecretKey, context: [UInt8]) -> [UInt8]? {
        let count = sealed.count - SecretKey.sealOverhead
        guard count >= 0, count <= HistoryRecord.maximumCount else { return nil }
        var bytes = [UInt8](repeating: 0, count: count)
        let isOpen = bytes.withUnsafeMutableBytes { bytes in
            sealed.withUnsafeBytes { sealed in
                context.withUnsafeBytes { (try? key.open(sealed, context: $0, into: bytes)) != nil }
            }
        }
        return isOpen ? bytes : nil
    }
}
