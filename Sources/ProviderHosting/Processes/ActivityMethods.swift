package import AutoFillWire

/// What the broker answers the app of a provider while it continues an activity.
package protocol ActivityMethods: Sendable {
    /// Answers what the process may ask that continues the activity number `activity` for `bundle`.
    func addMethods(to table: inout MethodTable, for bundle: ProviderBundle, activity: Int)
}

extension Role {
    /// What the program of a bundle that has this role is called, in the log and in its control group.
    var part: String {
        switch self {
        case .providerService: "service"
        case .providerApplication: "app"
        default: "extension"
        }
    }
}
