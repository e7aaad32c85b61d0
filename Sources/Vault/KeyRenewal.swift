import KeywayCrypto

/// A change of the vault key under way: every record is sealed anew, one after another, into a second file, which takes
/// the place of the first when all of them are there.
///
/// It is taken in steps, so that a server can answer others between them. Until ``finish()`` the vault is what it was, and
/// can be read and not changed. Whatever ends it before, ``UnlockedVault/lock()`` too, leaves the vault as it was.
package final class KeyRenewal {
    /// How many records there are to seal.
    package let total: Int
    /// How many of them are sealed.
    package private(set) var done = 0
    private let vault: UnlockedVault
    private let renewed: RenewedKey
    private let resealer: Resealer
    private var target: (any SealedReplacement)?
    private var records = MultisetHash()
    private var formerRecords = MultisetHash()
    private var last: ItemID?

    init(
        _ vault: UnlockedVault, _ contents: VaultContents, _ renewed: RenewedKey, _ target: any SealedReplacement
    ) {
        self.vault = vault
        self.renewed = renewed
        self.target = target
        total = contents.index.recordCount
        resealer = Resealer(former: contents.keys, keys: renewed.keys, random: vault.environment.random)
    }

    deinit { abandon() }

    /// Seals the next records, at most `count`; fewer where they are large.
    ///
    /// - Returns: whether all are sealed.
    /// - Throws: `damaged`, naming the item that cannot be opened; `locked`, `storage`, `storageFull`. The renewal is over
    ///   then, and the vault as it was.
    package func step(_ count: Int) throws(VaultError) -> Bool {
        do throws(VaultError) {
            let index = try vault.opened().index
            guard let target else { throw VaultError(.locked, "the renewal was given up") }
            let records = try vault.store.records(after: last, limit: count)
            try withSecretScratch(count: Resealer.scratchCount) { (scratch) throws(VaultError) in
                for record in records {
                    guard index.recordVersion(of: record.item) == record.version else {
                        throw VaultError(.damaged, "the record of item \(record.item)")
                    }
                    let resealed = try resealer.reseal(record, scratch)
                    try target.put(resealed)
                    formerRecords.add(resealer.former.element(of: record))
                    self.records.add(resealer.keys.element(of: resealed))
                }
            }
            last = records.last?.item ?? last
            done += records.count
            return records.isEmpty
        } catch {
            abandon()
            throw error.at(vault.place)
        }
    }

    /// Puts the vault under the new key: durable, and all that this machine has of it, when the call returns.
    ///
    /// - Throws: `damaged` when records are missing or were added; `locked`, `storage`, `storageFull`. The vault is as it
    ///   was then.
    package func finish() throws(VaultError) {
        defer { abandon() }
        let contents = try vault.opened()
        guard let target else { throw VaultError(.locked, "the renewal was given up", place: vault.place) }
        guard UInt64(done) == contents.manifest.count, formerRecords == contents.manifest.records else {
            throw VaultError(
                .damaged, "items were dropped, added or replaced: \(done) are there of \(contents.manifest.count)",
                place: vault.place)
        }
        var header = contents.header
        header.replacePasswordSlot(renewed.slot)
        let bytes = header.bytes(under: renewed.keys.header)
        let manifest = Manifest(
            epoch: contents.manifest.epoch + 1, count: UInt64(done), records: records,
            headerCode: VaultHeader.code(bytes))
        let sealed = renewed.keys.seal(manifest, random: vault.environment.random)
        try target.commit(header: bytes, manifest: sealed)
        vault.adopt(
            VaultContents(
                header: header, keys: renewed.keys, manifest: manifest, sealedManifest: sealed, index: contents.index))
    }

    /// Gives it up; the vault is as it was. Does nothing once it is finished.
    package func abandon() {
        target?.abandon()
        target = nil
    }
}
