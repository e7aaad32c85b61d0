public import Foundation

/// A sign-in with a passkey, as the server needs to see it.
open class ASAuthorizationPlatformPublicKeyCredentialAssertion: NSObject,
    ASAuthorizationPublicKeyCredentialAssertion
{
    private let signed: (clientDataJSON: Data, credentialID: Data, authenticatorData: Data, userID: Data, by: Data)
    private let outputs:
        (
            largeBlob: ASAuthorizationPublicKeyCredentialLargeBlobAssertionOutput?,
            prf: ASAuthorizationPublicKeyCredentialPRFAssertionOutput?
        )

    package init(
        rawClientDataJSON: Data, credentialID: Data, rawAuthenticatorData: Data, userID: Data, signature: Data,
        largeBlob: ASAuthorizationPublicKeyCredentialLargeBlobAssertionOutput? = nil,
        prf: ASAuthorizationPublicKeyCredentialPRFAssertionOutput? = nil
    ) {
        signed = (rawClientDataJSON, credentialID, rawAuthenticatorData, userID, signature)
        outputs = (largeBlob, prf)
        super.init()
    }

    /// What was signed, as the client wrote it.
    open var rawClientDataJSON: Data { signed.clientDataJSON }
    /// The identifier of the passkey.
    open var credentialID: Data { signed.credentialID }
    /// The authenticator data of WebAuthn.
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    open var rawAuthenticatorData: Data! { signed.authenticatorData }
    /// The server's own identifier of the user.
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    open var userID: Data! { signed.userID }
    /// The signature over authenticator data and the hash of the client data.
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    open var signature: Data! { signed.by }
    /// Where the passkey is kept.
    open var attachment: ASAuthorizationPublicKeyCredentialAttachment { .platform }
    /// What came of the data beside the passkey.
    open var largeBlob: ASAuthorizationPublicKeyCredentialLargeBlobAssertionOutput? { outputs.largeBlob }
    /// The secrets that were asked for.
    open var prf: ASAuthorizationPublicKeyCredentialPRFAssertionOutput? { outputs.prf }

    // MARK: Copying, coding

    /// The same object: it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// True.
    open class var supportsSecureCoding: Bool { true }

    /// Writes what the server needs; what extensions brought is not kept.
    open func encode(with coder: NSCoder) {
        coder.encode(data: signed.clientDataJSON, forKey: "rawClientDataJSON")
        coder.encode(data: signed.credentialID, forKey: "credentialID")
        coder.encode(data: signed.authenticatorData, forKey: "rawAuthenticatorData")
        coder.encode(data: signed.userID, forKey: "userID")
        coder.encode(data: signed.by, forKey: "signature")
    }

    /// Reads what ``encode(with:)`` wrote; nil when it is something else.
    public required init?(coder: NSCoder) {
        guard let clientDataJSON = coder.decodeData(forKey: "rawClientDataJSON"),
            let credentialID = coder.decodeData(forKey: "credentialID"),
            let authenticatorData = coder.decodeData(forKey: "rawAuthenticatorData"),
            let userID = coder.decodeData(forKey: "userID"), let signature = coder.decodeData(forKey: "signature")
        else { return nil }
        signed = (clientDataJSON, credentialID, authenticatorData, userID, signature)
        outputs = (nil, nil)
        super.init()
    }
}
