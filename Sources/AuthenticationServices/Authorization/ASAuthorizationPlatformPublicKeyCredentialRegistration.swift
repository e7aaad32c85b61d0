public import Foundation

/// A new passkey, as the server needs to see it.
open class ASAuthorizationPlatformPublicKeyCredentialRegistration: NSObject,
    ASAuthorizationPublicKeyCredentialRegistration
{
    private let made: (clientDataJSON: Data, credentialID: Data, attestationObject: Data?)
    private let outputs:
        (
            largeBlob: ASAuthorizationPublicKeyCredentialLargeBlobRegistrationOutput?,
            prf: ASAuthorizationPublicKeyCredentialPRFRegistrationOutput?
        )

    package init(
        rawClientDataJSON: Data, credentialID: Data, rawAttestationObject: Data?,
        largeBlob: ASAuthorizationPublicKeyCredentialLargeBlobRegistrationOutput? = nil,
        prf: ASAuthorizationPublicKeyCredentialPRFRegistrationOutput? = nil
    ) {
        made = (rawClientDataJSON, credentialID, rawAttestationObject)
        outputs = (largeBlob, prf)
        super.init()
    }

    /// What was signed, as the client wrote it.
    open var rawClientDataJSON: Data { made.clientDataJSON }
    /// The identifier of the passkey.
    open var credentialID: Data { made.credentialID }
    /// The attestation object of WebAuthn.
    open var rawAttestationObject: Data? { made.attestationObject }
    /// Where the passkey is kept.
    open var attachment: ASAuthorizationPublicKeyCredentialAttachment { .platform }
    /// Whether the passkey has room for data of the server.
    open var largeBlob: ASAuthorizationPublicKeyCredentialLargeBlobRegistrationOutput? { outputs.largeBlob }
    /// Whether the passkey derives secrets, and those that were asked for.
    open var prf: ASAuthorizationPublicKeyCredentialPRFRegistrationOutput? { outputs.prf }

    // MARK: Copying, coding

    /// The same object: it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// True.
    open class var supportsSecureCoding: Bool { true }

    /// Writes what the server needs; what extensions brought is not kept.
    open func encode(with coder: NSCoder) {
        coder.encode(data: made.clientDataJSON, forKey: "rawClientDataJSON")
        coder.encode(data: made.credentialID, forKey: "credentialID")
        coder.encode(data: made.attestationObject, forKey: "rawAttestationObject")
    }

    /// Reads what ``encode(with:)`` wrote; nil when it is something else.
    public required init?(coder: NSCoder) {
        guard let clientDataJSON = coder.decodeData(forKey: "rawClientDataJSON"),
            let credentialID = coder.decodeData(forKey: "credentialID")
        else { return nil }
        made = (clientDataJSON, credentialID, coder.decodeData(forKey: "rawAttestationObject"))
        outputs = (nil, nil)
        super.init()
    }
}
