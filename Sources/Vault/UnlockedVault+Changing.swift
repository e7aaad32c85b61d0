import FoundationEssentials
import KeywayCrypto

extension UnlockedVault {
    /// Adds an item; it is durable when the call returns.
    ///
    /// - Throws: `invalid` for an item without a title or with more than can be stored; `conflict`, `storage`,
    ///   `storageFull`, `locked`; nothing was added then.
    @discardableResult
    package func add(_ draft: ItemDraft) throws(VaultError) -> ItemID {
        try add(CollectionOfOne(draft))[0]
    }

    /// Adds many items in one transaction: all, or none. Drafts are taken one by one, so a lazy sequence keeps few
    /// secrets in memory at a time.
    ///
    /// - Returns: the new identifiers in order.
    /// - Throws: as ``add(_:)-1``.
    @discardableResult
    package func add(_ drafts: some Sequence<ItemDraft>) throws(VaultError) -> [ItemID] {
        let batch = try beginBatch()
        var items: [ItemID] = []
        for draft in drafts { items.append(try batch.make(.add(draft))) }
        try batch.commit()
        return items
    }

    /// The record of a new item, and what is known of its sections.
    func seal(
        _ draft: ItemDraft, _ sealer: RecordSealer, version: UInt64
    ) throws(VaultError) -> (record: SealedRecord, sections: [SectionHead]) {
        var summary = ItemSummary(draft, id: ItemID(random: sealer.random), now: environment.clock.date)
        let plan = try SectionPlan([], draft.sections.map { SectionChange.add($0) })
        summary.sections = plan.heads
        let record = try sealer.seal(summary, version: version) { buffer in
            ItemBody.encode(draft, plan, into: buffer)
        }
        return (record, plan.heads)
    }

    /// Changes an item; a password that is replaced goes into its history.
    ///
    /// - Throws: `notFound`, `damaged`, and as ``add(_:)-1``; nothing was changed then.
    package func edit(_ item: ItemID, _ changes: ItemChanges) throws(VaultError) {
        try makeOne(.edit(item, changes))
    }

    private func makeOne(_ step: VaultStep) throws(VaultError) {
        let batch = try beginBatch()
        try batch.make(step)
        try batch.commit()
    }

    /// A change of an item, before it is sealed.
    struct PreparedEdit {
        let old: SealedRecord
        fileprivate let foreign: [(tag: UInt8, bytes: [UInt8])]
        fileprivate let body: ItemBody
        fileprivate let changes: ItemChanges
        fileprivate let summary: ItemSummary
        fileprivate let plan: SectionPlan
        /// What its files become.
        let parts: PartChanges
    }

    /// Opens an item that is to be changed.
    ///
    /// - Throws: `notFound`, `damaged`, `locked`; `invalid`, `unsupported` for sections that can't be changed in this way.
    func prepare(_ item: ItemID, _ changes: ItemChanges) throws(VaultError) -> PreparedEdit {
        let old = try authenticRecord(of: item)
        let body = try body(of: item)
        let foreign = try opened().keys.foreignFields(old)
        var summary = try summary(of: item)
        summary.apply(changes, date: environment.clock.date)
        let plan = try SectionPlan(summary.sections, changes.sections)
        let parts = try PartChanges(of: item, from: summary.sections, to: plan.heads, changes.contents)
        summary.sections = plan.heads
        return PreparedEdit(
            old: old, foreign: foreign, body: body, changes: changes, summary: summary, plan: plan, parts: parts)
    }

    /// The record of a changed item.
    func seal(_ edit: PreparedEdit, _ sealer: RecordSealer, version: UInt64) throws(VaultError) -> SealedRecord {
        try sealer.seal(edit.summary, version: version, keeping: edit.foreign) { buffer in
            edit.body.encode(edit.changes, edit.plan, at: edit.summary.modified, into: buffer)
        }
    }

    /// Removes an item with its history and files; its sealed bytes are overwritten in the file.
    ///
    /// - Throws: `notFound`, `damaged`, and as ``add(_:)-1``; nothing was removed then.
    package func remove(_ item: ItemID) throws(VaultError) {
        try makeOne(.remove(item))
    }

    /// Takes a summary that is durable now into the index.
    func index(_ item: ItemID, _ fields: [UInt8]) throws(VaultError) {
        let contents = try opened()
        try fields.lend { (bytes) throws(VaultError) in
            try contents.index.put(item, version: contents.manifest.epoch, summary: bytes)
        }
    }
}

extension ItemSummary {
    /// The summary of a new item.
    fileprivate init(_ draft: ItemDraft, id: ItemID, now: Date) {
        // Nothing that is kept is from the future: what is changed later would look older.
        let created = min(draft.created ?? now, draft.modified ?? now, now)
        self.init(
            id: id, title: draft.title, userName: draft.userName, addresses: draft.addresses, tags: draft.tags,
            created: created, modified: min(draft.modified ?? now, now),
            hasPassword: draft.password.map { !$0.isEmpty } ?? false,
            passkey: draft.passkey.map { PasskeyRecord($0) })
        marks = draft.marks
        subtitle = draft.subtitle.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Takes over what is changed. The date of change never goes back, whatever the clock says.
    fileprivate mutating func apply(_ changes: ItemChanges, date: Date) {
        title = changes.title ?? title
        if let name = changes.userName {
            // The first one: what it was called when the person agreed to it, however often the site says another.
            let known = formerName ?? userName
            formerName = changes.isRenamedBySite && name != known ? known : nil
            userName = name
        }
        addresses = changes.addresses ?? addresses
        tags = changes.tags ?? tags
        subtitle = (changes.subtitle ?? subtitle).flatMap { $0.isEmpty ? nil : $0 }
        marks.isFavorite = changes.isFavorite ?? marks.isFavorite
        marks.use = changes.use ?? marks.use
        hasPassword = changes.hasPassword ?? hasPassword
        modified = changes.modified ?? max(date, modified, created)
        if let isHidden = changes.isHidden {
            hidden = isHidden ? hidden ?? modified : nil
            if changes.isWithheld || !isHidden { passkey?.isWithheld = isHidden }
        }
        if let isNamedByPerson = changes.isNamedByPerson { passkey?.isNamedByPerson = isNamedByPerson }
    }
}
