package import CredentialExchange
import FoundationEssentials
import KeywayCrypto
import SecretDocuments
import ServiceMatching
package import Vault

/// Turns items of a document into what the vault stores. What the vault has no field for becomes a section, and comes out
/// again as it was.
package struct ItemReader {
    /// Who has a passkey already.
    package enum Holder: Sendable, Equatable {
        /// An item of the vault.
        case stored(ItemID)
        /// Another item of the document.
        case document
    }

    /// What an item may hold.
    let limits: ItemLimits
    /// When the document was made, in seconds since 1970: nothing in it is younger.
    let now: Int64
    /// The account whose items these are, by its identifier; empty where it has none.
    let account: String
    /// Where the items of the document lie.
    let places: ExchangePlaces
    /// Who has a passkey already, by its credential ID; nil where nobody has.
    let holder: ([UInt8]) -> Holder?
    /// What is in a file, by its SHA-256; nil where it isn't there.
    let content: ([UInt8]) -> FileContent?

    /// A reader for items of one account.
    package init(
        limits: ItemLimits, now: Int64, account: String = "", places: ExchangePlaces = ExchangePlaces(),
        holder: @escaping ([UInt8]) -> Holder? = { _ in nil },
        content: @escaping ([UInt8]) -> FileContent? = { _ in nil }
    ) {
        self.content = content
        self.limits = limits
        self.now = now
        self.account = account
        self.places = places
        self.holder = holder
    }

    /// The item that the vault would store.
    ///
    /// - Throws: ``VaultExchangeError``.
    package func read(_ item: ExchangeItem) throws(VaultExchangeError) -> ImportedItem {
        var builder = ItemBuilder(limits: limits, holder: holder, content: content)
        var origin = ImportOrigin(item)
        if origin.place.isEmpty {
            // Nobody has read it before: the document says it all.
            (origin.account, origin.places) = (account, places[account, item.id])
        }
        try builder.take(item, origin, now: now)
        if let credentials = item.object["credentials"], !credentials.isNull {
            guard let elements = credentials.elements else {
                throw VaultExchangeError(.malformed, "The item's credentials are no list.")
            }
            guard elements.allSatisfy({ $0.object != nil }) else {
                throw VaultExchangeError(.malformed, "A credential of the item is no object.")
            }
            for part in item.parts { try builder.take(part) }
        }
        return try builder.finish()
    }
}
