public import Foundation

/// The small counterpart of Foundation's class on Apple's systems: how an extension ends what it was asked.
// SAFETY: it has no state; what its subclasses add is theirs to guard.
open class NSExtensionContext: NSObject, @unchecked Sendable {
    /// A context without a request.
    public override init() {
        super.init()
    }

    /// What the extension was given to work on: nothing, with the requests of this system.
    open var inputItems: [Any] { [] }

    /// Ends the request with items. This implementation only calls `completionHandler`.
    open func completeRequest(returningItems items: [Any]?, completionHandler: ((Bool) -> Void)? = nil) {
        completionHandler?(false)
    }

    /// Ends the request without a result. This implementation does nothing.
    open func cancelRequest(withError error: any Error) {}

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Asks the system to open an address: it does not, and says so.
    open func open(_ URL: URL, completionHandler: ((Bool) -> Void)? = nil) {
        completionHandler?(false)
    }
}
