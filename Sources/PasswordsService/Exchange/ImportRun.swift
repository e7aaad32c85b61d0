import CredentialExchange
import FoundationEssentials
import KeywayCrypto
import KeywaySystem
import PasswordsProtocol
import Vault
import VaultExchange

/// One document on its way into the vault: what is said of its items, and what is done with them, a few at a time.
///
/// While it lasts nothing else may change the vault. Nothing is stored before ``commit(_:)``, and nothing at all when it
/// goes away before.
final class ImportRun {
    /// What is done with conflicts; nil where everything is only compared.
    let choice: ConflictChoice?
    private let comparison: ImportComparison
    private let items: DocumentItems
    private let batch: ChangeBatch?
    /// The items that come next: they are read beside the service while those before are compared and sealed.
    private var reading: Task<Result<DocumentItems.Batch, ProtocolError>, Never>?
    private var isLearned = false
    /// How many items of the document were gone through.
    private(set) var done = 0
    /// How many there are, as far as that is known.
    private(set) var total = 0
    private(set) var counts = ImportCounts()
    private(set) var findings: [ImportFinding] = []
    private(set) var added = Data()
    private(set) var edits: [LastImport.Edit] = []
    private(set) var replaced: Set<ItemID> = []
    /// How the items that were changed were before.
    private(set) var former: [StoredSummary] = []
    private(set) var leftOut = 0

    /// A run of `document` into `vault`.
    ///
    /// - Parameters:
    ///   - choice: what is done with conflicts; nil to store nothing.
    ///   - comparable: the items whose secrets may be compared; nil for all.
    /// - Throws: `damaged`, `refused` for a document that isn't read; what the vault does.
    init(
        _ document: MappedDocument, into vault: UnlockedVault, _ choice: ConflictChoice?,
        comparable: Set<ItemID>? = nil, now: Date, random: any RandomSource
    ) throws(ProtocolError) {
        self.choice = choice
        comparison = try answering { () throws(VaultError) in try ImportComparison(vault, comparable: comparable) }
        items = DocumentItems(document, now: Int64(now.timeIntervalSince1970), random: random)
        batch = choice == nil ? nil : try answering { () throws(VaultError) in try vault.beginBatch(ofMany: true) }
    }

    deinit { batch?.abandon() }

    /// The items whose secrets were compared with those of the document.
    var compared: Set<ItemID> { comparison.compared }

    /// How many items the vault gets.
    var addedCount: Int { added.count / 16 }

    // MARK: - Going through it

    /// Goes on with at most `count` items, those of the vault first.
    ///
    /// - Returns: whether there is more to do.
    /// - Throws: `damaged` for a document that isn't read; what the vault does. Nothing is stored then.
    func step(_ count: Int, isolation: isolated (any Actor)? = #isolation) async throws(ProtocolError) -> Bool {
        let reading = reading ?? read(count)
        guard isLearned else {
            isLearned = try answering { () throws(VaultError) in try !comparison.learn(count) }
            return true
        }
        let read = try await reading.value.get()
        total = read.count
        self.reading = read.isLast ? reading : self.read(count)
        for item in read.items {
            try answering { () throws(VaultError) in
                try take(try comparison.verdict(on: item, of: items), at: item.index)
            }
        }
        done += read.items.count
        return !read.isLast
    }

    private func read(_ count: Int) -> Task<Result<DocumentItems.Batch, ProtocolError>, Never> {
        let task = Task.detached { [items] in Result { () throws(ProtocolError) in try items.next(count) } }
        reading = task
        return task
    }

    private func take(_ verdict: ImportComparison.Verdict, at index: Int) throws(VaultError) {
        guard let batch else {
            _ = step(verdict, at: index)
            return comparison.accept()
        }
        // What is left out does not count for those after it.
        guard let step = step(verdict, at: index) else { return }
        do throws(VaultError) {
            finish(.success(try batch.make(step)))
        } catch {
            guard error.code == .invalid else { throw error }
            finish(.failure(error))
        }
    }

    /// Makes durable what is stored.
    ///
    /// - Parameter note: is told how all of it is taken back, before it is durable.
    /// - Throws: what the vault and `note` throw. Nothing was stored then.
    func commit(_ note: (LastImport) throws(ProtocolError) -> Void) throws(ProtocolError) {
        guard addedCount + edits.count > 0 else { return batch?.abandon() ?? () }
        var failure: ProtocolError?
        do throws(VaultError) {
            try batch?.commit { (version) throws(VaultError) in
                do throws(ProtocolError) {
                    try note(LastImport(version: version, added: added, edits: edits))
                } catch {
                    failure = error
                    throw VaultError(.storage, "the import ended")
                }
            }
        } catch {
            throw failure ?? ProtocolError(error)
        }
    }

    // MARK: - One item

    /// What is under way: the finding of the item that is being stored.
    private struct Pending {
        let index: Int
        let verdict: ImportVerdict
        let stored: StoredSummary?
        let notices: [String]
        let edit: LastImport.Edit?
    }

    private var pending: Pending?

    /// What there is to do for an item; nil where it is left out, or only compared.
    private func step(_ verdict: ImportComparison.Verdict, at index: Int) -> VaultStep? {
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

    private func leave(_ finding: ImportFinding) {
        findings.append(finding)
        leftOut += 1
    }

    private func add(
        _ imported: ImportedItem, _ index: Int, _ verdict: ImportVerdict, _ stored: StoredSummary?
    ) -> VaultStep? {
        pending = Pending(index: index, verdict: verdict, stored: stored, notices: imported.notices, edit: nil)
        guard choice != nil else {
            tell(nil)
            return nil
        }
        return .add(imported.draft)
    }

    private func replace(
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

    private func finish(_ result: Result<ItemID, VaultError>) {
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
    private func tell(_ outcome: ImportFinding.Outcome?) {
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
