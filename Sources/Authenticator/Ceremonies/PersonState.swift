import WebAuthnValues

/// What is known of the person in this ceremony: a fact that the caller has seen to, never a wish.
package enum PersonState: Hashable, Sendable, CaseIterable {
    /// Nobody was asked: only a conditional registration may happen then.
    case absent
    /// Somebody agreed to this request.
    case present
    /// Somebody agreed, and was verified within this request.
    case verified

    /// What the authenticator data says of it.
    var flags: AuthenticatorData.Flags {
        switch self {
        case .absent: []
        case .present: .userPresent
        case .verified: [.userPresent, .userVerified]
        }
    }
}

/// Whether a passkey can be, and is, on other devices than this one.
package enum BackupState: Hashable, Sendable, CaseIterable {
    /// It stays on this device for as long as it lives.
    case deviceBound
    /// It may be copied, and is nowhere else now.
    case eligible
    /// It has a copy elsewhere.
    case backedUp

    /// What the authenticator data says of it.
    var flags: AuthenticatorData.Flags {
        switch self {
        case .deviceBound: []
        case .eligible: .backupEligible
        case .backedUp: [.backupEligible, .backedUp]
        }
    }
}
