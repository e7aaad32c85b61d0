import CredentialExchange
import SecretDocuments
import Vault

extension ItemBuilder {
    /// The collections that an item lies in: each is a tag, by which people find it here, and is kept for export. Who takes
    /// the tag away takes the item out of the collection.
    mutating func takePlaces(_ places: [ExchangePlace], ownTags: [String]) {
        guard !places.isEmpty else { return }
        var tags = draft.tags
        keep(
            KeptMember.collections,
            .array(
                places.map { place in
                    var members: [JSONObject.Member] = []
                    if let tag = tag(of: place) {
                        if !tags.contains(tag), tags.count < limits.tags { tags.append(tag) }
                        if tags.contains(tag) { members.append(.init(KeptPlace.tag, .text(tag))) }
                        if ownTags.contains(tag) { members.append(.init(KeptPlace.isOwn, .boolean(true))) }
                    }
                    return .object(place.object(and: members))
                }))
        draft.tags = tags
    }

    /// The path of a place as a tag; nil for one that is too long.
    private func tag(of place: ExchangePlace) -> String? {
        let path = place.titles.joined(separator: "/")
        let tag = String(String.UnicodeScalarView(path.unicodeScalars.map { $0.isControl ? " " : $0 }))
        let fits = tag.count <= limits.tagCharacters && tag.utf8.count <= limits.tagCharacters * 4
        return tag.isEmpty || !fits ? nil : tag
    }
}

/// A collection that an item lay in, as it is kept.
struct KeptPlace {
    /// The member with the tag that it is here.
    static let tag = "tag"
    /// The member that says that the item had that tag itself, too.
    static let isOwn = "own"

    /// The collection.
    let place: ExchangePlace
    /// The tag; nil where it is none.
    let tag: String?
    /// Whether the item had that tag itself, too.
    let isOwn: Bool

    init?(_ value: JSONValue) {
        guard let object = value.object, let place = ExchangePlace(object) else { return nil }
        self.place = place
        tag = object[Self.tag]?.publicText
        isOwn = object[Self.isOwn]?.boolean ?? false
    }
}
