import Synchronization

/// Holds identities of an open store, and lets go of them when the stores lock.
package protocol HoldsIdentities: AnyObject, Sendable {
    /// Lets go of all of them.
    func forget()
}

/// Everybody outside of the stores who holds opened identities.
package final class OpenedIdentities: Sendable {
    private struct Holder {
        weak var it: (any HoldsIdentities)?
    }

    private let holders = Mutex<[Holder]>([])

    /// Tells `holder` of every lock, as long as it lives.
    package func add(_ holder: any HoldsIdentities) {
        holders.withLock { holders in
            holders.removeAll { $0.it == nil }
            holders.append(Holder(it: holder))
        }
    }

    /// Tells all of them that the stores lock.
    func forget() {
        for holder in holders.withLock({ $0 }) { holder.it?.forget() }
    }
}
