package import SecretDocuments

/// A structure of CXF: an object of JSON whose members this version knows by name, and which keeps all others as they are.
package protocol ExchangeStructure: Sendable, Equatable {
    /// Everything that was read, or is written.
    var object: JSONObject { get set }
    /// The structure that an object is.
    init(_ object: JSONObject)
}

extension ExchangeStructure {
    /// Text that is no secret; setting nil removes the member.
    func text(_ name: String) -> String? { object[name]?.publicText }

    /// A time in whole seconds since 1970 as it is written: fractions are cut off, and exporters err in the epoch.
    func time(_ name: String) -> Int64? { object[name]?.integer }

    /// The structures in an array; what is no object there is passed over.
    func list<Structure: ExchangeStructure>(_ name: String, _ type: Structure.Type) -> [Structure] {
        (object[name]?.elements ?? []).compactMap { $0.object.map(Structure.init) }
    }

    /// The texts in an array.
    func texts(_ name: String) -> [String] { (object[name]?.elements ?? []).compactMap(\.publicText) }
}

/// The top of a document: who wrote it and when (CXF 1.0, "Header"). Its accounts are read and written one by one.
package struct ExchangeHeader: ExchangeStructure {
    package var object: JSONObject

    package init(_ object: JSONObject) { self.object = object }

    /// The header of a document of ours.
    ///
    /// - Parameters:
    ///   - exporter: the relying party identifier of the exporting product, a domain.
    ///   - displayName: its name for people.
    ///   - timestamp: seconds since 1970.
    package init(exporter: String, displayName: String, timestamp: Int64) {
        object = JSONObject([
            .init("version", .object(JSONObject([.init("major", .integer(1)), .init("minor", .integer(0))]))),
            .init("exporterRpId", .text(exporter)),
            .init("exporterDisplayName", .text(displayName)),
            .init("timestamp", .integer(timestamp)),
        ])
    }

    /// The major version; nil where none is stated.
    package var major: Int64? { object["version"]?.object?["major"]?.integer }
    /// The minor version.
    package var minor: Int64? { object["version"]?.object?["minor"]?.integer }
    /// The relying party identifier of the exporting product, as it claims; empty where none is stated.
    package var exporter: String { text("exporterRpId") ?? "" }
    /// The product's name for people, as it claims.
    package var displayName: String { text("exporterDisplayName") ?? "" }
    /// When the document was made, in seconds since 1970.
    package var timestamp: Int64? { time("timestamp") }
}

/// An account of the manager that exported (CXF 1.0, "Account"), without its items, which are read and written one by one.
package struct ExchangeAccount: ExchangeStructure {
    package var object: JSONObject

    package init(_ object: JSONObject) { self.object = object }

    /// An account of ours.
    package init(id: String, userName: String = "", email: String = "", collections: [ExchangeCollection] = []) {
        object = JSONObject([
            .init("id", .text(id)), .init("username", .text(userName)), .init("email", .text(email)),
            .init("collections", .array(collections.map { .object($0.object) })),
        ])
    }

    /// Its identifier.
    package var id: String { text("id") ?? "" }
    /// What the manager calls the account.
    package var userName: String { text("username") ?? "" }
    /// Its mail address.
    package var email: String { text("email") ?? "" }
    /// Its collections.
    package var collections: [ExchangeCollection] { list("collections", ExchangeCollection.self) }
}

/// A collection: a folder or a vault that links to items (CXF 1.0, "Collection").
package struct ExchangeCollection: ExchangeStructure {
    package var object: JSONObject

    package init(_ object: JSONObject) { self.object = object }

    /// A collection of ours.
    package init(id: String, title: String, items: [ExchangeLink], subCollections: [ExchangeCollection] = []) {
        object = JSONObject([
            .init("id", .text(id)), .init("title", .text(title)),
            .init("items", .array(items.map { .object($0.object) })),
        ])
        if !subCollections.isEmpty { object["subCollections"] = .array(subCollections.map { .object($0.object) }) }
    }

    /// Its identifier.
    package var id: String { text("id") ?? "" }
    /// Its name.
    package var title: String { text("title") ?? "" }
    /// The items in it.
    package var items: [ExchangeLink] { list("items", ExchangeLink.self) }
    /// The collections in it.
    package var subCollections: [ExchangeCollection] { list("subCollections", ExchangeCollection.self) }
}

/// A link to an item (CXF 1.0, "LinkedItem").
package struct ExchangeLink: ExchangeStructure {
    package var object: JSONObject

    package init(_ object: JSONObject) { self.object = object }

    /// A link of ours, to an item of the same account.
    package init(item: String) { object = JSONObject([.init("item", .text(item))]) }

    /// The item's identifier.
    package var item: String { text("item") ?? "" }
    /// The account of the item; nil for the one around the link.
    package var account: String? { text("account") }
}

/// An item (CXF 1.0, "Item").
package struct ExchangeItem: ExchangeStructure {
    package var object: JSONObject

    package init(_ object: JSONObject) { self.object = object }

    /// An item of ours.
    package init(id: String, title: String, credentials: [ExchangeCredential] = []) {
        object = JSONObject([
            .init("id", .text(id)), .init("title", .text(title)),
            .init("credentials", .array(credentials.map { .object($0.object) })),
        ])
    }

    /// Its identifier: base64url, opaque.
    package var id: String {
        get { text("id") ?? "" }
        set { object["id"] = .text(newValue) }
    }
    /// Its title.
    package var title: String { text("title") ?? "" }
    /// A second line below the title.
    package var subtitle: String? { text("subtitle") }
    /// When it was made, in seconds since 1970, as the document says it.
    package var created: Int64? { time("creationAt") }
    /// When it was last changed, likewise.
    package var modified: Int64? { time("modifiedAt") }
    /// Whether it is a favourite.
    package var isFavorite: Bool { object["favorite"]?.boolean ?? false }
    /// Where its credentials may be used: URLs, or bare hosts as some exporters write them.
    package var urls: [String] { scope.map { $0.texts("urls") } ?? [] }
    /// The Android apps that it is for, by the names of their packages.
    package var androidApps: [String] {
        scope.map { $0.list("androidApps", ExchangeLink.self).compactMap { $0.text("bundleId") } } ?? []
    }
    /// Words to find it by.
    package var tags: [String] { texts("tags") }
    /// What is in it.
    package var credentials: [ExchangeCredential] { list("credentials", ExchangeCredential.self) }

    private var scope: ExchangeLink? { object["scope"]?.object.map(ExchangeLink.init) }

    /// The times as they were meant. Some exporters count from 1970 and then add the distance to 2001; some write
    /// milliseconds; some write what stands for no time.
    ///
    /// - Parameter now: when the document was made, or now: nothing in it is from more than a year later.
    package static func corrected(_ time: Int64?, now: Int64) -> Int64? {
        guard let time, time > 0 else { return nil }
        let latest = now + 366 * 86_400
        if time <= latest { return time }
        // Seconds from 1970 to 2001.
        let shifted = time - 978_307_200
        if shifted <= latest { return shifted }
        return time / 1000 <= latest && time / 1000 > 100_000_000 ? time / 1000 : nil
    }
}
