public import Foundation

/// Names one passkey.
public protocol ASAuthorizationPublicKeyCredentialDescriptor: NSObjectProtocol, NSCopying, NSSecureCoding {
    /// The passkey's identifier, as the relying party knows it.
    var credentialID: Data { get set }
}
