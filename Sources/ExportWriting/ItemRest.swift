import CredentialExchange
import SecretDocuments

/// What stands in an item of a document and in no record: it has no place in any other format.
enum ItemRest {
    /// It in sentences.
    static func losses(of item: ExchangeItem) -> [String] {
        var losses: [String] = []
        if item.subtitle?.isEmpty == false { losses.append("Its subtitle is left out.") }
        let extensions = (item.object["extensions"]?.elements ?? []).compactMap(\.object)
        let own = extensions.filter { $0.publicText("name") == ImportOrigin.name }
        if own.contains(where: { $0.publicText("use") == "forms" }) {
            losses.append("That its password is for forms alone is left out.")
        }
        if own.count < extensions.count { losses.append("What another program noted of it is left out.") }
        return losses
    }
}
