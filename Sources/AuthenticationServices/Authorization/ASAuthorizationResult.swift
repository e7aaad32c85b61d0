/// What came of a request, for `switch`.
public enum ASAuthorizationResult {
    /// A password.
    case password(ASPasswordCredential)
    /// The person signed in with a passkey.
    case passkeyAssertion(ASAuthorizationPlatformPublicKeyCredentialAssertion)
    /// There is a new passkey.
    case passkeyRegistration(ASAuthorizationPlatformPublicKeyCredentialRegistration)
    /// There is a new account, with a passkey.
    case passkeyAccountCreation(ASAuthorizationAccountCreationPlatformPublicKeyCredential)
    /// The person chose a way to sign in that the application brings itself.
    case customMethod(ASAuthorizationCustomMethod)
}
