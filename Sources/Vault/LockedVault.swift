package import KeywayCrypto
package import KeywaySystem

/// What a vault takes from outside: randomness, the date, and a memory of the newest state that was seen.
package struct VaultEnvironment: Sendable {
    /// Where keys, nonces and identifiers come from.
    package var random: any RandomSource
    /// Whose calendar dates items.
    package var clock: any TimeSource
    /// Notices an older copy of the file.
    package var epochs: any EpochMemory

    /// Makes an environment; there is no default for the memory, because without one a rolled back file goes unnoticed.
    package init(
        epochs: any EpochMemory, random: any RandomSource = SystemRandomSource(),
        clock: any TimeSource = SystemTimeSource()
    ) {
        self.epochs = epochs
        self.random = random
        self.clock = clock
    }
}

/// A vault whose header was read and is valid. Its key is unknown, and nothing in it can be read.
///
/// A server unlocks in two steps: `try slot.open(password)` takes a good part of a second and can run anywhere, since
/// a ``PasswordSlot`` is a value; `unlock(with:)` needs this vault's thread and takes milliseconds.
package final class LockedVault {
    /// The vault's identifier.
    package let id: VaultID
    /// The slot that the master password opens.
    package let slot: PasswordSlot
    let store: any SealedStore
    let environment: VaultEnvironment
    private let headerBytes: [UInt8]

    /// Opens a vault file; it is not changed by that.
    ///
    /// - Throws: `notFound`; `damaged`; `unsupported` for another version, suite or derivation; `weakDerivation` and
    ///   `excessiveDerivation` when the file asks for what is never computed; `storage`.
    package static func open(at path: String, environment: VaultEnvironment) throws(VaultError) -> LockedVault {
        try LockedVault(SQLiteStore(path: path), environment)
    }

    /// Opens a vault in any store.
    ///
    /// - Throws: as ``open(at:environment:)``.
    package init(_ store: any SealedStore, _ environment: VaultEnvironment) throws(VaultError) {
        self.store = store
        self.environment = environment
        headerBytes = try store.header()
        do {
            let header = try headerBytes.lend { (bytes) throws(VaultError) in try VaultHeader(bytes) }
            id = header.vault
            slot = try header.passwordSlot()
            try slot.check()
        } catch {
            throw error.at(store.place)
        }
    }

    /// Derives the key and unlocks; see ``PasswordSlot/open(_:)`` and ``unlock(with:acceptingRollback:)``.
    package func unlock(
        password: SecretBytes, acceptingRollback: Bool = false
    ) throws(VaultError) -> UnlockedVault {
        try unlock(with: try slot.open(password), acceptingRollback: acceptingRollback)
    }

    /// Checks the whole vault under its key and reads the index.
    ///
    /// - Parameter acceptingRollback: whether a person has said that the older state is wanted.
    /// - Throws: `damaged` when anything but a body is not as it was written (a body is checked when it is opened);
    ///   `rolledBack` when this machine has seen a newer state; `conflict`, `storage`.
    package func unlock(
        with key: SecretKey, acceptingRollback: Bool = false
    ) throws(VaultError) -> UnlockedVault {
        do throws(VaultError) {
            let keys = VaultKeys(key, of: id)
            let contents = try store.reading { () throws(VaultError) in try read(keys) }
            let newest = try newestEpoch(acceptingRollback)
            guard contents.manifest.epoch >= newest || acceptingRollback else {
                let seen = newest == .max ? "which state this machine has seen is not known" : "it has seen \(newest)"
                throw VaultError(.rolledBack, "the file is at change \(contents.manifest.epoch), \(seen)")
            }
            let vault = UnlockedVault(id, store, environment, contents)
            try vault.settle(newest == .max ? 0 : newest)
            store.removeDrafts()
            return vault
        } catch {
            throw error.at(store.place)
        }
    }

    /// Copies all that is stored into a file of its own beside `path`; needs no key.
    ///
    /// - Throws: `damaged`, `storage`, `storageFull`.
    package func copy(beside path: String) throws(VaultError) -> VaultCopy {
        try VaultCopy(of: store, beside: path, random: environment.random)
    }

    /// The newest epoch that was seen; the highest number when that cannot be told and nobody has accepted it.
    private func newestEpoch(_ acceptingRollback: Bool) throws(VaultError) -> UInt64 {
        do {
            return try environment.epochs.newest(of: id) ?? 0
        } catch {
            return acceptingRollback ? environment.epochs.newestKnown(of: id) ?? 0 : .max
        }
    }

    private func read(_ keys: VaultKeys) throws(VaultError) -> VaultContents {
        guard try store.header() == headerBytes else {
            throw VaultError(.conflict, "the header was changed since it was read")
        }
        guard VaultHeader.isAuthentic(headerBytes, under: keys.header) else {
            throw VaultError(.damaged, "the header does not belong to its key")
        }
        let sealed = try store.manifest()
        let manifest = try keys.openManifest(sealed)
        guard manifest.headerCode == VaultHeader.code(headerBytes) else {
            throw VaultError(.damaged, "the header is not the one that the manifest names")
        }
        let header = try headerBytes.lend { (bytes) throws(VaultError) in try VaultHeader(bytes) }
        let index = try IndexReader(keys, manifest).read(store)
        return VaultContents(header: header, keys: keys, manifest: manifest, sealedManifest: sealed, index: index)
    }
}
