import KeywayCrypto
import KeywaySQLite

/// A second vault file beside the first, which takes its name once it is whole and on the disk. Whatever ends it before
/// leaves the first as it was; a draft that a crash leaves is removed at the next unlock.
final class SQLiteReplacement: SealedReplacement {
    private let place: String
    private let path: String
    private let draft: String
    /// The connection to the first file, in a transaction that keeps others from writing.
    private let former: Database
    private let whenReplaced: () -> Void
    private var database: Database?
    private var writer: SQLiteWriter?

    /// Begins a draft.
    ///
    /// - Parameter whenReplaced: called when another file has the name.
    /// - Throws: `storage`, `storageFull`.
    init(
        of former: Database, place: String, random: any RandomSource, whenReplaced: @escaping () -> Void
    ) throws(VaultError) {
        self.former = former
        self.place = place
        self.whenReplaced = whenReplaced
        path = former.resolvedPath
        draft = try VaultFile.makeDraft(of: path, random: random)
        do throws(SQLiteError) {
            let database = try Database(path: draft, access: .readWrite, journal: .memory, cacheKiB: 2048)
            try database.begin()
            try VaultDatabase.makeTables(database)
            writer = try SQLiteWriter(database, place)
            self.database = database
        } catch {
            VaultFile.removeDraft(draft)
            throw VaultError(error).at(place)
        }
    }

    deinit { abandon() }

    func put(_ record: SealedRecord) throws(VaultError) {
        guard let writer else { throw over }
        try writer.put(record)
    }

    func commit(header: [UInt8], manifest: [UInt8]) throws(VaultError) {
        guard let database else { throw over }
        do throws(SQLiteError) {
            try VaultDatabase.insert(header: header, manifest: manifest, database)
            try database.commit()
        } catch {
            abandon()
            throw VaultError(error).at(place)
        }
        writer = nil
        self.database = nil
        defer { abandon() }
        try VaultFile.replace(path, with: draft)
        whenReplaced()
    }

    func abandon() {
        writer = nil
        database = nil
        VaultFile.removeDraft(draft)
        former.rollback()
    }

    private var over: VaultError { VaultError(.locked, "the renewal was given up", place: place) }
}
