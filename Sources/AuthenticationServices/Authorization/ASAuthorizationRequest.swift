public import Foundation

/// A request for a credential; made by a provider of requests, never by itself.
open class ASAuthorizationRequest: NSObject, NSCopying, NSSecureCoding {
    private let maker: any ASAuthorizationProvider

    /// A request of `provider`.
    package init(provider: any ASAuthorizationProvider) {
        maker = provider
        super.init()
    }

    /// What made the request.
    open var provider: any ASAuthorizationProvider { maker }

    // MARK: Copying, coding

    /// The same object where nothing of it can change; subclasses with something that can copy it.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// True.
    open class var supportsSecureCoding: Bool { true }

    /// Writes the request; what made it is made anew by who reads it.
    open func encode(with coder: NSCoder) {}

    /// Nil: what is read is a request of some kind.
    public required init?(coder: NSCoder) { nil }
}
