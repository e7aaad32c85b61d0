public import Foundation

/// What the system may suggest: that a credential for a user of a service is there. Never the secret itself.
public protocol ASCredentialIdentity: NSObjectProtocol {
    /// Where it signs in to.
    var serviceIdentifier: ASCredentialServiceIdentifier { get }
    /// The user name, as it is shown.
    var user: String { get }
    /// The provider's own key of the record; the system hands it back unchanged.
    var recordIdentifier: String? { get }
    /// Orders identities of one service: larger first.
    var rank: Int { get set }
}
