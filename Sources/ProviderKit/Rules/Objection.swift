/// Why a rule was not found kept.
package enum Objection: Error, Hashable, Sendable {
    /// The provider breaks it: what was seen.
    case broken(String)
    /// The rule does not concern this provider: why.
    case notApplicable(String)
    /// Nobody can say: why not, and what would help.
    case unchecked(String)
}

/// Breaks a rule unless `condition` holds.
func expect(_ condition: Bool, _ seen: @autoclosure () -> String) throws(Objection) {
    if !condition { throw .broken(seen()) }
}
