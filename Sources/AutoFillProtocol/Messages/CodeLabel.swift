/// What a one-time code is called: like its account; of several, with what tells it from the others in brackets behind.
package enum CodeLabel {
    /// Whether `label` is what one of several codes of the account `user` is called: `ada (Work)` for `ada`.
    package static func isOneOfSeveral(_ label: String, of user: String) -> Bool {
        !user.isEmpty && label.hasPrefix("\(user) (") && label.hasSuffix(")")
    }
}
