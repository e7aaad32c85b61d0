public import Foundation

/// What a passkey or a security key answered.
public protocol ASPublicKeyCredential: ASAuthorizationCredential {
    /// What was signed, as the client wrote it.
    var rawClientDataJSON: Data { get }
    /// The identifier of the credential.
    var credentialID: Data { get }
}

/// What came of a request for a new credential.
public protocol ASAuthorizationPublicKeyCredentialRegistration: ASPublicKeyCredential {
    /// The attestation object of WebAuthn.
    var rawAttestationObject: Data? { get }
}

/// What came of a request to sign in.
public protocol ASAuthorizationPublicKeyCredentialAssertion: ASPublicKeyCredential {
    /// The authenticator data of WebAuthn.
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    var rawAuthenticatorData: Data! { get }
    /// The server's own identifier of the user.
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    var userID: Data! { get }
    /// The signature over authenticator data and the hash of the client data.
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    var signature: Data! { get }
}

/// Where a credential is kept.
public enum ASAuthorizationPublicKeyCredentialAttachment: Int, Sendable {
    /// On this system.
    case platform = 0
    /// On a device that goes from one system to another.
    case crossPlatform = 1
}
