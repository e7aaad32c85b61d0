public import Foundation

/// One entry of a vault, with the credentials in it.
public struct ASImportableItem: Codable, Hashable, Sendable {
    /// What tells the item from others; at most 64 bytes.
    public var id: Data
    /// When it was made.
    public var created: Date?
    /// When it was changed last.
    public var lastModified: Date?
    /// Its name.
    public var title: String
    /// More about it.
    public var subtitle: String?
    /// Whether the person marked it.
    public var favorite: Bool
    /// Where the credentials may be used; a passkey knows that itself.
    public var scope: ASImportableCredentialScope?
    /// The credentials; several may be of one kind.
    public var credentials: [ASImportableCredential]
    /// The words that the person put to it.
    public var tags: [String]

    /// An item of known age.
    public init(
        id: Data, created: Date, lastModified: Date, title: String, subtitle: String? = nil, favorite: Bool = false,
        scope: ASImportableCredentialScope? = nil, credentials: [ASImportableCredential], tags: [String] = []
    ) {
        self.init(
            id: id, title: title, subtitle: subtitle, favorite: favorite, scope: scope, credentials: credentials,
            tags: tags)
        self.created = created
        self.lastModified = lastModified
    }

    /// An item whose age is not known.
    public init(
        id: Data, title: String, subtitle: String? = nil, favorite: Bool = false,
        scope: ASImportableCredentialScope? = nil, credentials: [ASImportableCredential], tags: [String] = []
    ) {
        self.id = id
        self.title = title
        self.subtitle = subtitle
        self.favorite = favorite
        self.scope = scope
        self.credentials = credentials
        self.tags = tags
    }

    // MARK: Coding

    private enum CodingKeys: String, CodingKey {
        case id, title, subtitle, favorite, scope, credentials, tags
        case created = "creationAt"
        case lastModified = "modifiedAt"
    }

    /// Reads an item of the exchange format. Credentials of a kind that is not known are left out, the item stays.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.bytes(forKey: .id)
        created = try container.decodeIfPresent(Date.self, forKey: .created)
        lastModified = try container.decodeIfPresent(Date.self, forKey: .lastModified)
        title = try container.decode(String.self, forKey: .title)
        subtitle = try container.decodeIfPresent(String.self, forKey: .subtitle)
        favorite = try container.decodeIfPresent(Bool.self, forKey: .favorite) ?? false
        scope = try container.decodeIfPresent(ASImportableCredentialScope.self, forKey: .scope)
        let known: [KnownCredential] = try container.list(forKey: .credentials)
        credentials = known.compactMap(\.credential)
        tags = try container.list(forKey: .tags)
    }

    /// Writes an item of the exchange format.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(bytes: id, forKey: .id)
        try container.encodeIfPresent(created, forKey: .created)
        try container.encodeIfPresent(lastModified, forKey: .lastModified)
        try container.encode(title, forKey: .title)
        try container.encodeIfPresent(subtitle, forKey: .subtitle)
        try container.encode(favorite, forKey: .favorite)
        try container.encodeIfPresent(scope, forKey: .scope)
        try container.encode(credentials, forKey: .credentials)
        try container.encodeUnlessEmpty(tags, forKey: .tags)
    }
}
