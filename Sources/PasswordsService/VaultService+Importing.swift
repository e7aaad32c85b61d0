import AutoFillProtocol
import AutoFillWire
import CredentialExchange
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

    /// How many items are gone through before others get their turn: some milliseconds.
    static let importStep = 128

    /// Compares a document with the vault.
    ///
    /// - Parameter telling: hears how far it is.
    /// - Throws: `damaged`, `refused` for a document that isn't read; `invalidParameters`, `locked`, `cancelled`.
    func compare(
        _ parameters: CompareDocument.Parameters, for client: ServiceClient, _ gate: HandoutGate,
        _ permitted: ComparedDocument, telling: @Sendable (ExchangeProgress.Parameters) -> Void = { _ in }
    ) async throws(ProtocolError) -> CompareDocument.Result {
        _ = try await vault(for: client, toName: gate)
        let document = try SealedDocument(received: parameters.document.descriptor, limit: ExchangeBundle.longest)
        let run = try await compare(document, for: client, gate, permitted, telling)
        // It may have been locked while the person was asked.
        _ = try vault(for: client)
        return .init(counts: run.counts, findings: try ImportFindings(run.findings).attachment())
    }

    /// Compares a document with the vault, and returns once it may be said what came of it: whoever guesses passwords in a
    /// document would learn which of them are right.
    private func compare(
        _ document: SealedDocument, for client: ServiceClient, _ gate: HandoutGate, _ permitted: ComparedDocument,
        _ telling: (ExchangeProgress.Parameters) -> Void
    ) async throws(ProtocolError) -> ImportRun {
        let run = try await goThrough(document, for: client, telling)
        try await gate.comparison(with: run.compared)
        permitted.allow(document, run.compared)
        return run
    }

    /// Goes through a document and stores nothing.
    private func goThrough(
        _ document: SealedDocument, for client: ServiceClient, _ telling: (ExchangeProgress.Parameters) -> Void
    ) async throws(ProtocolError) -> ImportRun {
        let vault = try await beginChanging(for: client)
        defer { endChanging() }
        return try await goThrough(document, into: vault, nil, comparable: nil, telling)
    }

    /// Stores what is sound in a document, in one transaction. Others are answered meanwhile; a lock ends it, and nothing is
    /// stored then.
    ///
    /// - Parameter telling: hears how far it is.
    /// - Throws: as ``compare(_:for:_:_:telling:)``; `system` where the disk is full. Nothing was stored then.
    func importDocument(
        _ parameters: ImportDocument.Parameters, for client: ServiceClient, _ gate: HandoutGate,
        _ permitted: ComparedDocument, telling: @Sendable (ExchangeProgress.Parameters) -> Void = { _ in }
    ) async throws(ProtocolError) -> ImportDocument.Result {
        _ = try await vault(for: client, toName: gate)
        let document = try SealedDocument(received: parameters.document.descriptor, limit: ExchangeBundle.longest)
        guard !Task.isCancelled else { throw ProtocolError(.cancelled, "The request was cancelled.") }
        var outcome = try await store(
            document, parameters.conflicts, comparable: permitted.items(of: document), for: client, telling)
        if case .compared(let items) = outcome {
            try await gate.comparison(with: items)
            permitted.allow(document, items)
            outcome = try await store(document, parameters.conflicts, comparable: items, for: client, telling)
        }
        guard case .stored(let vault, let run, let undoable) = outcome else {
            throw ProtocolError(.internalError, "What was imported is not known.")
        }
        surroundings.log("imported \(run.addedCount) items, changed \(run.edits.count)")
        await told(
            of: LastImport(version: 0, added: run.added).addedItems + run.replaced, before: run.former, in: vault)
        return .init(
            counts: run.counts, added: run.addedCount, replaced: run.edits.count, leftOut: run.leftOut,
            undoable: undoable, findings: try ImportFindings(run.findings).attachment())
    }

    /// What came of going through a document to store it.
    private enum ImportOutcome {
        case stored(UnlockedVault, ImportRun, undoable: Int)
        /// Nothing was stored: whether secrets of these items are in the document is for the person to allow first.
        case compared(Set<ItemID>)
    }

    /// Stores what is sound in a document, where `comparable` is nil only if no secret of the vault was compared for it: what is
    /// stored, and what is not, says as much as a comparison.
    private func store(
        _ document: SealedDocument, _ choice: ConflictChoice, comparable: Set<ItemID>?, for client: ServiceClient,
        _ telling: (ExchangeProgress.Parameters) -> Void
    ) async throws(ProtocolError) -> ImportOutcome {
        let vault = try await beginChanging(for: client)
        defer { endChanging() }
        let run = try await goThrough(document, into: vault, choice, comparable: comparable, telling)
        guard comparable != nil || run.compared.isEmpty else { return .compared(run.compared) }
        return .stored(vault, run, undoable: try store(run, in: vault))
    }

    /// Goes through a document a few items at a time.
    private func goThrough(
        _ document: SealedDocument, into vault: UnlockedVault, _ choice: ConflictChoice?,
        comparable: Set<ItemID>?, _ telling: (ExchangeProgress.Parameters) -> Void
    ) async throws(ProtocolError) -> ImportRun {
        let run = try ImportRun(
            document.map(), into: vault, choice, comparable: comparable, now: environment.clock.date,
            random: environment.random)
        var told = -1
        while try await run.step(Self.importStep) {
            let percent = run.done * 100 / max(run.total, 1)
            // Before the document was looked at, nobody knows how many there are.
            if run.total > 0, percent != told { telling(.init(done: run.done, total: run.total)) }
            told = run.total > 0 ? percent : told
            try await giveWay(vault)
        }
        return run
    }

    /// Makes durable what a run is to store, with the note of how it is taken back.
    ///
    /// - Returns: how many items can be taken back.
    private func store(_ run: ImportRun, in vault: UnlockedVault) throws(ProtocolError) -> Int {
        do throws(ProtocolError) {
            try run.commit { (last) throws(ProtocolError) in
                do { try importRecord.prepare(last, of: vault) } catch {
                    surroundings.log("it could not be noted how the import is taken back: \(error)")
                    throw ProtocolError(
                        .system,
                        "Keyway couldn't note how to take the import back, so nothing was stored. "
                            + "Free some disk space and try again.")
                }
            }
        } catch {
            importRecord.abandon()
            throw error
        }
        return commit(run)
    }

    /// Takes back the last import, in one transaction. What was changed since stays.
    ///
    /// - Throws: `refused` for anybody but a terminal; `notFound` where there is no import to take back; `locked`,
    ///   `damaged`, `system`, `cancelled`. Nothing was changed then.
    func undoImport(
        for client: ServiceClient, _ gate: HandoutGate
    ) async throws(ProtocolError) -> UndoImport.Result {
        try requireTerminal(client, Self.terminalWords)
        _ = try await vault(for: client, toName: gate)
        let (vault, plan) = try await takeBack(for: client)
        importRecord.remove()
        surroundings.log("took back an import: removed \(plan.removed), restored \(plan.restored.count)")
        await told(of: plan.restored, before: plan.former, in: vault)
        return .init(
            removed: plan.removed, restored: plan.restored.count,
            kept: plan.kept.prefix(Self.namedKept).map { .init($0) }, keptCount: plan.kept.count)
    }

    private func takeBack(for client: ServiceClient) async throws(ProtocolError) -> (UnlockedVault, UndoPlan) {
        let vault = try await beginChanging(for: client)
        defer { endChanging() }
        guard let last = importRecord.newest(of: vault) else {
            throw ProtocolError(.notFound, "There is no import to take back.")
        }
        let plan = try answering { () throws(VaultError) in try UndoPlan(last, in: vault) }
        let batch = try answering { () throws(VaultError) in try vault.beginBatch() }
        defer { batch.abandon() }
        for (number, step) in plan.steps.enumerated() {
            try answering { () throws(VaultError) in _ = try batch.make(try step.change(in: vault)) }
            if number % Self.importStep == Self.importStep - 1 { try await giveWay(vault) }
        }
        try answering { () throws(VaultError) in _ = try batch.commit() }
        return (vault, plan)
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
        // So many take the identity store a while: who imports need not wait for it.
        surroundings.onIdentityJob(.bringInStep)
    }
}
