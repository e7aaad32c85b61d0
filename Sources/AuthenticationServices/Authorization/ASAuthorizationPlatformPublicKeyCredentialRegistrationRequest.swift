public import Foundation

/// A request for a new passkey.
open class ASAuthorizationPlatformPublicKeyCredentialRegistrationRequest: ASAuthorizationRequest,
    ASAuthorizationPublicKeyCredentialRegistrationRequest
{
    /// Whether the person is asked.
    public enum RequestStyle: Int, Sendable {
        /// The person is asked.
        case standard = 0
        /// Nobody is asked, and the request may be declined.
        case conditional = 1
    }

    /// The server's own identifier of the user; at most 64 bytes.
    open var userID: Data
    /// The user name.
    open var name: String
    /// The name that people read; nil for ``name``.
    open var displayName: String?
    /// What the server wants signed.
    open var challenge: Data
    /// Whether the person is to be verified.
    open var userVerificationPreference: ASAuthorizationPublicKeyCredentialUserVerificationPreference = .preferred
    /// What the server wants to know of the authenticator; passkeys have nothing but `none`.
    open var attestationPreference: ASAuthorizationPublicKeyCredentialAttestationKind = .none
    /// Whether the passkey is to have room for data of the server.
    open var largeBlob: ASAuthorizationPublicKeyCredentialLargeBlobRegistrationInput?
    /// Whether the passkey is to derive secrets, and of what.
    open var prf: ASAuthorizationPublicKeyCredentialPRFRegistrationInput?
    /// Whether the person is asked.
    open var requestStyle: RequestStyle = .standard
    /// Passkeys beside which there must not be another.
    open var excludedCredentials: [ASAuthorizationPlatformPublicKeyCredentialDescriptor]?

    private let relyingParty: String

    package init(
        provider: any ASAuthorizationProvider, relyingParty: String, challenge: Data, name: String, userID: Data
    ) {
        self.relyingParty = relyingParty
        self.challenge = challenge
        self.name = name
        self.userID = userID
        super.init(provider: provider)
    }

    /// The domain that the passkey is for.
    open var relyingPartyIdentifier: String { relyingParty }

    // MARK: Copying, coding

    /// A request for the same that changes by itself.
    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = ASAuthorizationPlatformPublicKeyCredentialRegistrationRequest(
            provider: provider, relyingParty: relyingParty, challenge: challenge, name: name, userID: userID)
        copy.displayName = displayName
        copy.userVerificationPreference = userVerificationPreference
        copy.attestationPreference = attestationPreference
        copy.largeBlob = largeBlob
        copy.prf = prf
        copy.requestStyle = requestStyle
        copy.excludedCredentials = excludedCredentials
        return copy
    }

    /// Writes the request.
    open override func encode(with coder: NSCoder) {
        coder.encode(text: relyingParty, forKey: "relyingPartyIdentifier")
        coder.encode(data: challenge, forKey: "challenge")
        coder.encode(text: name, forKey: "name")
        coder.encode(data: userID, forKey: "userID")
        coder.encode(text: displayName, forKey: "displayName")
        coder.encode(text: userVerificationPreference.rawValue, forKey: "userVerificationPreference")
        coder.encode(text: attestationPreference.rawValue, forKey: "attestationPreference")
        coder.encode(propertyList: largeBlob.map(CodedLargeBlob.init(registration:)), forKey: "largeBlob")
        coder.encode(propertyList: prf.map(CodedPRF.init(registration:)), forKey: "prf")
        coder.encode(propertyList: requestStyle.rawValue, forKey: "requestStyle")
        coder.encode(propertyList: excludedCredentials?.map(\.credentialID), forKey: "excludedCredentials")
    }

    /// Reads what ``encode(with:)`` wrote; nil when it is something else.
    public required init?(coder: NSCoder) {
        guard let relyingParty = coder.decodeText(forKey: "relyingPartyIdentifier"),
            let challenge = coder.decodeData(forKey: "challenge"), let name = coder.decodeText(forKey: "name"),
            let userID = coder.decodeData(forKey: "userID"),
            let verification = coder.decodeText(forKey: "userVerificationPreference"),
            let attestation = coder.decodeText(forKey: "attestationPreference"),
            let style = coder.decodePropertyList(Int.self, forKey: "requestStyle").flatMap(RequestStyle.init(rawValue:))
        else { return nil }
        self.relyingParty = relyingParty
        self.challenge = challenge
        self.name = name
        self.userID = userID
        displayName = coder.decodeText(forKey: "displayName")
        userVerificationPreference = .init(rawValue: verification)
        attestationPreference = .init(rawValue: attestation)
        largeBlob = coder.decodePropertyList(CodedLargeBlob.self, forKey: "largeBlob")?.registration
        prf = coder.decodePropertyList(CodedPRF.self, forKey: "prf")?.registration
        requestStyle = style
        excludedCredentials = coder.decodePropertyList([Data].self, forKey: "excludedCredentials")?
            .map(ASAuthorizationPlatformPublicKeyCredentialDescriptor.init(credentialID:))
        super.init(
            provider: ASAuthorizationPlatformPublicKeyCredentialProvider(relyingPartyIdentifier: relyingParty))
    }
}
