public import Foundation

/// What a site stored with a passkey.
public struct ASImportableFIDO2LargeBlob: Codable, Hashable, Sendable {
    /// How many bytes it is when it is inflated.
    public var uncompressedSize: Int
    /// The bytes, compressed by DEFLATE, RFC 1951.
    public var data: Data

    /// Bytes that are compressed already.
    public init(uncompressedSize: Int, data: Data) {
        self.uncompressedSize = uncompressedSize
        self.data = data
    }

    // MARK: Coding

    private enum CodingKeys: CodingKey {
        case uncompressedSize, data
    }

    /// Reads a large blob of the exchange format.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        uncompressedSize = try container.decode(Int.self, forKey: .uncompressedSize)
        data = try container.bytes(forKey: .data)
    }

    /// Writes a large blob of the exchange format.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(uncompressedSize, forKey: .uncompressedSize)
        try container.encode(bytes: data, forKey: .data)
    }
}
