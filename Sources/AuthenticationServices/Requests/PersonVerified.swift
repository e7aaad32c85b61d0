import AutoFillProtocol

// An addition of Keyway: on Apple's systems the system verifies the person before it asks a provider, and does not say
// so. Here it may have no way to, and a provider must know what it may state.

extension ASPasskeyCredentialRequest {
    /// Whether the system verified the person for this request before it asked. An addition of Keyway.
    ///
    /// State "user verified" only if this is true, or if you verified the person yourself while you answered this
    /// request: in an interface that asked for a secret, or by `LAContext`. Anything else is refused.
    public var isPersonVerified: Bool {
        switch wire {
        case .assertion(let asked): asked.isPersonVerified == true
        case .registration(let asked): asked.isPersonVerified == true
        case nil: false
        }
    }
}

extension ASPasskeyCredentialRequestParameters {
    /// Whether the system verified the person for this request before it asked. An addition of Keyway, as
    /// ``ASPasskeyCredentialRequest/isPersonVerified``.
    public var isPersonVerified: Bool { wire?.isPersonVerified == true }
}
