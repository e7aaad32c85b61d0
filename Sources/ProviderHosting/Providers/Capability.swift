package import AutoFillProtocol

/// What a provider must declare before something is asked of it.
package struct Capability: Sendable {
    /// Whether it is declared.
    package let isDeclared: @Sendable (ProviderCapabilities) -> Bool
    /// What a provider without it does not do, as it goes on after "does not".
    package let words: String

    /// Suggestions of one kind.
    package static func suggesting(_ kind: CredentialKind) -> Capability {
        switch kind {
        case .password: Capability(isDeclared: \.providesPasswords, words: "provide passwords")
        case .passkey: Capability(isDeclared: \.providesPasskeys, words: "provide passkeys")
        case .oneTimeCode: oneTimeCodes
        }
    }

    /// A list to choose from; of passkeys only where there is something to sign.
    package static func listing(passkeys: Bool) -> Capability {
        Capability(
            isDeclared: { $0.providesPasswords || passkeys && $0.providesPasskeys },
            words: passkeys ? "provide passwords or passkeys" : "provide passwords")
    }

    /// One-time codes, suggested and listed.
    package static let oneTimeCodes = Capability(isDeclared: \.providesOneTimeCodes, words: "provide one-time codes")
    /// Links that set one-time codes up.
    package static let settingUpCodes = Capability(isDeclared: \.setsUpOneTimeCodes, words: "set up one-time codes")
    /// Any text.
    package static let text = Capability(isDeclared: \.providesTextToInsert, words: "provide text")
    /// New passkeys.
    package static let registering = Capability(isDeclared: \.providesPasskeys, words: "save passkeys")
    /// New passkeys that nobody is asked about.
    package static let registeringInBackground = Capability(
        isDeclared: \.supportsConditionalPasskeyRegistration, words: "create passkeys in the background")
    /// Passwords to keep.
    package static let saving = Capability(isDeclared: \.supportsSavePasswordCredentials, words: "save new passwords")
    /// New passwords.
    package static let generating = Capability(
        isDeclared: \.supportsGeneratePasswordCredentials, words: "suggest new passwords")
    /// What became of credentials.
    package static let reports = Capability(
        isDeclared: \.supportsCredentialUpdate, words: "accept reports about credentials")
    /// An interface with which it is set up.
    package static let configuring = Capability(
        isDeclared: \.showsConfigurationUI, words: "be set up on a screen")

    /// The kinds of identities that may be suggested.
    package static func suggested(_ capabilities: ProviderCapabilities) -> Set<CredentialKind> {
        Set(CredentialKind.allCases.filter { suggesting($0).isDeclared(capabilities) })
    }

    /// The kinds of which there is a list to choose from.
    package static func listed(_ capabilities: ProviderCapabilities) -> [CredentialKind] {
        (listing(passkeys: false).isDeclared(capabilities) ? [.password] : [])
            + (capabilities.providesPasskeys ? [.passkey] : [])
            + (oneTimeCodes.isDeclared(capabilities) ? [.oneTimeCode] : [])
    }
}

extension ProviderCapabilities {
    /// What Passwords, the provider in the box, declares.
    package static let ofPasswords = {
        var capabilities = ProviderCapabilities()
        capabilities.providesPasswords = true
        return capabilities
    }()
}
