import AutoFillProtocol
import FoundationEssentials
import KeywaySystem
import Vault

/// Keeps the broker's identity store in step with the vault: changes one by one, everything where the store holds
/// nothing or another state, nothing where there is no vault.
///
/// An unlock never waits for it. What state the store holds is noted in a file, so that an unlock need not read it back.
package actor IdentitySync {
    private let store: any SuggestionStore
    private let source: any IdentitySource
    private let markPath: String
    private let tryLater: @Sendable () -> Void
    private let log: ServiceLog
    private var held: IdentityMark?
    /// Whether ``held`` does not stand in the file yet.
    private var isUnnoted = false
    private var heldNothing = false
    private var isWaiting = false

    /// A sync from `source` to `store`, which notes its state in the file at `markPath`.
    ///
    /// - Parameter tryLater: is called when the store is busy or locked; asks for ``IdentityJob/bringInStep`` after a
    ///   while.
    package init(
        store: any SuggestionStore, source: any IdentitySource, markPath: String, log: ServiceLog,
        tryLater: @escaping @Sendable () -> Void = {}
    ) {
        self.tryLater = tryLater
        self.store = store
        self.source = source
        self.markPath = markPath
        self.log = log
    }

    /// Works through `jobs` until they end.
    package func run(_ jobs: AsyncStream<IdentityJob>) async {
        held = readMark()
        for await job in jobs {
            await perform(job, notesLater: true)
            // Who waited for the store was told by now, and does not wait for this.
            if case .report = job { writeMark() }
        }
        writeMark()
    }

    /// Does one job; a failure is logged and made good by the next one.
    ///
    /// - Parameter notesLater: whether what a change came to is written down by the caller.
    func perform(_ job: IdentityJob, notesLater: Bool = false) async {
        if case .report(let done) = job { return done() }
        defer {
            if case .change = job, notesLater {} else { writeMark() }
        }
        if case .bringInStep = job { isWaiting = false }
        do throws(ProtocolError) {
            let state = try await store.state()
            guard state.isEnabled else { return note(nil) }
            switch job {
            case .bringInStep: try await bringInStep(state)
            case .change(let change): try await apply(change, state)
            case .vaultIsMissing: try await empty(state)
            case .report: break
            }
        } catch {
            note(nil)
            // Without a provider that is on there is nothing to suggest; without a broker there is nobody to tell.
            guard ![.disabled, .connectionClosed, .cancelled].contains(error.code) else { return }
            if error.code == .busy || error.code == .locked {
                // Once in a row is enough to be said.
                if isWaiting { return }
                isWaiting = true
                tryLater()
            }
            log("The identity store was not written: \(error.message)")
        }
    }

    // MARK: - Jobs

    private func bringInStep(_ state: IdentityStoreState.Result) async throws(ProtocolError) {
        guard let mark = await source.identityMark() else { return }
        if held == mark && (state.supportsIncrementalUpdates || heldNothing) { return }
        try await replaceAll(mark)
    }

    private func apply(_ change: IdentityChange, _ state: IdentityStoreState.Result) async throws(ProtocolError) {
        guard held != nil, state.supportsIncrementalUpdates || heldNothing else { return try await bringInStep(state) }
        // Until this is done the note tells of a vault of before the change: whoever reads it sends everything.
        if held == change.mark { note(nil) }
        if !change.removed.isEmpty {
            _ = try await store.write(.init(operation: .remove, identities: change.removed))
        }
        if !change.saved.isEmpty { _ = try await store.write(.init(operation: .save, identities: change.saved)) }
        heldNothing = heldNothing && change.saved.isEmpty
        note(change.mark)
    }

    private func empty(_ state: IdentityStoreState.Result) async throws(ProtocolError) {
        if state.supportsIncrementalUpdates { _ = try await store.write(.init(operation: .replace, identities: [])) }
        note(nil)
    }

    /// Sends everything, in parts that take effect together. Changes that happen meanwhile come after, as jobs.
    private func replaceAll(_ mark: IdentityMark) async throws(ProtocolError) {
        note(nil)
        guard let items = await source.itemIdentifiers() else { return }
        var waiting: [CredentialIdentity] = []
        var write: Int?
        var count = 0
        for start in stride(from: 0, to: items.count, by: WriteIdentities.Parameters.maximumPart) {
            let end = min(start + WriteIdentities.Parameters.maximumPart, items.count)
            // Locked meanwhile: the broker forgets a write that has no end.
            guard let identities = await source.identities(of: items[start..<end]) else { return }
            waiting += identities
            count += identities.count
            while waiting.count > WriteIdentities.Parameters.maximumPart {
                let part = Array(waiting.prefix(WriteIdentities.Parameters.maximumPart))
                waiting.removeFirst(part.count)
                write = try await store.write(
                    .init(operation: .replace, identities: part, write: write, isLast: false)
                ).write
            }
        }
        _ = try await store.write(.init(operation: .replace, identities: waiting, write: write, isLast: true))
        heldNothing = count == 0
        note(mark)
    }

    // MARK: - What the store holds

    private func note(_ mark: IdentityMark?) {
        guard mark != held else { return }
        held = mark
        isUnnoted = mark != nil
        guard mark == nil else { return }
        heldNothing = false
        try? FileManager.default.removeItem(atPath: markPath)
    }

    private func writeMark() {
        guard isUnnoted, let held else { return }
        isUnnoted = false
        // Whoever finds none, or an older one, sends everything again: nothing is lost with it.
        try? FileContents.replace(markPath, with: Array("\(held)\n".utf8), durability: .none)
    }

    private func readMark() -> IdentityMark? {
        guard let data = FileManager.default.contents(atPath: markPath) else { return nil }
        let words = String(decoding: data, as: UTF8.self).split(whereSeparator: \.isWhitespace)
        guard words.count == 2, let epoch = UInt64(words[1]) else { return nil }
        return IdentityMark(vault: String(words[0]), epoch: epoch)
    }
}
