package import KeywayCrypto

/// A vault that can be read and changed, until ``lock()``.
///
/// Belongs to one thread at a time: keep it inside one actor. Every change is one durable transaction: when a call
/// returns, its change survives a crash and a power cut; when it throws, nothing was changed. After ``lock()`` every
/// call throws `locked`.
package final class UnlockedVault {
    /// The vault's identifier.
    package let id: VaultID
    /// Why the newest state could not be noted outside of the file, if that failed; the vault itself is not affected.
    package private(set) var epochMemoryError: VaultError?
    let store: any SealedStore
    let environment: VaultEnvironment
    /// The change of the key that is under way, as long as its owner keeps it.
    weak var renewal: KeyRenewal?
    /// The many changes that are under way, likewise.
    weak var batch: ChangeBatch?
    private var contents: VaultContents?

    init(_ id: VaultID, _ store: any SealedStore, _ environment: VaultEnvironment, _ contents: VaultContents) {
        self.id = id
        self.store = store
        self.environment = environment
        self.contents = contents
    }

    /// Where the vault lies, for messages.
    package var place: String { store.place }

    /// Whether ``lock()`` was called.
    package var isLocked: Bool { contents == nil }

    /// Forgets keys and index, and wipes them. Secrets that were handed out live as long as their holders keep them.
    package func lock() {
        contents = nil
        renewal?.abandon()
        batch?.abandon()
        store.tidy()
    }

    /// What is held in memory.
    ///
    /// - Throws: `locked`.
    func opened() throws(VaultError) -> VaultContents {
        guard let contents else { throw VaultError(.locked, "the vault is locked", place: place) }
        return contents
    }

    // MARK: - The state as a whole

    /// The number of the newest change; grows by at least one with each.
    package var epoch: UInt64 {
        get throws(VaultError) { try opened().manifest.epoch }
    }

    /// The cost of the key derivation behind the master password.
    package var derivation: PasswordDerivation {
        get throws(VaultError) { try opened().header.passwordSlot().derivation }
    }

    /// Called once after unlocking: where a person accepted an older state, goes on from after the newest one that was
    /// seen, so that no version number is ever used twice; then notes the state.
    func settle(_ newest: UInt64) throws(VaultError) {
        let contents = try opened()
        if newest > contents.manifest.epoch {
            try change(atLeast: newest + 1) { (_, _) throws(VaultError) in }
        } else {
            remember(contents.manifest.epoch)
        }
    }

    /// Called when everything is under another key, durably.
    func adopt(_ renewed: VaultContents) {
        contents = renewed
        remember(renewed.manifest.epoch)
    }

    /// Copies all that is stored into a file of its own beside `path`; with the key under which the copy can be checked.
    ///
    /// - Throws: `locked`; `damaged`, `storage`, `storageFull`.
    package func copy(beside path: String) throws(VaultError) -> (copy: VaultCopy, key: SecretKey) {
        let contents = try opened()
        return (try VaultCopy(of: store, beside: path, random: environment.random), contents.keys.rootKey)
    }

    // MARK: - Changing

    /// Makes one change: a transaction under a new epoch. What `body` does to the manifest counts once it is durable.
    ///
    /// - Parameter format: the version of the format that holds what `body` wrote, asked for after it. A vault of an older
    ///   one becomes one of this in the same transaction, and never goes back.
    func change<Result>(
        atLeast epoch: UInt64 = 0, format: @autoclosure () -> UInt16 = VaultHeader.versions.lowerBound,
        _ body: (any SealedWriter, inout Manifest) throws(VaultError) -> Result
    ) throws(VaultError) -> Result {
        let change = try OpenChange(of: self, atLeast: epoch)
        defer { change.abandon() }
        let result = try body(change.writer, &change.manifest)
        try change.commit(format: format())
        return result
    }

    func remember(_ epoch: UInt64) {
        do {
            try environment.epochs.remember(epoch, of: id)
            epochMemoryError = nil
        } catch {
            // The change is durable and must not be reported as failed; `doctor` shows this error.
            epochMemoryError = error
        }
    }
}
