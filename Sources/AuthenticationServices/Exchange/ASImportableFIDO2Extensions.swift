/// What belongs to extensions of a passkey.
public struct ASImportableFIDO2Extensions: Codable, Hashable, Sendable {
    /// The seeds behind the extension PRF.
    public var hmacCredentials: ASImportableFIDO2HMACCredential?
    /// What the site stored with the passkey.
    public var largeBlob: ASImportableFIDO2LargeBlob?

    /// Data of the two extensions that are carried.
    public init(hmacCredentials: ASImportableFIDO2HMACCredential?, largeBlob: ASImportableFIDO2LargeBlob?) {
        self.hmacCredentials = hmacCredentials
        self.largeBlob = largeBlob
    }

    // MARK: Coding

    private enum CodingKeys: CodingKey {
        case hmacCredentials, largeBlob
    }

    /// Reads the extensions of a passkey. Seeds of an algorithm that is not known are left out.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        hmacCredentials = try container.decodeIfPresent(KnownSeeds.self, forKey: .hmacCredentials)?.seeds
        largeBlob = try container.decodeIfPresent(ASImportableFIDO2LargeBlob.self, forKey: .largeBlob)
    }

    /// Seeds, or nothing where the algorithm is not known.
    private struct KnownSeeds: Decodable {
        var seeds: ASImportableFIDO2HMACCredential?

        private enum CodingKeys: CodingKey {
            case algorithm
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            let algorithm = try container.decode(String.self, forKey: .algorithm)
            guard ASImportableFIDO2HMACCredential.Algorithm(rawValue: algorithm) != nil else { return }
            seeds = try ASImportableFIDO2HMACCredential(from: decoder)
        }
    }
}
