package import Vault

/// An item of a document as the vault would store it.
package struct ImportedItem: Sendable {
    /// What would be stored.
    package var draft: ItemDraft
    /// What of it is left out or kept in another way: sentences, without content.
    package var notices: [String] = []
    /// The items that have a passkey of it already.
    package var holders: [ItemID] = []

    /// Whether anything is in it but its name.
    package var hasContent: Bool {
        !draft.userName.isEmpty || draft.password != nil || draft.notes != nil || !draft.fields.isEmpty
            || draft.passkey != nil || !draft.addresses.isEmpty || draft.sections.contains { $0.type != .item }
    }

    /// The identifiers of its passkeys.
    package var credentialIDs: [[UInt8]] {
        (draft.passkey.map { [$0.identifier] } ?? [])
            + draft.sections.filter { $0.type == .passkey }.compactMap { $0["credentialId"]?.array }
    }

    /// Whether an item of the vault holds all of it: what is secret in it, and the sites that it is for.
    ///
    /// - Parameters:
    ///   - summary: what is known of the item of the vault.
    ///   - body: what is secret in the item of the vault.
    ///   - sections: the sections of that item.
    package func isContained(in summary: ItemSummary, _ body: ItemBody, _ sections: [ItemSection]) -> Bool {
        guard missingAddresses(from: summary.addresses).isEmpty else { return false }
        if let password = draft.password, password != body.password { return false }
        guard hasNotes(body, sections) else { return false }
        let fields = body.fields
        guard draft.fields.allSatisfy({ fields.contains($0) }), draft.passkey == nil else { return false }
        return missing(from: sections).isEmpty
    }

    /// Whether its notes are those of an item of the vault, or further notes of it.
    private func hasNotes(_ body: ItemBody, _ sections: [ItemSection]) -> Bool {
        guard let notes = draft.notes, notes != body.notes else { return true }
        return sections.contains { $0.type == .note && $0["content"] == notes }
    }

    /// Its addresses that lead to places to which those of another item don't.
    private func missingAddresses(from addresses: [String]) -> [String] {
        let places = Set(addresses.map(AccountPlace.init))
        return draft.addresses.filter { !places.contains(AccountPlace($0)) }
    }

    /// Its sections that another item doesn't have; but for what says of it where it comes from.
    package func missing(from sections: [ItemSection]) -> [ItemSection] {
        draft.sections.filter { section in
            section.type != .item && !sections.contains { $0.isSame(as: section) }
        }
    }

    /// What changes about an item of the vault that gets what this one says: nothing that it has is lost.
    package func changes(to summary: ItemSummary, _ body: ItemBody, _ sections: [ItemSection]) -> ItemChanges {
        var changes = ItemChanges()
        if let password = draft.password, password != body.password { changes.password = password }
        if let notes = draft.notes, !hasNotes(body, sections) {
            if body.notes == nil {
                changes.notes = notes
            } else {
                changes.sections.append(.add(ItemSection(.note, [SectionMember("content", .text, notes)])))
            }
        }
        let addresses = missingAddresses(from: summary.addresses)
        if !addresses.isEmpty { changes.addresses = summary.addresses + addresses }
        let tags = draft.tags.filter { !summary.tags.contains($0) }
        if !tags.isEmpty { changes.tags = summary.tags + tags }
        if draft.marks.isFavorite, !summary.marks.isFavorite { changes.isFavorite = true }
        let fields = body.fields
        let new = draft.fields.filter { !fields.contains($0) }
        if !new.isEmpty { changes.fields = fields + new }
        let sections = missing(from: sections)
        changes.sections += sections.map { .add($0) }
        changes.contents = draft.contents.filter { content in sections.contains { content.isIn($0) } }
        return changes
    }
}

extension ItemSection {
    /// Whether another says the same, in whatever order: the vault puts what lies in the summary first.
    fileprivate func isSame(as other: ItemSection) -> Bool {
        // Where the vault keeps what is in a file says nothing of it.
        let (ours, theirs) = (members.filter { !$0.isPlace }, other.members.filter { !$0.isPlace })
        return type == other.type && ours.count == theirs.count && ours.allSatisfy { theirs.contains($0) }
    }
}

extension SectionMember {
    fileprivate var isPlace: Bool { name == FileHead.seedMember }
}
