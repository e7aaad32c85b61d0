/// A place in a list of credentials: what stands there, or nothing where it is of a kind that is not known.
///
/// The exchange format asks that such a credential be passed over and the item kept, also where the codes of a
/// one-time secret are made by an algorithm that is not known.
struct KnownCredential: Decodable {
    /// The credential, when its kind is known.
    var credential: ASImportableCredential?

    private enum CodingKeys: CodingKey {
        case type, algorithm
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let kind = ASImportableCredential.Kind(rawValue: try container.decode(String.self, forKey: .type))
        guard let kind else { return }
        if kind == .totp {
            let algorithm = try container.decode(String.self, forKey: .algorithm)
            guard ASImportableCredential.TOTP.Algorithm(rawValue: algorithm) != nil else { return }
        }
        credential = try ASImportableCredential(from: decoder)
    }
}
