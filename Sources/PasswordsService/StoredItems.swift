import Vault

// `Vault` and `PasswordsProtocol` both speak of items, fields and summaries. Here those of the vault are the stored ones;
// the module cannot be named in front of them, because a type of it has the same name.

/// What the vault shows of an item.
typealias StoredSummary = ItemSummary
/// A field as the vault keeps it.
typealias StoredField = CustomField
