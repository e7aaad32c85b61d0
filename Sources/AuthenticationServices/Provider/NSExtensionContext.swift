public import Foundation

/// The small counterpart of Foundation's class on Apple's systems: how an extension ends what it was asked.
// SAFETY: it has no state; what its subclasses add is theirs to guard.
open class NSExtensionContext: NSObject, @unchecked Sendable {
    /// A context without a request.
    public override init() {
        super.init()
    }

    /// Ends the request without a result. This implementation does nothing.
    open func cancelRequest(withError error: any Error) {}
}
