import CredentialExchange
import ExchangePackages
import SecretDocuments

/// What of an item a request asks for.
struct RequestedItem {
    /// The item; nil where nothing of it is asked for.
    let item: ExchangeItem?
    /// What is not asked for, in sentences.
    let losses: [String]

    /// The part of `item` that `request` asks for: credentials of its types, extensions that it reads.
    init(_ item: ExchangeItem, by request: ExchangeRequest) {
        var (part, losses) = (item, [String]())
        if let types = request.types.map(Set.init) {
            let credentials = item.credentials
            let kept = credentials.filter { types.contains($0.type.rawValue) }
            let others = Set(credentials.map(\.type.rawValue)).subtracting(types).sorted()
            if !others.isEmpty { losses.append("The request doesn't ask for \(others.joined(separator: ", ")).") }
            guard !kept.isEmpty || credentials.isEmpty else {
                (self.item, self.losses) = (nil, losses)
                return
            }
            part.object["credentials"] = .array(kept.map { .object($0.object) })
        }
        if let known = request.extensions.map(Set.init), let elements = item.object["extensions"]?.elements {
            let kept = elements.filter { known.contains($0.object?.publicText("name") ?? "") }
            part.object["extensions"] = kept.isEmpty ? nil : .array(kept)
        }
        (self.item, self.losses) = (part, losses)
    }
}
