import KeywayCrypto

/// One of many changes that are made together.
package enum VaultStep: Sendable {
    /// A new item.
    case add(ItemDraft)
    /// A change of an item.
    case edit(ItemID, ItemChanges)
    /// An item goes.
    case remove(ItemID)
}

/// Many changes on their way into one transaction: all of them become durable together, or none does.
///
/// They are made one by one, so that only the secrets of one are in memory at a time, and a server can answer others
/// between them. Until ``commit(_:)`` the vault is what it was, and can be read and not changed. Whatever ends it before,
/// ``UnlockedVault/lock()`` too, leaves the vault as it was.
package final class ChangeBatch {
    /// How many sealed bytes of new items wait until they are written. Identifiers are random: in the order of many of them
    /// each page of the file is found and written once, instead of once for each item.
    private static let mostUnwritten = 8 << 20
    /// How many sealed bytes of changed items wait: those that are written are not read until all of it is durable.
    private static let mostUnwrittenEdits = 32 << 20

    private let vault: UnlockedVault
    private let sealer: RecordSealer
    private var change: OpenChange?
    private var added = Unwritten()
    private var edited = Unwritten()
    /// What the index gets once all of it is durable.
    private var indexed: [(id: ItemID, fields: [UInt8])] = []
    private var removed: [ItemID] = []
    private var addedParts: [(id: ItemID, version: UInt64)] = []
    private var removedParts: [ItemID] = []
    /// The items that were there and are changed, and those of them that stand otherwise in the open transaction already.
    private var touched: Set<ItemID> = []
    private var written: Set<ItemID> = []

    /// Records that wait.
    private struct Unwritten {
        /// Where the record of an item waits.
        private struct Place {
            let item: ItemID
            let index: Int
        }

        var records: [SealedRecord] = []
        var count = 0

        mutating func append(_ record: SealedRecord) {
            records.append(record)
            count += record.summary.count + record.body.count
        }

        mutating func write(to writer: any SealedWriter) throws(VaultError) {
            // Sorting the records themselves would count references each time that two of them change places.
            var order = records.indices.map { Place(item: records[$0].item, index: $0) }
            order.sort { ($0.item.high, $0.item.low) < ($1.item.high, $1.item.low) }
            for place in order { try writer.put(records[place.index]) }
            records.removeAll(keepingCapacity: true)
            count = 0
        }
    }

    init(_ vault: UnlockedVault, ofMany: Bool) throws(VaultError) {
        self.vault = vault
        let random = vault.environment.random
        sealer = RecordSealer(try vault.opened().keys, ofMany ? DrawnRandom(random) : random)
        change = try OpenChange(of: vault)
    }

    deinit { abandon() }

    /// Makes one change. Each item may be changed once.
    ///
    /// - Returns: the item.
    /// - Throws: `invalid` for what can't be stored, such as an item that is too large: that is left out, and the others can
    ///   go on. Any other failure ends all of it: `notFound`, `damaged`, `conflict`, `storage`, `storageFull`, `locked`.
    @discardableResult
    package func make(_ step: VaultStep) throws(VaultError) -> ItemID {
        guard let change else { throw over }
        do throws(VaultError) {
            return try make(step, in: change)
        } catch {
            if error.code != .invalid { abandon() }
            throw error
        }
    }

    private func make(_ step: VaultStep, in change: OpenChange) throws(VaultError) -> ItemID {
        switch step {
        case .add(let draft):
            let (record, sections) = try vault.seal(draft, sealer, version: change.manifest.epoch)
            let parts = try PartChanges(of: record.item, from: [], to: sections, draft.contents)
            take(record, in: change)
            added.append(record)
            change.manifest.count += 1
            try make(parts, of: record.item, in: change)
            if added.count >= Self.mostUnwritten { try added.write(to: change.writer) }
            return record.item
        case .edit(let item, let changes):
            try touch(item)
            let edit = try vault.prepare(item, changes)
            let record = try vault.seal(edit, sealer, version: change.manifest.epoch)
            take(record, in: change)
            edited.append(record)
            change.manifest.records.remove(sealer.element(of: edit.old))
            try make(edit.parts, of: item, in: change)
            touched.insert(item)
            if edited.count >= Self.mostUnwrittenEdits { try writeEdits(to: change.writer) }
            return item
        case .remove(let item):
            try touch(item)
            let old = try vault.authenticRecord(of: item)
            let parts = try PartChanges(
                of: item, from: vault.opened().index.sections(of: item), to: [], [])
            try make(parts, of: item, in: change)
            try change.writer.remove(item)
            removed.append(item)
            change.manifest.records.remove(sealer.element(of: old))
            change.manifest.count -= 1
            touched.insert(item)
            written.insert(item)
            return item
        }
    }

    /// Writes the parts of new files, and removes those of files that go.
    private func make(_ parts: PartChanges, of item: ItemID, in change: OpenChange) throws(VaultError) {
        for part in parts.removed {
            guard let version = try vault.opened().index.parts[part] else {
                throw VaultError(.damaged, "a part of a file of item \(item) is missing", place: vault.place)
            }
            let old = try vault.authenticRecord(of: part, version)
            try change.writer.remove(part)
            removedParts.append(part)
            written.insert(part)
            change.manifest.records.remove(sealer.element(of: old))
            change.manifest.count -= 1
        }
        for file in parts.added {
            for position in file.head.positions {
                let record = try sealer.seal(
                    file.content, file.head, position, of: item, version: change.manifest.epoch)
                added.append(record)
                addedParts.append((record.item, record.version))
                change.manifest.records.add(sealer.element(of: record))
                change.manifest.count += 1
                if added.count >= Self.mostUnwritten { try added.write(to: change.writer) }
            }
        }
    }

    /// What the index knows of an item is what the store has: of an item that this batch has changed that is not so.
    private func touch(_ item: ItemID) throws(VaultError) {
        guard !touched.contains(item) else {
            throw VaultError(.conflict, "the item \(item) is changed twice at once", place: vault.place)
        }
    }

    private func take(_ record: SealedRecord, in change: OpenChange) {
        indexed.append((record.item, sealer.fields))
        change.manifest.records.add(sealer.element(of: record))
    }

    private func writeEdits(to writer: any SealedWriter) throws(VaultError) {
        for record in edited.records { written.insert(record.item) }
        try edited.write(to: writer)
    }

    /// Whether an item stands otherwise in the open transaction than it is.
    func hasWritten(_ item: ItemID) -> Bool { change != nil && written.contains(item) }

    /// Makes all of it durable.
    ///
    /// - Parameter last: runs when all changes are made and none is durable yet, with the number that the vault's state gets.
    /// - Returns: that number: the version of every item that was added or changed.
    /// - Throws: what `last` throws; `locked`, `storage`, `storageFull`. Nothing was changed then.
    @discardableResult
    package func commit(
        _ last: (UInt64) throws(VaultError) -> Void = { (_) throws(VaultError) in }
    ) throws(VaultError) -> UInt64 {
        guard let change else { throw over }
        defer { abandon() }
        let index = try vault.opened().index
        try added.write(to: change.writer)
        try writeEdits(to: change.writer)
        try last(change.manifest.epoch)
        try change.commit(format: sealer.formatVersion)
        for (id, fields) in indexed { try vault.index(id, fields) }
        for item in removed { index.remove(item) }
        for part in removedParts { index.removePart(part) }
        for part in addedParts { try index.addPart(part.id, version: part.version) }
        return change.manifest.epoch
    }

    /// Gives it up; the vault is as it was. Does nothing once it is committed.
    package func abandon() {
        change?.abandon()
        change = nil
        (added, edited) = (Unwritten(), Unwritten())
    }

    private var over: VaultError { VaultError(.locked, "the changes were given up", place: vault.place) }
}

extension UnlockedVault {
    /// Begins many changes that are made together.
    ///
    /// - Parameter ofMany: whether they may be thousands: random bytes are drawn for many of them at once then.
    /// - Throws: `locked`; `conflict` where somebody else has changed the file, or changes are under way; `storage`.
    package func beginBatch(ofMany: Bool = false) throws(VaultError) -> ChangeBatch {
        let batch = try ChangeBatch(self, ofMany: ofMany)
        self.batch = batch
        return batch
    }
}
