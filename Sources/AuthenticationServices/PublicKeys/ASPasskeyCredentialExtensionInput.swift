/// What a relying party wants of a passkey beyond signing.
public enum ASPasskeyCredentialExtensionInput: Hashable, Sendable {
    /// Nothing.
    case none
    /// While it signs in.
    case assertion(ASPasskeyAssertionCredentialExtensionInput)
    /// While it is made.
    case registration(ASPasskeyRegistrationCredentialExtensionInput)
}

/// What is wanted of a passkey while it signs in.
public struct ASPasskeyAssertionCredentialExtensionInput: Hashable, Sendable {
    /// What is done with the data beside it.
    public private(set) var largeBlob: ASAuthorizationPublicKeyCredentialLargeBlobAssertionInput?
    /// From what secrets are derived.
    public private(set) var prf: ASAuthorizationPublicKeyCredentialPRFAssertionInput?

    /// Inputs by their kind.
    public init(
        largeBlob: ASAuthorizationPublicKeyCredentialLargeBlobAssertionInput? = nil,
        prf: ASAuthorizationPublicKeyCredentialPRFAssertionInput? = nil
    ) {
        self.largeBlob = largeBlob
        self.prf = prf
    }
}

/// What is wanted of a passkey while it is made.
public struct ASPasskeyRegistrationCredentialExtensionInput: Hashable, Sendable {
    /// Whether data shall be stored beside it.
    public private(set) var largeBlob: ASAuthorizationPublicKeyCredentialLargeBlobRegistrationInput?
    /// Whether, and from what, secrets shall be derived.
    public private(set) var prf: ASAuthorizationPublicKeyCredentialPRFRegistrationInput?

    /// Inputs by their kind.
    package init(
        largeBlob: ASAuthorizationPublicKeyCredentialLargeBlobRegistrationInput? = nil,
        prf: ASAuthorizationPublicKeyCredentialPRFRegistrationInput? = nil
    ) {
        self.largeBlob = largeBlob
        self.prf = prf
    }
}
