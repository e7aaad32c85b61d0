package import KeywayCrypto

/// The slow half of a change of the vault key: a value that can be taken to any thread.
package struct MasterPasswordChange: Sendable {
    /// The slot that the password until now opens.
    let present: PasswordSlot
    fileprivate let vault: VaultID
    fileprivate let key: SecretBytes
    fileprivate let derivation: PasswordDerivation
    fileprivate let random: any RandomSource

    /// Checks the old password and seals a new vault key under the new one; takes two derivations.
    ///
    /// - Throws: `wrongPassword` when `old` is not the password; `invalid` when `new` is empty; `outOfMemory`.
    package func derive(old: SecretBytes, new: SecretBytes) throws(VaultError) -> RenewedKey {
        guard try present.open(old).bytes == key else {
            throw VaultError(.damaged, "the password slot holds another key")
        }
        let root = SecretKey(random: random)
        let slot = try PasswordSlot(
            sealing: root, of: vault, password: new, derivation: derivation, random: random)
        return RenewedKey(present: present, slot: slot, keys: VaultKeys(root, of: vault))
    }
}

/// A new vault key that nothing is sealed under yet.
package struct RenewedKey: Sendable {
    /// The slot that the password until now opens.
    fileprivate let present: PasswordSlot
    /// The slot that the new password opens, and that holds the new key.
    package let slot: PasswordSlot
    let keys: VaultKeys
}

extension UnlockedVault {
    /// Makes the master password another one, and the vault key too: all that is stored is sealed anew. The old password
    /// opens older copies of the file, and nothing that is written from now on. A server takes the steps apart, to derive
    /// outside of its actor and to answer others meanwhile.
    ///
    /// - Parameter derivation: the new cost; nil keeps the present one. Never weaker than that.
    /// - Throws: as the steps; nothing was changed then.
    package func changeMasterPassword(
        old: SecretBytes, new: SecretBytes, derivation: PasswordDerivation? = nil
    ) throws(VaultError) {
        let change = try prepareMasterPasswordChange(derivation: derivation)
        let renewal = try renewal(to: try change.derive(old: old, new: new))
        while try !renewal.step(1000) {}
        try renewal.finish()
    }

    /// The first step: what the second one, ``MasterPasswordChange/derive(old:new:)``, needs.
    ///
    /// - Throws: `locked`; `weakDerivation` for a cost under the present one, `excessiveDerivation`; `unsupported` where a
    ///   newer version has made another way to the key, which would no longer open anything.
    package func prepareMasterPasswordChange(
        derivation: PasswordDerivation? = nil
    ) throws(VaultError) -> MasterPasswordChange {
        let contents = try opened()
        let present = try contents.header.passwordSlot()
        guard contents.header.slots.count == 1 else {
            throw VaultError(
                .unsupported, "there are ways to its key that this version cannot renew", place: place)
        }
        let wanted = derivation ?? present.derivation
        guard wanted.memoryMiB >= present.derivation.memoryMiB, wanted.passes >= present.derivation.passes else {
            throw VaultError(.weakDerivation, "the derivation would become weaker than it is", place: place)
        }
        return MasterPasswordChange(
            present: present, vault: id, key: contents.keys.rootBytes, derivation: wanted, random: environment.random)
    }

    /// The third step: begins to seal everything under the key that the second one made.
    ///
    /// - Throws: `locked`; `conflict` when the password was changed since the first step, or the file by somebody else;
    ///   `storage`, `storageFull`.
    package func renewal(to renewed: RenewedKey) throws(VaultError) -> KeyRenewal {
        let contents = try opened()
        guard try contents.header.passwordSlot() == renewed.present else {
            throw VaultError(.conflict, "the master password was changed meanwhile", place: place)
        }
        let target = try store.replacement(of: contents.sealedManifest, random: environment.random)
        let renewal = KeyRenewal(self, contents, renewed, target)
        self.renewal = renewal
        return renewal
    }
}
