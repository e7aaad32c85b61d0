import FoundationEssentials
import KeywayCrypto
import Vault

/// What there is to do to take an import back.
struct UndoPlan {
    /// One step.
    enum Step {
        /// An item goes.
        case remove(ItemID)
        /// An item becomes what it was.
        case restore(ItemID, LastImport.Edit)

        /// What it is in the vault.
        ///
        /// - Throws: `damaged`, `locked`.
        func change(in vault: UnlockedVault) throws(VaultError) -> VaultStep {
            switch self {
            case .remove(let item): .remove(item)
            case .restore(let item, let edit): .edit(item, try UndoPlan.inverse(of: edit, item, vault))
            }
        }
    }

    /// The steps.
    private(set) var steps: [Step] = []
    /// How many items go.
    private(set) var removed = 0
    /// The items that become what they were.
    private(set) var restored: [ItemID] = []
    /// The items that change or go, as they are until then.
    private(set) var former: [StoredSummary] = []
    /// The items that were changed since, and stay.
    private(set) var kept: [StoredSummary] = []

    /// A plan for the vault as it is now.
    ///
    /// - Throws: `locked`.
    init(_ last: LastImport, in vault: UnlockedVault) throws(VaultError) {
        for item in last.addedItems {
            // What is gone by now was removed by the person.
            guard let version = try vault.version(of: item) else { continue }
            let summary = try vault.summary(of: item)
            guard version == last.version else {
                kept.append(summary)
                continue
            }
            steps.append(.remove(item))
            former.append(summary)
            removed += 1
        }
        for edit in last.edits {
            guard let item = ItemID(edit.item), let version = try vault.version(of: item) else { continue }
            let summary = try vault.summary(of: item)
            guard version == last.version else {
                kept.append(summary)
                continue
            }
            steps.append(.restore(item, edit))
            former.append(summary)
            restored.append(item)
        }
    }

    private static func inverse(
        of edit: LastImport.Edit, _ item: ItemID, _ vault: UnlockedVault
    ) throws(VaultError) -> ItemChanges {
        var changes = ItemChanges(sections: edit.sections.map { .remove($0) })
        changes.modified = Date(timeIntervalSince1970: edit.modified)
        if edit.replacedPassword { changes.takesBackPassword = .former }
        if edit.addedPassword { changes.takesBackPassword = ItemChanges.PasswordReturn.none }
        if edit.addedNotes { changes.notes = SecretBytes(copying: []) }
        if edit.addresses != nil || edit.tags != nil {
            let summary = try vault.summary(of: item)
            changes.addresses = edit.addresses.map { Array(summary.addresses.prefix($0)) }
            changes.tags = edit.tags.map { Array(summary.tags.prefix($0)) }
        }
        if edit.madeFavorite == true { changes.isFavorite = false }
        if let count = edit.fields { changes.fields = Array(try vault.fields(of: item).prefix(count)) }
        return changes
    }
}
