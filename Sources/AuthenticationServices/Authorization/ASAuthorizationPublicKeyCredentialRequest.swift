public import Foundation

/// A request for a new passkey or a credential of a security key.
public protocol ASAuthorizationPublicKeyCredentialRegistrationRequest: NSObjectProtocol, NSCopying, NSSecureCoding {
    /// The domain that the credential is for.
    var relyingPartyIdentifier: String { get }
    /// The server's own identifier of the user; at most 64 bytes.
    var userID: Data { get set }
    /// The user name.
    var name: String { get set }
    /// The name that people read.
    var displayName: String? { get set }
    /// What the server wants signed.
    var challenge: Data { get set }
    /// Whether the person is to be verified.
    var userVerificationPreference: ASAuthorizationPublicKeyCredentialUserVerificationPreference { get set }
    /// What the server wants to know of the authenticator.
    var attestationPreference: ASAuthorizationPublicKeyCredentialAttestationKind { get set }
}

/// A request to sign in with a passkey or a credential of a security key.
public protocol ASAuthorizationPublicKeyCredentialAssertionRequest: NSObjectProtocol, NSCopying, NSSecureCoding {
    /// What the server wants signed.
    var challenge: Data { get set }
    /// The domain that the credential is for.
    var relyingPartyIdentifier: String { get set }
    /// The credentials that may be used; when it is empty, any.
    var allowedCredentials: [any ASAuthorizationPublicKeyCredentialDescriptor] { get set }
    /// Whether the person is to be verified.
    var userVerificationPreference: ASAuthorizationPublicKeyCredentialUserVerificationPreference { get set }
}
