/// Asks for a new passkey beside which data can be stored.
public struct ASAuthorizationPublicKeyCredentialLargeBlobRegistrationInput: Hashable, Sendable {
    /// How much that matters.
    public enum SupportRequirement: Hashable, Sendable {
        /// Without it there shall be no passkey.
        case required
        /// It would be good to have.
        case preferred
    }

    /// How much it matters.
    public var supportRequirement: SupportRequirement

    /// Asks with `supportRequirement`.
    package init(_ supportRequirement: SupportRequirement) {
        self.supportRequirement = supportRequirement
    }

    /// Without it there shall be no passkey.
    public static var supportRequired: Self { Self(.required) }
    /// It would be good to have.
    public static var supportPreferred: Self { Self(.preferred) }
}

/// Whether data can be stored beside a new passkey.
public struct ASAuthorizationPublicKeyCredentialLargeBlobRegistrationOutput: Hashable, Sendable {
    /// Whether it can.
    public var isSupported: Bool

    /// Says whether it can.
    package init(isSupported: Bool) {
        self.isSupported = isSupported
    }

    /// It can.
    public static var supported: Self { Self(isSupported: true) }
    /// It cannot.
    public static var unsupported: Self { Self(isSupported: false) }
}
