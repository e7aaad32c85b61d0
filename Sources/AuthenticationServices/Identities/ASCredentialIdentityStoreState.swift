public import Foundation

/// How the identity store is at a moment.
open class ASCredentialIdentityStoreState: NSObject {
    private var state = (isEnabled: false, supportsIncrementalUpdates: false)

    /// The state of a store that takes nothing.
    public override init() {
        super.init()
    }

    /// A state by its parts.
    package convenience init(isEnabled: Bool, supportsIncrementalUpdates: Bool) {
        self.init()
        state = (isEnabled, supportsIncrementalUpdates)
    }

    /// Whether the person turned the provider on; else writes fail.
    open var isEnabled: Bool { state.isEnabled }

    /// Whether changes are enough. False means that nothing is stored: then send the complete set.
    open var supportsIncrementalUpdates: Bool { state.supportsIncrementalUpdates }
}
