public import Foundation

/// The two seeds from which a passkey's PRF values are derived. Both must be kept exactly.
public struct ASImportableFIDO2HMACCredential: Codable, Hashable, Sendable {
    /// How values are derived.
    public enum Algorithm: String, Codable, Hashable, Sendable {
        /// HMAC with SHA-256.
        case sha256 = "hmac-sha256"
    }

    /// How values are derived.
    public var algorithm: Algorithm
    /// The seed for when the person was verified; 32 bytes.
    public var credentialWithUV: Data
    /// The seed for when the person was not verified; 32 bytes.
    public var credentialWithoutUV: Data

    /// Two seeds.
    public init(algorithm: Algorithm, credentialWithUV: Data, credentialWithoutUV: Data) {
        self.algorithm = algorithm
        self.credentialWithUV = credentialWithUV
        self.credentialWithoutUV = credentialWithoutUV
    }

    // MARK: Coding

    private enum CodingKeys: String, CodingKey {
        case algorithm
        case credentialWithUV = "credWithUV"
        case credentialWithoutUV = "credWithoutUV"
    }

    /// Reads seeds of the exchange format.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        algorithm = try container.decode(Algorithm.self, forKey: .algorithm)
        credentialWithUV = try container.bytes(forKey: .credentialWithUV)
        credentialWithoutUV = try container.bytes(forKey: .credentialWithoutUV)
    }

    /// Writes seeds of the exchange format.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(algorithm, forKey: .algorithm)
        try container.encode(bytes: credentialWithUV, forKey: .credentialWithUV)
        try container.encode(bytes: credentialWithoutUV, forKey: .credentialWithoutUV)
    }
}
