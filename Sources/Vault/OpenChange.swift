import KeywayCrypto

/// One change of the vault as a whole that is under way: an open transaction under a new epoch. What is done to its manifest
/// counts once it is committed; until then the vault is what it was.
final class OpenChange {
    /// Writes records into the transaction.
    let writer: any SealedTransaction
    /// The manifest that the vault gets.
    var manifest: Manifest
    private let vault: UnlockedVault

    /// Begins a change.
    ///
    /// - Parameter epoch: the least that the new epoch may be.
    /// - Throws: `conflict` where somebody else has changed the file; `damaged`, `locked`, `storage`.
    init(of vault: UnlockedVault, atLeast epoch: UInt64 = 0) throws(VaultError) {
        let contents = try vault.opened()
        self.vault = vault
        manifest = contents.manifest
        manifest.epoch = max(manifest.epoch + 1, epoch)
        writer = try vault.store.transaction(replacing: contents.sealedManifest)
        do throws(VaultError) {
            // A change that is confirmed must be readable later, and without its header no vault is.
            guard try vault.store.header() == contents.header.bytes(under: contents.keys.header) else {
                throw VaultError(.damaged, "the header is not the one that was unlocked", place: vault.place)
            }
        } catch {
            writer.abandon()
            throw error
        }
    }

    deinit { writer.abandon() }

    /// Makes the change durable.
    ///
    /// - Parameter format: the version of the format that holds what was written. A vault of an older one becomes one of this
    ///   in the same transaction, and never goes back.
    /// - Throws: `locked`, `storage`, `storageFull`; nothing was changed then.
    func commit(format: UInt16) throws(VaultError) {
        do throws(VaultError) {
            let contents = try vault.opened()
            var header = contents.header
            if format > header.version {
                header.version = format
                let bytes = header.bytes(under: contents.keys.header)
                manifest.headerCode = VaultHeader.code(bytes)
                try writer.put(header: bytes)
            }
            let sealed = contents.keys.seal(manifest, random: vault.environment.random)
            try writer.put(manifest: sealed)
            try writer.commit()
            contents.header = header
            contents.manifest = manifest
            contents.sealedManifest = sealed
        } catch {
            writer.abandon()
            throw error
        }
        vault.remember(manifest.epoch)
    }

    /// Gives it up: nothing was changed. Does nothing once it is committed.
    func abandon() { writer.abandon() }
}
