package import KeywayCrypto

extension UnlockedVault {
    /// The number of the change that wrote an item last, as ``ChangeBatch/commit(_:)`` returns it; nil for an item that
    /// is not there.
    package func version(of item: ItemID) throws(VaultError) -> UInt64? { try opened().index.version(of: item) }

    // MARK: - Notes beside the vault

    /// Seals bytes that lie beside the vault, and that nobody but this vault can read or make.
    ///
    /// - Throws: `locked`.
    package func sealNote(_ bytes: SecretBytes) throws(VaultError) -> [UInt8] {
        try opened().keys.sealNote(bytes, random: environment.random)
    }

    /// Opens what ``sealNote(_:)`` sealed.
    ///
    /// - Throws: `damaged` for anything else, also after the key of the vault was renewed; `locked`.
    package func openNote(_ sealed: [UInt8]) throws(VaultError) -> SecretBytes {
        try opened().keys.openNote(sealed)
    }
}
