public import Foundation

/// A request to sign in with a passkey.
open class ASAuthorizationPlatformPublicKeyCredentialAssertionRequest: ASAuthorizationRequest,
    ASAuthorizationPublicKeyCredentialAssertionRequest
{
    /// What the server wants signed.
    open var challenge: Data
    /// The domain that the passkey is for.
    open var relyingPartyIdentifier: String
    /// The passkeys that may be used; when it is empty, any.
    open var allowedCredentials: [ASAuthorizationPlatformPublicKeyCredentialDescriptor] = []
    /// Whether the person is to be verified.
    open var userVerificationPreference: ASAuthorizationPublicKeyCredentialUserVerificationPreference = .preferred
    /// What is to be done with the data of the server beside the passkey.
    open var largeBlob: ASAuthorizationPublicKeyCredentialLargeBlobAssertionInput?
    /// Of what secrets are to be derived.
    open var prf: ASAuthorizationPublicKeyCredentialPRFAssertionInput?

    package init(provider: any ASAuthorizationProvider, relyingParty: String, challenge: Data) {
        relyingPartyIdentifier = relyingParty
        self.challenge = challenge
        super.init(provider: provider)
    }

    // MARK: Copying, coding

    /// A request for the same that changes by itself.
    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = ASAuthorizationPlatformPublicKeyCredentialAssertionRequest(
            provider: provider, relyingParty: relyingPartyIdentifier, challenge: challenge)
        copy.allowedCredentials = allowedCredentials
        copy.userVerificationPreference = userVerificationPreference
        copy.largeBlob = largeBlob
        copy.prf = prf
        return copy
    }

    /// Writes the request.
    open override func encode(with coder: NSCoder) {
        coder.encode(text: relyingPartyIdentifier, forKey: "relyingPartyIdentifier")
        coder.encode(data: challenge, forKey: "challenge")
        coder.encode(propertyList: allowedCredentials.map(\.credentialID), forKey: "allowedCredentials")
        coder.encode(text: userVerificationPreference.rawValue, forKey: "userVerificationPreference")
        coder.encode(propertyList: largeBlob.map(CodedLargeBlob.init(assertion:)), forKey: "largeBlob")
        coder.encode(propertyList: prf.map(CodedPRF.init(assertion:)), forKey: "prf")
    }

    /// Reads what ``encode(with:)`` wrote; nil when it is something else.
    public required init?(coder: NSCoder) {
        guard let relyingParty = coder.decodeText(forKey: "relyingPartyIdentifier"),
            let challenge = coder.decodeData(forKey: "challenge"),
            let allowed = coder.decodePropertyList([Data].self, forKey: "allowedCredentials"),
            let verification = coder.decodeText(forKey: "userVerificationPreference")
        else { return nil }
        relyingPartyIdentifier = relyingParty
        self.challenge = challenge
        allowedCredentials = allowed.map(ASAuthorizationPlatformPublicKeyCredentialDescriptor.init(credentialID:))
        userVerificationPreference = .init(rawValue: verification)
        largeBlob = coder.decodePropertyList(CodedLargeBlob.self, forKey: "largeBlob")?.assertion
        prf = coder.decodePropertyList(CodedPRF.self, forKey: "prf")?.assertion
        super.init(
            provider: ASAuthorizationPlatformPublicKeyCredentialProvider(relyingPartyIdentifier: relyingParty))
    }
}

/// What the protocol asks for under the same name, with descriptors of any kind.
extension ASAuthorizationPublicKeyCredentialAssertionRequest
where Self: ASAuthorizationPlatformPublicKeyCredentialAssertionRequest {
    /// The credentials that may be used; a descriptor of another kind is read as that of a passkey.
    public var allowedCredentials: [any ASAuthorizationPublicKeyCredentialDescriptor] {
        get { platformDescriptors }
        set {
            platformDescriptors = newValue.map {
                $0 as? ASAuthorizationPlatformPublicKeyCredentialDescriptor
                    ?? ASAuthorizationPlatformPublicKeyCredentialDescriptor(credentialID: $0.credentialID)
            }
        }
    }
}

extension ASAuthorizationPlatformPublicKeyCredentialAssertionRequest {
    fileprivate var platformDescriptors: [ASAuthorizationPlatformPublicKeyCredentialDescriptor] {
        get { allowedCredentials }
        set { allowedCredentials = newValue }
    }
}
