public import Foundation

/// The small counterpart of Foundation's class on Apple's systems: how an extension ends what it was asked.
// SAFETY: it has no state; its subclass keeps what it has behind a lock.
open class NSExtensionContext: NSObject, @unchecked Sendable {
    /// Ends the request without a result. This implementation does nothing.
    open func cancelRequest(withError error: any Error) {}
}
