public import Foundation

/// Something that makes requests for credentials.
public protocol ASAuthorizationProvider: NSObjectProtocol {}

/// What came of a request that succeeded.
// SAFETY: it never changes, and nobody changes what it holds: a credential is a value, a provider makes requests.
open class ASAuthorization: NSObject, @unchecked Sendable {
    private let given: (provider: any ASAuthorizationProvider, credential: any ASAuthorizationCredential)

    /// The credential that the request of `provider` brought.
    package init(provider: any ASAuthorizationProvider, credential: any ASAuthorizationCredential) {
        given = (provider, credential)
        super.init()
    }

    /// What made the request.
    open var provider: any ASAuthorizationProvider { given.provider }

    /// The credential.
    open var credential: any ASAuthorizationCredential { given.credential }
}
