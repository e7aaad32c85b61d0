package import AutoFillProtocol
package import Vault

/// Where the identities come from, a part at a time, so that a large vault is never copied as a whole.
package protocol IdentitySource: Sendable {
    /// The state of the open vault; nil while it is locked.
    func identityMark() async -> IdentityMark?
    /// All items; nil while the vault is locked.
    func itemIdentifiers() async -> [ItemID]?
    /// The identities of those of `items` that are still there; nil while the vault is locked.
    func identities(of items: ArraySlice<ItemID>) async -> [CredentialIdentity]?
}
