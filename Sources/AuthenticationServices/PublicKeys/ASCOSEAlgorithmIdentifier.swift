/// A signature algorithm, by its number in the registry of COSE.
public struct ASCOSEAlgorithmIdentifier: RawRepresentable, Hashable, Sendable {
    /// The number.
    public let rawValue: Int

    /// The algorithm with the number `rawValue`.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// The algorithm with the number `rawValue`.
    public init(_ rawValue: Int) {
        self.init(rawValue: rawValue)
    }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// ECDSA with SHA-256.
    public static let ES256 = ASCOSEAlgorithmIdentifier(rawValue: -7)
}
