/// An elliptic curve, by its number in the registry of COSE.
public struct ASCOSEEllipticCurveIdentifier: RawRepresentable, Hashable, Sendable {
    /// The number.
    public let rawValue: Int

    /// The curve with the number `rawValue`.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// The curve with the number `rawValue`.
    public init(_ rawValue: Int) {
        self.init(rawValue: rawValue)
    }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// NIST P-256.
    public static let P256 = ASCOSEEllipticCurveIdentifier(rawValue: 1)
}
