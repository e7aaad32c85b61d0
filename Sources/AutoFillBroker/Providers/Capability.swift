import AutoFillProtocol

/// What a provider must declare before something is asked of it.
struct Capability: Sendable {
    /// Whether it is declared.
    let isDeclared: @Sendable (ProviderCapabilities) -> Bool
    /// What a provider without it does not do, as it goes on after "does not".
    let words: String

    /// Suggestions of one kind.
    static func suggesting(_ kind: CredentialKind) -> Capability {
        switch kind {
        case .password: Capability(isDeclared: \.providesPasswords, words: "provide passwords")
        case .passkey: Capability(isDeclared: \.providesPasskeys, words: "provide passkeys")
        case .oneTimeCode: oneTimeCodes
        }
    }

    /// A list to choose from; of passkeys only where there is something to sign.
    static func listing(passkeys: Bool) -> Capability {
        Capability(
            isDeclared: { $0.providesPasswords || passkeys && $0.providesPasskeys },
            words: passkeys ? "provide passwords or passkeys" : "provide passwords")
    }

    static let oneTimeCodes = Capability(isDeclared: \.providesOneTimeCodes, words: "provide one-time codes")
    static let text = Capability(isDeclared: \.providesTextToInsert, words: "provide text")
    static let registering = Capability(isDeclared: \.providesPasskeys, words: "keep passkeys")
    static let registeringInBackground = Capability(
        isDeclared: \.supportsConditionalPasskeyRegistration, words: "make passkeys in the background")
    static let saving = Capability(isDeclared: \.supportsSavePasswordCredentials, words: "keep new passwords")
    static let generating = Capability(isDeclared: \.supportsGeneratePasswordCredentials, words: "propose passwords")
    static let reports = Capability(isDeclared: \.supportsCredentialUpdate, words: "take reports of credentials")
    static let configuring = Capability(
        isDeclared: \.showsConfigurationUI, words: "have an interface to set it up")

    /// The kinds of identities that may be suggested.
    static func suggested(_ capabilities: ProviderCapabilities) -> Set<CredentialKind> {
        Set(CredentialKind.allCases.filter { suggesting($0).isDeclared(capabilities) })
    }

    /// The kinds of which there is a list to choose from.
    static func listed(_ capabilities: ProviderCapabilities) -> [CredentialKind] {
        (listing(passkeys: false).isDeclared(capabilities) ? [.password] : [])
            + (capabilities.providesPasskeys ? [.passkey] : [])
            + (oneTimeCodes.isDeclared(capabilities) ? [.oneTimeCode] : [])
    }
}

extension ProviderCapabilities {
    /// What Passwords, the provider in the box, declares.
    static let ofPasswords = {
        var capabilities = ProviderCapabilities()
        capabilities.providesPasswords = true
        return capabilities
    }()
}
