package import KeywayCrypto

/// The slow half of a change of the master password: a value that can be taken to any thread.
package struct MasterPasswordChange: Sendable {
    /// The slot that the password until now opens.
    let present: PasswordSlot
    fileprivate let keys: VaultKeys
    fileprivate let derivation: PasswordDerivation
    fileprivate let random: any RandomSource

    /// Checks the old password and seals the vault key under the new one; takes two derivations.
    ///
    /// - Throws: `wrongPassword` when `old` is not the password; `invalid` when `new` is empty; `outOfMemory`.
    package func derive(old: SecretBytes, new: SecretBytes) throws(VaultError) -> PasswordSlot {
        guard try present.open(old).bytes == keys.rootBytes else {
            throw VaultError(.damaged, "the password slot holds another key")
        }
        return try keys.slot(password: new, derivation: derivation, random: random)
    }
}

extension UnlockedVault {
    /// Makes the master password another one. The vault key stays; the old password opens nothing afterwards, but it
    /// still opens older copies of the file. A server takes the three steps apart, to derive outside of its actor.
    ///
    /// - Parameter derivation: the new cost; nil keeps the present one. Never weaker than that.
    /// - Throws: as the three steps; nothing was changed then.
    package func changeMasterPassword(
        old: SecretBytes, new: SecretBytes, derivation: PasswordDerivation? = nil
    ) throws(VaultError) {
        let change = try prepareMasterPasswordChange(derivation: derivation)
        try apply(change, try change.derive(old: old, new: new))
    }

    /// The first step: what the second one, ``MasterPasswordChange/derive(old:new:)``, needs.
    ///
    /// - Throws: `locked`, `weakDerivation` for a cost under the present one, `excessiveDerivation`.
    package func prepareMasterPasswordChange(
        derivation: PasswordDerivation? = nil
    ) throws(VaultError) -> MasterPasswordChange {
        let contents = try opened()
        let present = try contents.header.passwordSlot()
        let wanted = derivation ?? present.derivation
        guard wanted.memoryMiB >= present.derivation.memoryMiB, wanted.passes >= present.derivation.passes else {
            throw VaultError(.weakDerivation, "the derivation would become weaker than it is", place: place)
        }
        return MasterPasswordChange(
            present: present, keys: contents.keys, derivation: wanted, random: environment.random)
    }

    /// The third step: stores the slot that the second one made.
    ///
    /// - Throws: `locked`; `conflict` when the password was changed since the first step, or the file by somebody else;
    ///   `storage`, `storageFull`.
    package func apply(_ change: MasterPasswordChange, _ slot: PasswordSlot) throws(VaultError) {
        let contents = try opened()
        guard try contents.header.passwordSlot() == change.present else {
            throw VaultError(.conflict, "the master password was changed meanwhile", place: place)
        }
        var header = contents.header
        header.replacePasswordSlot(slot)
        let bytes = header.bytes(under: contents.keys.header)
        try self.change { (writer, manifest) throws(VaultError) in
            manifest.headerCode = VaultHeader.code(bytes)
            try writer.put(header: bytes)
        }
        contents.header = header
    }
}
