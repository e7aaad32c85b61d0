package import KeywayCrypto

/// Making vaults. To use one that exists, see ``LockedVault``.
package enum Vault {
    /// Makes a new, empty vault file with mode 0600; folders on the way are made with mode 0700.
    ///
    /// - Returns: the vault key, with which ``LockedVault/unlock(with:acceptingRollback:)`` opens it without another
    ///   derivation.
    /// - Throws: `exists` when there is anything at that path; `invalid` for an empty password; `weakDerivation`,
    ///   `excessiveDerivation`, `outOfMemory`; `storage`, `storageFull`. Nothing is left behind then.
    @discardableResult
    package static func create(
        at path: String, password: SecretBytes, derivation: PasswordDerivation = .standard,
        environment: VaultEnvironment
    ) throws(VaultError) -> SecretKey {
        let vault = VaultID(random: environment.random)
        let key = SecretKey(random: environment.random)
        let slot = try PasswordSlot(
            sealing: key, of: vault, password: password, derivation: derivation, random: environment.random)
        let (header, manifest) = seal(vault, key, slot, environment.random)
        try VaultFile.create(at: path, random: environment.random) { (draft) throws(VaultError) in
            try SQLiteStore.create(at: draft, header: header, manifest: manifest)
        }
        return key
    }

    /// The header and the sealed manifest of an empty vault.
    static func seal(
        _ vault: VaultID, _ key: SecretKey, _ slot: PasswordSlot, _ random: any RandomSource
    ) -> (header: [UInt8], manifest: [UInt8]) {
        let keys = VaultKeys(key, of: vault)
        let header = VaultHeader(vault: vault, slots: [.password(slot)]).bytes(under: keys.header)
        let manifest = Manifest(
            epoch: 1, count: 0, records: MultisetHash(), headerCode: VaultHeader.code(header))
        return (header, keys.seal(manifest, random: random))
    }
}
