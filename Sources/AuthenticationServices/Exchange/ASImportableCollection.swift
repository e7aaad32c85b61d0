public import Foundation

/// A folder: links to items of the account, and folders inside.
public struct ASImportableCollection: Codable, Hashable, Sendable {
    /// What tells the folder from others; at most 64 bytes.
    public var id: Data
    /// When it was made.
    public var created: Date?
    /// When it was changed last.
    public var lastModified: Date?
    /// Its name.
    public var title: String
    /// More about it.
    public var subtitle: String?
    /// What is in it; an item may be in several folders, or in none.
    public var items: [ASImportableLinkedItem]
    /// The folders inside.
    public var subcollections: [ASImportableCollection]

    /// A folder with what is in it.
    public init(
        id: Data, created: Date?, lastModified: Date?, title: String, subtitle: String?,
        items: [ASImportableLinkedItem], subcollections: [ASImportableCollection]
    ) {
        self.id = id
        self.created = created
        self.lastModified = lastModified
        self.title = title
        self.subtitle = subtitle
        self.items = items
        self.subcollections = subcollections
    }

    // MARK: Coding

    private enum CodingKeys: String, CodingKey {
        case id, title, subtitle, items
        case created = "creationAt"
        case lastModified = "modifiedAt"
        case subcollections = "subCollections"
    }

    /// Reads a collection of the exchange format.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.bytes(forKey: .id)
        created = try container.decodeIfPresent(Date.self, forKey: .created)
        lastModified = try container.decodeIfPresent(Date.self, forKey: .lastModified)
        title = try container.decode(String.self, forKey: .title)
        subtitle = try container.decodeIfPresent(String.self, forKey: .subtitle)
        items = try container.list(forKey: .items)
        subcollections = try container.list(forKey: .subcollections)
    }

    /// Writes a collection of the exchange format.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(bytes: id, forKey: .id)
        try container.encodeIfPresent(created, forKey: .created)
        try container.encodeIfPresent(lastModified, forKey: .lastModified)
        try container.encode(title, forKey: .title)
        try container.encodeIfPresent(subtitle, forKey: .subtitle)
        try container.encode(items, forKey: .items)
        try container.encodeUnlessEmpty(subcollections, forKey: .subcollections)
    }
}
