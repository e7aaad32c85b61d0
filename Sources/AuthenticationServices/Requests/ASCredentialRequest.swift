public import Foundation

/// What kind of credential a request asks for.
public enum ASCredentialRequestType: Int, Sendable {
    /// A password.
    case password = 0
    /// A signature with a passkey that exists.
    case passkeyAssertion = 1
    /// A new passkey.
    case passkeyRegistration = 2
    /// A one-time code.
    case oneTimeCode = 3
}

/// A request for one credential that the person has chosen.
public protocol ASCredentialRequest: NSObjectProtocol, NSSecureCoding, NSCopying {
    /// What kind of credential is asked for.
    var type: ASCredentialRequestType { get }
    /// Which one, as the provider once told the system.
    var credentialIdentity: any ASCredentialIdentity { get }
}
