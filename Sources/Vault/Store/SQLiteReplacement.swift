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
    private var filling: VaultDatabase.Filling?

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
        do throws(VaultError) {
            filling = try VaultDatabase.Filling(at: draft, place: place)
        } catch {
            VaultFile.removeDraft(draft)
            throw error
        }
    }

    deinit { abandon() }

    func put(_ record: SealedRecord) throws(VaultError) {
        guard let filling else { throw over }
        try filling.put(record)
    }

    func commit(header: [UInt8], manifest: [UInt8]) throws(VaultError) {
        guard let filling else { throw over }
        do throws(VaultError) {
            try filling.finish(header: header, manifest: manifest)
        } catch {
            abandon()
            throw error
        }
        self.filling = nil
        defer { abandon() }
        try VaultFile.replace(path, with: draft)
        whenReplaced()
    }

    func abandon() {
        filling = nil
        VaultFile.removeDraft(draft)
        former.rollback()
    }

    private var over: VaultError { VaultError(.locked, "the renewal was given up", place: place) }
}
