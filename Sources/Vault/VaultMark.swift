package import KeywayCrypto

extension SecretKey {
    /// The name of the vault whose key this is (`Docs/vault-format.md`, "Keys"): 64 hexadecimal digits. Nobody makes a vault
    /// that has the name of another one, whatever they copy from its file, and the name says nothing of the key.
    package var vaultMark: String {
        let key = derive(7, context: "KWVault1")
        return key.hash([], count: 32).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

extension UnlockedVault {
    /// The vault's name; another one once its key was renewed.
    ///
    /// - Throws: `locked`.
    package var mark: String {
        get throws(VaultError) { try opened().keys.rootKey.vaultMark }
    }
}
