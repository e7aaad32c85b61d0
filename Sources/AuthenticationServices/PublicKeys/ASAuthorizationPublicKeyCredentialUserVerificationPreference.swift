/// Whether the person must be verified before a passkey is used.
public struct ASAuthorizationPublicKeyCredentialUserVerificationPreference: RawRepresentable, Hashable, Sendable {
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

    /// The person must be verified now.
    public static let required = Self("required")
    /// The person is verified where there is a way to do it.
    public static let preferred = Self("preferred")
    /// The person need not be verified.
    public static let discouraged = Self("discouraged")
}
