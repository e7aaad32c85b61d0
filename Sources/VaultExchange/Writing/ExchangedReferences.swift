import CredentialExchange
import SecretDocuments
package import Vault

/// Where the items of a document are that others refer to: they may come from several documents, in which the same
/// identifiers stand for other items.
package struct ExchangedReferences: Sendable {
    private struct Source: Hashable {
        let account: String
        let item: String
    }

    private var taken: Set<String> = []
    private var items: [Source: String] = [:]

    /// No items yet.
    package init() {}

    /// Notes the next item of the document.
    ///
    /// - Parameter sections: at least those of its sections that keep what the vault has no field for.
    package mutating func note(_ item: ItemID, _ sections: [ItemSection]) {
        let kept = KeptItem(sections)
        let id = kept.identifier(of: item, taken)
        taken.insert(id)
        guard let former = kept.text("id") else { return }
        // Of the same item twice the first counts.
        let source = Source(account: kept.text(KeptMember.account) ?? "", item: former)
        if items[source] == nil { items[source] = id }
    }

    /// A reference that leads to the same item in the document, which is one account; to one that isn't in it, as it was.
    func resolving(_ credential: JSONObject, from account: String?) -> JSONObject {
        guard let link = ExchangeCredential(credential).reference,
            let id = items[Source(account: link.account ?? account ?? "", item: link.item)]
        else { return credential }
        var (object, credential) = (link.object, credential)
        object["item"] = .text(id)
        object["account"] = nil
        credential["reference"] = .object(object)
        return credential
    }
}
