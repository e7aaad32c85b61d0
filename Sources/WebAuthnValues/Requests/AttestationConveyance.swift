/// How much a relying party wants to know of the authenticator (WebAuthn Level 3, section 5.4.7).
package enum AttestationConveyance: String, Hashable, Sendable, CaseIterable {
    /// Nothing.
    case none
    /// Something that the client may have made anonymous.
    case indirect
    /// What the authenticator says.
    case direct
    /// Likewise, with what tells this device from others.
    case enterprise

    /// The wish that a page stated; an unknown one, and none, is `none`.
    package init(stated: String?) {
        self = stated.flatMap(AttestationConveyance.init(rawValue:)) ?? .none
    }
}
