/// After how many seconds without use the administrator of the computer wants the vault locked at the latest.
package enum IdleCeiling: Hashable, Sendable {
    /// So many; nil for any.
    case known(Int?)
    /// Nobody said.
    case unknown
}
