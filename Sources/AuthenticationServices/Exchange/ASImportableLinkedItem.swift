public import Foundation

/// A link to an item.
public struct ASImportableLinkedItem: Codable, Hashable, Sendable {
    /// The identifier of the item.
    public var item: Data
    /// The identifier of the account that the item is in; nil for the account that the link is in.
    public var account: Data?

    /// A link to `item`.
    public init(item: Data, account: Data?) {
        self.item = item
        self.account = account
    }

    // MARK: Coding

    private enum CodingKeys: CodingKey {
        case item, account
    }

    /// Reads a linked item of the exchange format.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        item = try container.bytes(forKey: .item)
        account = try container.bytesIfPresent(forKey: .account)
    }

    /// Writes a linked item of the exchange format.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(bytes: item, forKey: .item)
        try container.encodeIfPresent(bytes: account, forKey: .account)
    }
}
