public import Foundation

/// One account of a person at a credential manager, never at a site.
public struct ASImportableAccount: Codable, Hashable, Sendable {
    /// What tells the account from others; at most 64 bytes.
    public var id: Data
    /// The user name at the manager; empty when there is none.
    public var userName: String
    /// The address at the manager; empty when there is none.
    public var email: String
    /// The name of the person.
    public var fullName: String?
    /// The folders, and what is in them.
    public var collections: [ASImportableCollection]
    /// Everything that is stored.
    public var items: [ASImportableItem]

    /// An account with its folders and items.
    public init(
        id: Data, userName: String, email: String, fullName: String? = nil, collections: [ASImportableCollection],
        items: [ASImportableItem]
    ) {
        self.id = id
        self.userName = userName
        self.email = email
        self.fullName = fullName
        self.collections = collections
        self.items = items
    }

    // MARK: Coding

    private enum CodingKeys: String, CodingKey {
        case id, email, fullName, collections, items
        case userName = "username"
    }

    /// Reads an account of the exchange format.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.bytes(forKey: .id)
        userName = try container.decode(String.self, forKey: .userName)
        email = try container.decode(String.self, forKey: .email)
        fullName = try container.decodeIfPresent(String.self, forKey: .fullName)
        collections = try container.list(forKey: .collections)
        items = try container.list(forKey: .items)
    }

    /// Writes an account of the exchange format.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(bytes: id, forKey: .id)
        try container.encode(userName, forKey: .userName)
        try container.encode(email, forKey: .email)
        try container.encodeIfPresent(fullName, forKey: .fullName)
        try container.encode(collections, forKey: .collections)
        try container.encode(items, forKey: .items)
    }
}
