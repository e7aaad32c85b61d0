public import Foundation

/// Makes requests for passkeys of one relying party.
open class ASAuthorizationPlatformPublicKeyCredentialProvider: NSObject, ASAuthorizationProvider {
    private let relyingParty: String

    /// Makes requests for passkeys of `relyingPartyIdentifier`, a domain that the application belongs to.
    public init(relyingPartyIdentifier: String) {
        relyingParty = relyingPartyIdentifier
        super.init()
    }

    /// The domain that the passkeys are for.
    open var relyingPartyIdentifier: String { relyingParty }

    /// A request for a new passkey, which the person is asked about.
    ///
    /// `challenge` comes from the server and is signed, `name` is the user name, `userID` the server's own identifier.
    open func createCredentialRegistrationRequest(
        challenge: Data, name: String, userID: Data
    ) -> ASAuthorizationPlatformPublicKeyCredentialRegistrationRequest {
        createCredentialRegistrationRequest(challenge: challenge, name: name, userID: userID, requestStyle: .standard)
    }

    /// A request for a new passkey; with the style `.conditional` nobody is asked, and it may be declined.
    open func createCredentialRegistrationRequest(
        challenge: Data, name: String, userID: Data,
        requestStyle: ASAuthorizationPlatformPublicKeyCredentialRegistrationRequest.RequestStyle
    ) -> ASAuthorizationPlatformPublicKeyCredentialRegistrationRequest {
        let request = ASAuthorizationPlatformPublicKeyCredentialRegistrationRequest(
            provider: self, relyingParty: relyingParty, challenge: challenge, name: name, userID: userID)
        request.requestStyle = requestStyle
        return request
    }

    /// A request to sign in with a passkey; `challenge` comes from the server and is signed.
    open func createCredentialAssertionRequest(
        challenge: Data
    ) -> ASAuthorizationPlatformPublicKeyCredentialAssertionRequest {
        ASAuthorizationPlatformPublicKeyCredentialAssertionRequest(
            provider: self, relyingParty: relyingParty, challenge: challenge)
    }
}
