public import Foundation

/// How the identity store is at a moment.
open class ASCredentialIdentityStoreState: NSObject {
    private let state: (isEnabled: Bool, supportsIncrementalUpdates: Bool)

    /// The state of a store that takes nothing.
    public override convenience init() {
        self.init(isEnabled: false, supportsIncrementalUpdates: false)
    }

    /// A state by its parts.
    package init(isEnabled: Bool, supportsIncrementalUpdates: Bool) {
        state = (isEnabled, supportsIncrementalUpdates)
        super.init()
    }

    /// Whether the person turned the provider on; else writes fail.
    open var isEnabled: Bool { state.isEnabled }

    /// Whether changes are enough. False means that nothing is stored: then send the complete set.
    open var supportsIncrementalUpdates: Bool { state.supportsIncrementalUpdates }
}
