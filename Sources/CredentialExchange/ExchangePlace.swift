package import SecretDocuments

/// Where an item lies: the collections around it, the outermost first (CXF 1.0, "Collection").
package struct ExchangePlace: Sendable, Equatable {
    /// The collections, each without its items and without the collections in it.
    package let path: [ExchangeCollection]
    /// What the innermost one says of the item beside its identifier; nothing, as a rule.
    package let link: JSONObject

    /// A place by its parts.
    package init(path: [ExchangeCollection], link: JSONObject = JSONObject()) {
        self.path = path
        self.link = link
    }

    /// The names of the collections, without empty ones.
    package var titles: [String] { path.map(\.title).filter { !$0.isEmpty } }

    /// A place as an object, with members that say more of it.
    package func object(and others: [JSONObject.Member] = []) -> JSONObject {
        var members = [JSONObject.Member("path", .array(path.map { .object($0.object) }))]
        if !link.members.isEmpty { members.append(.init("link", .object(link))) }
        return JSONObject(members + others)
    }

    /// Reads what ``object(and:)`` made; nil for anything else.
    package init?(_ object: JSONObject) {
        let path = (object["path"]?.elements ?? []).compactMap(\.object).map { ExchangeCollection($0) }
        guard !path.isEmpty, path.count <= ExchangePlaces.deepest else { return nil }
        self.init(path: path, link: object["link"]?.object ?? JSONObject())
    }
}

/// Where the items of a document lie, by the collections of all its accounts: they may link to items of others.
package struct ExchangePlaces: Sendable {
    /// Collections deeper than this are passed over.
    static let deepest = 64

    private var places: [String: [String: [ExchangePlace]]] = [:]

    /// The places that the collections of these accounts give.
    package init(_ accounts: [ExchangeAccount] = []) {
        for account in accounts { take(account.collections, of: account.id, []) }
    }

    /// The places of an item, in the order in which they stand in the document.
    package subscript(account: String, item: String) -> [ExchangePlace] { places[account]?[item] ?? [] }

    private mutating func take(_ collections: [ExchangeCollection], of account: String, _ path: [ExchangeCollection]) {
        guard path.count < Self.deepest else { return }
        for collection in collections {
            var bare = collection
            (bare.object["items"], bare.object["subCollections"]) = (nil, nil)
            let path = path + [bare]
            for link in collection.items {
                // Whose item it is goes without saying where everything is in one account.
                let rest = JSONObject(link.object.members.filter { !["item", "account"].contains($0.name) })
                places[link.account ?? account, default: [:]][link.item, default: []]
                    .append(ExchangePlace(path: path, link: rest))
            }
            take(collection.subCollections, of: account, path)
        }
    }
}

/// Collections put together again from where each item lies.
package struct CollectionTree {
    private final class Node {
        var collection: ExchangeCollection
        var links: [ExchangeLink] = []
        var inner: [Node] = []
        var numbers: [String: Int] = [:]

        init(_ collection: ExchangeCollection) { self.collection = collection }

        /// The collection in this one that is the same, or a new one.
        func node(for collection: ExchangeCollection) -> Node {
            // Without an identifier it goes by its name.
            let key = collection.id.isEmpty ? "\n" + collection.title : collection.id
            if let number = numbers[key] { return inner[number] }
            numbers[key] = inner.count
            let node = Node(collection)
            inner.append(node)
            return node
        }

        var whole: ExchangeCollection {
            var whole = collection
            whole.object["items"] = .array(links.map { .object($0.object) })
            if !inner.isEmpty { whole.object["subCollections"] = .array(inner.map { .object($0.whole.object) }) }
            return whole
        }
    }

    private let root = Node(ExchangeCollection(JSONObject()))

    /// Collections that have no items yet.
    package init() {}

    /// Puts an item where it lies.
    package func add(_ item: String, at place: ExchangePlace) {
        let node = place.path.reduce(root) { $0.node(for: $1) }
        var link = ExchangeLink(item: item)
        link.object = JSONObject(link.object.members + place.link.members)
        node.links.append(link)
    }

    /// The outermost collections.
    package var collections: [ExchangeCollection] { root.inner.map(\.whole) }
}
