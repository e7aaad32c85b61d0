/// What came of the extensions while a passkey signed in.
public struct ASPasskeyAssertionCredentialExtensionOutput: Equatable, Sendable {
    /// What came of reading or writing the data beside it.
    public private(set) var largeBlob: ASAuthorizationPublicKeyCredentialLargeBlobAssertionOutput?
    /// The secrets that it derived.
    public private(set) var prf: ASAuthorizationPublicKeyCredentialPRFAssertionOutput?

    /// Outputs by their kind.
    public init(
        largeBlob: ASAuthorizationPublicKeyCredentialLargeBlobAssertionOutput? = nil,
        prf: ASAuthorizationPublicKeyCredentialPRFAssertionOutput? = nil
    ) {
        self.largeBlob = largeBlob
        self.prf = prf
    }
}

/// What came of the extensions while a passkey was made.
public struct ASPasskeyRegistrationCredentialExtensionOutput: Equatable, Sendable {
    /// Whether data can be stored beside it.
    public private(set) var largeBlob: ASAuthorizationPublicKeyCredentialLargeBlobRegistrationOutput?
    /// Whether it derives secrets, and those that it derived at once.
    public private(set) var prf: ASAuthorizationPublicKeyCredentialPRFRegistrationOutput?

    /// Outputs by their kind.
    public init(
        largeBlob: ASAuthorizationPublicKeyCredentialLargeBlobRegistrationOutput? = nil,
        prf: ASAuthorizationPublicKeyCredentialPRFRegistrationOutput? = nil
    ) {
        self.largeBlob = largeBlob
        self.prf = prf
    }
}
