import PassEntries

/// Keeps what the system suggests in step with the store.
///
/// From names alone comes what names say. What an entry says of itself (its user, its other services, that it has codes)
/// is learnt when it is decrypted for a request, and remembered where it is of use and sealed: in the system's identity
/// store, which is read back for the next comparison. No file of the provider's own holds any of it.
struct IdentityUpdates: Sendable {
    private let system: any SystemIdentities

    /// Updates of `system`.
    init(_ system: any SystemIdentities) {
        self.system = system
    }

    /// What is remembered of each entry.
    func remembered() async -> [EntryName: [StoreIdentity]] {
        Dictionary(grouping: await system.all(), by: \.name)
    }

    /// Whether the system holds nothing, though it would.
    func isWiped() async -> Bool {
        let state = await system.state()
        return state.isEnabled && !state.holdsAny
    }

    /// Brings the system's store in step with the names that there are: adds entries that are new, and removes those
    /// that are gone.
    ///
    /// - Returns: false when the provider is turned off, so that nothing is kept.
    /// - Throws: what the system threw; then it is to be tried again.
    @discardableResult
    func update(_ names: [EntryName]) async throws -> Bool {
        let state = await system.state()
        guard state.isEnabled else { return false }
        guard state.holdsAny else {
            let identities = names.flatMap(StoreIdentity.named)
            if !identities.isEmpty { try await system.replace(identities) }
            return true
        }
        let held = await remembered()
        let present = Set(names)
        let gone = held.filter { !present.contains($0.key) }.flatMap(\.value)
        let new = names.filter { held[$0] == nil }.flatMap(StoreIdentity.named)
        if !gone.isEmpty { try await system.remove(gone) }
        if !new.isEmpty { try await system.save(new) }
        return true
    }

    /// Makes everything anew, for another store.
    ///
    /// - Throws: as ``update(_:)``.
    func replace(_ names: [EntryName]) async throws {
        guard await system.state().isEnabled else { return }
        try await system.replace(names.flatMap(StoreIdentity.named))
    }

    /// Remembers what entries say of themselves that are new. What cannot be written now is learnt again.
    func learn(new entries: [(name: EntryName, contents: EntryContents)]) async {
        guard await system.state().isEnabled else { return }
        let identities = entries.flatMap { StoreIdentity.read($0.name, $0.contents) }
        if !identities.isEmpty { try? await system.save(identities) }
    }

    /// Remembers what an entry said of itself when it was decrypted. What cannot be written now is learnt again.
    func learn(_ name: EntryName, _ contents: EntryContents) async {
        await learn(name, StoreIdentity.read(name, contents))
    }

    /// Remembers the identities that an entry was found to have.
    func learn(_ name: EntryName, _ identities: [StoreIdentity]) async {
        guard await system.state().isEnabled else { return }
        let new = Set(identities)
        let old = Set(await system.all().filter { $0.name == name })
        let (gone, added) = (old.subtracting(new), new.subtracting(old))
        do {
            if !added.isEmpty { try await system.save(Array(added)) }
            if !gone.isEmpty { try await system.remove(Array(gone)) }
        } catch {
            return
        }
    }
}
