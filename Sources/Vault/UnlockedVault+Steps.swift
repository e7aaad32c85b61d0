package import KeywayCrypto

/// One of many changes that are made together.
package enum VaultStep: Sendable {
    /// A new item.
    case add(ItemDraft)
    /// A change of an item.
    case edit(ItemID, ItemChanges)
    /// An item goes.
    case remove(ItemID)
}

extension UnlockedVault {
    /// Makes many changes in one transaction: all, or none. They are asked for one by one, so that only the secrets of
    /// one are in memory at a time; each item may be changed once.
    ///
    /// What can't be stored, such as an item that is too large, is left out and told; any other failure ends it all.
    ///
    /// - Parameters:
    ///   - next: the next change, or nil after the last.
    ///   - done: hears of each change, in order, what it came to: the item, or an error with the code `invalid`.
    ///   - beforeCommit: runs when all changes are made and none is durable yet, with the number that the vault's state gets.
    /// - Returns: that number: the version of every item that was added or changed.
    /// - Throws: what the closures throw; `notFound`, `damaged`, `conflict`, `storage`, `storageFull`, `locked`; nothing was
    ///   changed then.
    @discardableResult
    package func apply(
        _ next: () throws(VaultError) -> VaultStep?,
        done: (Result<ItemID, VaultError>) throws(VaultError) -> Void = { (_) throws(VaultError) in },
        beforeCommit: (UInt64) throws(VaultError) -> Void = { (_) throws(VaultError) in }
    ) throws(VaultError) -> UInt64 {
        let steps = StepWriter(self, RecordSealer(try opened().keys, environment.random))
        let epoch = try change(format: steps.sealer.formatVersion) { (writer, manifest) throws(VaultError) in
            while let step = try next() {
                let item: ItemID
                do throws(VaultError) {
                    item = try steps.make(step, writer, &manifest)
                } catch {
                    guard error.code == .invalid else { throw error }
                    try done(.failure(error))
                    continue
                }
                try done(.success(item))
            }
            try beforeCommit(manifest.epoch)
            return manifest.epoch
        }
        for summary in steps.indexed { try index(summary.id, summary.fields) }
        let index = try opened().index
        for item in steps.removed { index.remove(item) }
        return epoch
    }

    /// The number of the change that wrote an item last, as ``apply(_:done:beforeCommit:)`` returns it; nil for an item that
    /// is not there.
    package func version(of item: ItemID) throws(VaultError) -> UInt64? { try opened().index.version(of: item) }

    // MARK: - Notes beside the vault

    /// Seals bytes that lie beside the vault, and that nobody but this vault can read or make.
    ///
    /// - Throws: `locked`.
    package func sealNote(_ bytes: SecretBytes) throws(VaultError) -> [UInt8] {
        try opened().keys.sealNote(bytes, random: environment.random)
    }

    /// Opens what ``sealNote(_:)`` sealed.
    ///
    /// - Throws: `damaged` for anything else, also after the key of the vault was renewed; `locked`.
    package func openNote(_ sealed: [UInt8]) throws(VaultError) -> SecretBytes {
        try opened().keys.openNote(sealed)
    }
}

/// Writes changes into a transaction, and keeps what the index gets once it is durable.
private final class StepWriter {
    private let vault: UnlockedVault
    let sealer: RecordSealer
    private(set) var indexed: [(id: ItemID, fields: [UInt8])] = []
    private(set) var removed: [ItemID] = []

    init(_ vault: UnlockedVault, _ sealer: RecordSealer) {
        self.vault = vault
        self.sealer = sealer
    }

    func make(
        _ step: VaultStep, _ writer: any SealedWriter, _ manifest: inout Manifest
    ) throws(VaultError) -> ItemID {
        switch step {
        case .add(let draft):
            let record = try vault.seal(draft, sealer, version: manifest.epoch)
            try put(record, writer)
            manifest.records.add(sealer.element(of: record))
            manifest.count += 1
            return record.item
        case .edit(let item, let changes):
            let edit = try vault.prepare(item, changes)
            let record = try vault.seal(edit, sealer, version: manifest.epoch)
            try put(record, writer)
            manifest.records.remove(sealer.element(of: edit.old))
            manifest.records.add(sealer.element(of: record))
            return item
        case .remove(let item):
            let old = try vault.authenticRecord(of: item)
            try writer.remove(item)
            removed.append(item)
            manifest.records.remove(sealer.element(of: old))
            manifest.count -= 1
            return item
        }
    }

    private func put(_ record: SealedRecord, _ writer: any SealedWriter) throws(VaultError) {
        try writer.put(record)
        indexed.append((record.item, sealer.fields))
    }
}
