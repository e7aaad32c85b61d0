/// The entitlements of an application that are read here.
enum EntitlementKey: String {
    /// The domains that it says it belongs to.
    case associatedDomains = "com.apple.developer.associated-domains"
}
