import CredentialExchange
import FoundationEssentials
import KeywayCrypto
import KeywaySystem
import PasswordsProtocol
import Vault
import VaultExchange

/// One document on its way into the vault: what is said of its items, and what is done with them.
struct ImportRun {
    /// What is done with conflicts; nil where everything is only compared.
    let choice: ConflictChoice?
    private let vault: UnlockedVault
    private let comparison: ImportComparison
    private let now: Int64
    private(set) var counts = ImportCounts()
    private(set) var findings: [ImportFinding] = []
    private(set) var added = Data()
    private(set) var edits: [LastImport.Edit] = []
    private(set) var replaced: Set<ItemID> = []
    /// How the items that were changed were before.
    private(set) var former: [StoredSummary] = []
    private(set) var leftOut = 0
    private var failure: ProtocolError?

    /// A run into `vault`.
    ///
    /// - Parameter comparable: the items whose secrets may be compared; nil for all.
    /// - Throws: `locked`.
    init(
        _ vault: UnlockedVault, _ choice: ConflictChoice?, comparable: Set<ItemID>? = nil, now: Date,
        random: any RandomSource
    ) throws(VaultError) {
        self.vault = vault
        self.choice = choice
        self.now = Int64(now.timeIntervalSince1970)
        comparison = try ImportComparison(vault, comparable: comparable, random: random)
    }

    /// The items whose secrets were compared with those of the document.
    var compared: Set<ItemID> { comparison.compared }

    /// How many items there are more.
    var addedCount: Int { added.count / 16 }

    private func items(_ bytes: UnsafeRawBufferPointer) throws(ProtocolError) -> DocumentItems {
        try DocumentItems(bytes, now: now) { [comparison] in comparison.holder(of: $0) }
    }

    // MARK: - Comparing

    /// Compares everything.
    ///
    /// - Throws: `damaged`, `refused` for a document that isn't read; what the vault does.
    mutating func compare(_ bytes: UnsafeRawBufferPointer) throws(ProtocolError) {
        var items = try items(bytes)
        while let (index, item, reader) = try items.next() {
            let verdict = try answering { () throws(VaultError) in
                try comparison.verdict(on: item, at: index, reader)
            }
            _ = step(verdict, at: index)
            comparison.accept()
        }
    }

    // MARK: - Storing

    /// What is under way: the finding of the item that is being stored.
    private struct Pending {
        let index: Int
        let verdict: ImportVerdict
        let stored: StoredSummary?
        let notices: [String]
        let edit: LastImport.Edit?
    }

    private var pending: Pending?

    /// Stores what is sound, in one transaction.
    ///
    /// - Parameter note: is told how all of it is taken back, before it is durable.
    /// - Throws: as ``compare(_:)``, and what `note` does. Nothing was stored then.
    mutating func store(
        _ bytes: UnsafeRawBufferPointer, note: (LastImport) throws(ProtocolError) -> Void
    ) throws(ProtocolError) {
        var items = try items(bytes)
        do throws(VaultError) {
            try vault.apply(
                { () throws(VaultError) in
                    while let (index, item, reader) = try self.passing({ () throws(ProtocolError) in try items.next() })
                    {
                        let verdict = try comparison.verdict(on: item, at: index, reader)
                        if let step = step(verdict, at: index) { return step }
                    }
                    return nil
                },
                done: { (result) throws(VaultError) in self.finish(result) },
                beforeCommit: { (version) throws(VaultError) in
                    guard addedCount + edits.count > 0 else { return }
                    let last = LastImport(version: version, added: added, edits: edits)
                    try self.passing { () throws(ProtocolError) in try note(last) }
                })
        } catch {
            throw failure ?? ProtocolError(error)
        }
    }

    /// Lets an error of ours through one that the vault can throw.
    private mutating func passing<Value>(
        _ body: () throws(ProtocolError) -> Value
    ) throws(VaultError) -> Value {
        do {
            return try body()
        } catch {
            failure = error
            throw VaultError(.invalid, "the import ended")
        }
    }

    /// What there is to do for an item; nil where it is left out, or only compared.
    private mutating func step(_ verdict: ImportComparison.Verdict, at index: Int) -> VaultStep? {
        switch verdict {
        case .refused(let reason):
            counts.refused += 1
            leave(.init(item: index, verdict: .refused, outcome: choice.map { _ in .leftOut }, reason: reason))
            return nil
        case .duplicate(let stored, let sameAs, let notices):
            counts.duplicates += 1
            comparison.accept()
            leave(
                .init(
                    item: index, verdict: .duplicate, outcome: choice.map { _ in .leftOut },
                    stored: stored.map { ImportFinding.Stored($0) }, sameAs: sameAs,
                    notices: notices.isEmpty ? nil : notices))
            return nil
        case .new(let imported):
            counts.new += 1
            return add(imported, index, .new, nil)
        case .conflict(let imported, let stored, let contents):
            counts.conflicts += 1
            switch choice {
            case .skip:
                leave(
                    .init(
                        item: index, verdict: .conflict, outcome: .leftOut, stored: .init(stored),
                        notices: imported.notices.isEmpty ? nil : imported.notices))
                return nil
            case .replace:
                // What this document has replaced once is not replaced again: both of its items are kept.
                guard let contents else { return add(imported, index, .conflict, stored) }
                return replace(imported, contents, index)
            default: return add(imported, index, .conflict, stored)
            }
        }
    }

    private mutating func leave(_ finding: ImportFinding) {
        findings.append(finding)
        leftOut += 1
    }

    private mutating func add(
        _ imported: ImportedItem, _ index: Int, _ verdict: ImportVerdict, _ stored: StoredSummary?
    ) -> VaultStep? {
        pending = Pending(index: index, verdict: verdict, stored: stored, notices: imported.notices, edit: nil)
        guard choice != nil else {
            tell(nil)
            return nil
        }
        return .add(imported.draft)
    }

    private mutating func replace(
        _ imported: ImportedItem, _ contents: ImportComparison.Contents, _ index: Int
    ) -> VaultStep? {
        let (summary, body, sections) = contents
        let changes = imported.changes(to: summary, body, sections)
        var edit = LastImport.Edit(
            item: summary.id.description, modified: summary.modified.timeIntervalSince1970)
        if changes.password != nil {
            edit.replacedPassword = body.password != nil
            edit.addedPassword = body.password == nil
        }
        edit.addedNotes = changes.notes != nil
        edit.fields = changes.fields == nil ? nil : body.fields.count
        edit.addresses = changes.addresses == nil ? nil : summary.addresses.count
        edit.tags = changes.tags == nil ? nil : summary.tags.count
        edit.madeFavorite = changes.isFavorite
        // New sections get the numbers after the highest.
        let highest = summary.sections.last?.number ?? 0
        edit.sections = changes.sections.indices.compactMap { UInt16(exactly: Int(highest) + 1 + $0) }
        pending = Pending(
            index: index, verdict: .conflict, stored: summary, notices: imported.notices, edit: edit)
        return .edit(summary.id, changes)
    }

    private mutating func finish(_ result: Result<ItemID, VaultError>) {
        guard let pending else { return }
        switch result {
        case .failure(let error):
            // It stood otherwise before it came to storing it.
            if pending.verdict == .new { counts.new -= 1 } else { counts.conflicts -= 1 }
            counts.refused += 1
            leave(
                .init(
                    item: pending.index, verdict: .refused, outcome: .leftOut,
                    reason: "The item can't be stored: \(error.detail)."))
        case .success(let item):
            comparison.accept()
            if let edit = pending.edit, let stored = pending.stored {
                edits.append(edit)
                replaced.insert(item)
                former.append(stored)
                comparison.note(changed: stored)
                tell(.replaced)
            } else {
                added.append(contentsOf: item.bytes)
                tell(.added)
            }
        }
    }

    /// Says something of an item, if there is anything to say.
    private mutating func tell(_ outcome: ImportFinding.Outcome?) {
        guard let pending, pending.verdict != .new || !pending.notices.isEmpty else { return }
        findings.append(
            .init(
                item: pending.index, verdict: pending.verdict, outcome: outcome,
                stored: pending.stored.map { .init($0) },
                notices: pending.notices.isEmpty ? nil : pending.notices))
    }
}

extension ImportFinding.Stored {
    /// What is said of an item of the vault.
    init(_ item: StoredSummary) {
        self.init(id: item.id.description, title: item.title, user: item.userName)
    }
}
