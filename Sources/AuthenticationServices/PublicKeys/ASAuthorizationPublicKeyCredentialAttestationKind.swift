/// What a relying party wants to know about the authenticator behind a new passkey.
public struct ASAuthorizationPublicKeyCredentialAttestationKind: RawRepresentable, Hashable, Sendable {
    /// The word of the WebAuthn specification.
    public let rawValue: String

    /// The value that `rawValue` names.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The value that `rawValue` names.
    public init(_ rawValue: String) {
        self.init(rawValue: rawValue)
    }

    /// Nothing.
    public static let none = Self("none")
    /// The statement of the authenticator itself.
    public static let direct = Self("direct")
    /// A statement, which others may have made anonymous.
    public static let indirect = Self("indirect")
    /// A statement that tells one device from another.
    public static let enterprise = Self("enterprise")
}
