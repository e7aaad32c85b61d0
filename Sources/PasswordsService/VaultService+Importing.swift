import AutoFillProtocol
import AutoFillWire
import FoundationEssentials
import KeywayCrypto
import KeywaySystem
import PasswordsProtocol
import Vault

/// Documents of CXF that become items, and how that is taken back.
extension VaultService {
    /// Up to how many items the identity store hears of one by one; of more it takes everything anew.
    private static let toldOneByOne = 200
    /// How many items are named that stay when an import is taken back.
    private static let namedKept = 100
    private static let terminalWords = "Imports are taken back in a terminal. Run: keyway import --undo"

    /// Compares a document with the vault.
    ///
    /// - Throws: `damaged`, `refused` for a document that isn't read; `invalidParameters`, `locked`.
    func compare(
        _ parameters: CompareDocument.Parameters, for client: ServiceClient, _ gate: HandoutGate,
        _ permitted: ComparedDocument
    ) async throws(ProtocolError) -> CompareDocument.Result {
        let vault = try await vault(for: client, toName: gate)
        let document = try SealedDocument(received: parameters.document.descriptor)
        let run = try await compare(document, with: vault, gate, permitted)
        // It may have been locked while the person was asked.
        _ = try self.vault(for: client)
        return .init(counts: run.counts, findings: try ImportFindings(run.findings).attachment())
    }

    /// Compares a document with the vault, and returns once it may be said what came of it: whoever guesses passwords in a
    /// document would learn which of them are right.
    private func compare(
        _ document: SealedDocument, with vault: UnlockedVault, _ gate: HandoutGate, _ permitted: ComparedDocument
    ) async throws(ProtocolError) -> ImportRun {
        var run = try run(nil, into: vault)
        try document.withUnsafeBytes { (bytes) throws(ProtocolError) in try run.compare(bytes) }
        let compared = run.compared
        try await gate.comparison(with: compared)
        permitted.allow(document, compared)
        return run
    }

    /// Stores what is sound in a document, in one transaction.
    ///
    /// - Throws: as ``compare(_:for:_:_:)``; `system` where the disk is full. Nothing was stored then.
    func importDocument(
        _ parameters: ImportDocument.Parameters, for client: ServiceClient, _ gate: HandoutGate,
        _ permitted: ComparedDocument
    ) async throws(ProtocolError) -> ImportDocument.Result {
        let named = try await vault(for: client, toName: gate)
        let document = try SealedDocument(received: parameters.document.descriptor)
        // What is stored, and what is not, says as much as a comparison.
        if permitted.items(of: document) == nil { _ = try await compare(document, with: named, gate, permitted) }
        let vault = try await vaultToChange(for: client)
        guard !Task.isCancelled else { throw ProtocolError(.cancelled, "The request was cancelled.") }
        var run = try run(parameters.conflicts, into: vault, comparable: permitted.items(of: document) ?? [])
        do throws(ProtocolError) {
            try document.withUnsafeBytes { (bytes) throws(ProtocolError) in
                try run.store(bytes) { (last) throws(ProtocolError) in
                    do { try importRecord.prepare(last, of: vault) } catch {
                        surroundings.log("it could not be noted how the import is taken back: \(error)")
                        throw ProtocolError(
                            .system,
                            "Keyway couldn't note how to take the import back, so nothing was stored. "
                                + "Free some disk space and try again.")
                    }
                }
            }
        } catch {
            importRecord.abandon()
            throw error
        }
        let undoable = commit(run)
        surroundings.log("imported \(run.addedCount) items, changed \(run.edits.count)")
        await told(
            of: LastImport(version: 0, added: run.added).addedItems + run.replaced, before: run.former, in: vault)
        return .init(
            counts: run.counts, added: run.addedCount, replaced: run.edits.count, leftOut: run.leftOut,
            undoable: undoable, findings: try ImportFindings(run.findings).attachment())
    }

    /// Takes back the last import, in one transaction. What was changed since stays.
    ///
    /// - Throws: `refused` for anybody but a terminal; `notFound` where there is no import to take back; `locked`,
    ///   `damaged`, `system`. Nothing was changed then.
    func undoImport(
        for client: ServiceClient, _ gate: HandoutGate
    ) async throws(ProtocolError) -> UndoImport.Result {
        try requireTerminal(client, Self.terminalWords)
        _ = try await vault(for: client, toName: gate)
        let vault = try await vaultToChange(for: client)
        guard let last = importRecord.newest(of: vault) else {
            throw ProtocolError(.notFound, "There is no import to take back.")
        }
        let plan = try answering { () throws(VaultError) in try UndoPlan(last, in: vault) }
        var steps = plan.steps.makeIterator()
        _ = try answering { () throws(VaultError) in
            try vault.apply(
                { () throws(VaultError) in
                    guard let step = steps.next() else { return nil }
                    return try step.change(in: vault)
                },
                done: { (result) throws(VaultError) in _ = try result.get() })
        }
        importRecord.remove()
        surroundings.log("took back an import: removed \(plan.removed), restored \(plan.restored.count)")
        await told(of: plan.restored, before: plan.former, in: vault)
        return .init(
            removed: plan.removed, restored: plan.restored.count,
            kept: plan.kept.prefix(Self.namedKept).map { .init($0) }, keptCount: plan.kept.count)
    }

    /// Keeps how an import is taken back, under the vault's key as it is now.
    func keep(_ last: LastImport, of vault: UnlockedVault) {
        do {
            try importRecord.prepare(last, of: vault)
            try importRecord.commit()
        } catch {
            surroundings.log("it could not be noted how the import is taken back: \(error)")
        }
    }

    private func run(
        _ choice: ConflictChoice?, into vault: UnlockedVault, comparable: Set<ItemID>? = nil
    ) throws(ProtocolError) -> ImportRun {
        try answering { () throws(VaultError) in
            try ImportRun(
                vault, choice, comparable: comparable, now: environment.clock.now(), random: environment.random)
        }
    }

    /// What is stored can be taken back from now on.
    ///
    /// - Returns: how many items.
    private func commit(_ run: ImportRun) -> Int {
        let count = run.addedCount + run.edits.count
        guard count > 0 else { return 0 }
        do {
            try importRecord.commit()
            return count
        } catch {
            surroundings.log("it could not be noted how the import is taken back: \(error)")
            return 0
        }
    }

    /// Tells the identity store of many changes that are durable now, and waits for it.
    private func told(of items: [ItemID], before: [StoredSummary], in vault: UnlockedVault) async {
        guard let mark = mark(of: vault) else { return }
        let former = before.flatMap(\.everyIdentity)
        if items.count + before.count <= Self.toldOneByOne {
            let change = IdentityChange(
                from: former, to: items.flatMap { (try? vault.summary(of: $0))?.everyIdentity ?? [] }, mark: mark)
            if max(change.removed.count, change.saved.count) <= WriteIdentities.Parameters.maximumPart {
                surroundings.onIdentityJob(.change(change))
                await surroundings.identitiesTold()
                return
            }
        }
        surroundings.onIdentityJob(.bringInStep)
        await surroundings.identitiesTold()
    }
}
