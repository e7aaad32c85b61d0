public import Foundation

/// Makes requests for passwords.
open class ASAuthorizationPasswordProvider: NSObject, ASAuthorizationProvider {
    /// A provider of requests.
    public override init() {
        super.init()
    }

    /// A request for a password that the person has stored for the application.
    open func createRequest() -> ASAuthorizationPasswordRequest {
        ASAuthorizationPasswordRequest(provider: self)
    }
}

/// A request for a password that the person has stored for the application.
open class ASAuthorizationPasswordRequest: ASAuthorizationRequest {
    /// A request of `provider`.
    package override init(provider: any ASAuthorizationProvider) {
        super.init(provider: provider)
    }

    /// A request of a provider of its own.
    public required init?(coder: NSCoder) {
        super.init(provider: ASAuthorizationPasswordProvider())
    }
}
