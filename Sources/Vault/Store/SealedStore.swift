package import KeywayCrypto

/// One item as it is stored: two sealed halves of one version. Nothing in it can be read or altered without the keys.
package struct SealedRecord: Sendable, Equatable {
    /// Which item.
    package let item: ItemID
    /// The number of the change that wrote it (the epoch of the manifest then).
    package let version: UInt64
    /// What the index needs.
    package let summary: [UInt8]
    /// The secrets; bound to the summary.
    package let body: [UInt8]

    /// Makes a record.
    package init(item: ItemID, version: UInt64, summary: [UInt8], body: [UInt8]) {
        self.item = item
        self.version = version
        self.summary = summary
        self.body = body
    }
}

/// Where sealed bytes lie. The vault above it trusts nothing that comes out; the store below learns nothing that goes in.
///
/// One store, like its vault, belongs to one thread at a time.
package protocol SealedStore: AnyObject {
    /// What to call it in messages: a path, an address.
    var place: String { get }

    /// The newest header.
    func header() throws(VaultError) -> [UInt8]
    /// The newest sealed manifest.
    func manifest() throws(VaultError) -> [UInt8]
    /// The newest record of an item, or nil.
    func record(of item: ItemID) throws(VaultError) -> SealedRecord?
    /// The records whose identifiers follow `item`, or all, in the order of their identifiers, `limit` at most, and fewer
    /// where they are large; none only at the end.
    func records(after item: ItemID?, limit: Int) throws(VaultError) -> [SealedRecord]
    /// Lends item, version and sealed summary of every record that is newer than a version, in any order; 0 gives all.
    func forEachSummary(
        newerThan version: UInt64, _ body: (ItemID, UInt64, UnsafeRawBufferPointer) throws(VaultError) -> Void
    ) throws(VaultError)

    /// Removes what lies beside the vault only to make changes faster; called when the vault is locked.
    func tidy()

    /// Runs `body` while all that is read belongs to one state of the store.
    func reading<Result>(_ body: () throws(VaultError) -> Result) throws(VaultError) -> Result
    /// Begins a transaction: all that is written is durable once it is committed, or nothing is written. Until then nobody
    /// else can write, and what is read here is what was written.
    ///
    /// - Throws: `conflict` when the stored manifest is not `manifest` any more, or a transaction is open; `storage`,
    ///   `storageFull`.
    func transaction(replacing manifest: [UInt8]) throws(VaultError) -> any SealedTransaction

    /// Begins a copy that takes the place of everything there is. Until it is committed or given up, the store can be
    /// read and not written.
    ///
    /// - Throws: `conflict` when the stored manifest is not `manifest` any more; `storage`, `storageFull`.
    func replacement(of manifest: [UInt8], random: any RandomSource) throws(VaultError) -> any SealedReplacement
    /// Removes what replacements left that a crash has ended.
    func removeDrafts()
}

/// Everything that is to be in a store, in a place of its own until it is whole. Nothing of what was stored before is
/// left beside it afterwards: no free room of a page, no journal.
package protocol SealedReplacement: AnyObject {
    /// Adds a record; in the order of their identifiers this is quickest.
    func put(_ record: SealedRecord) throws(VaultError)
    /// Adds header and manifest, and takes the place of what was stored: durably when the call returns. What it throws
    /// leaves the store as it was, and ends the replacement.
    func commit(header: [UInt8], manifest: [UInt8]) throws(VaultError)
    /// Drops it; the store is as it was. Does nothing once it is committed.
    func abandon()
}

/// A transaction that is open.
package protocol SealedTransaction: SealedWriter {
    /// Makes all of it durable. What it throws leaves the store as it was.
    func commit() throws(VaultError)
    /// Drops it; the store is as it was. Does nothing once it is committed.
    func abandon()
}

/// What a transaction can write.
package protocol SealedWriter: AnyObject {
    /// Stores a record in the place of any older one of the same item.
    func put(_ record: SealedRecord) throws(VaultError)
    /// Drops the record of an item.
    func remove(_ item: ItemID) throws(VaultError)
    /// Stores the sealed manifest.
    func put(manifest: [UInt8]) throws(VaultError)
    /// Stores the header.
    func put(header: [UInt8]) throws(VaultError)
}
