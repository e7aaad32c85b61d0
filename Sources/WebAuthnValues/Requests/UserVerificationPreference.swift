/// How much a relying party wants the person verified (WebAuthn Level 3, section 5.8.6).
package enum UserVerificationPreference: String, Codable, Sendable, CaseIterable {
    /// The person must be verified.
    case required
    /// The person is verified where that is set up.
    case preferred
    /// The person need not be verified.
    case discouraged

    /// The requirement that a page or an app stated; an unknown one, and none, is `preferred` (section 5.4.4).
    package init(stated: String?) {
        self = stated.flatMap(UserVerificationPreference.init(rawValue:)) ?? .preferred
    }
}
