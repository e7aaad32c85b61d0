import AutoFillProtocol

/// One thing that a provider must do, or must not do.
struct Rule: Sendable {
    /// How it is called on the command line and in reports.
    let name: String
    /// What it says, in a sentence.
    let says: String
    /// Why it is one, in a sentence.
    let why: String
    /// What to do where it is broken, in a sentence.
    let remedy: String
    /// Whether it concerns a provider with these capabilities: nil when it does, else which one is missing.
    let applies: @Sendable (ProviderCapabilities) -> String?
    /// Looks whether it is kept; throws when not.
    let check: @Sendable (Subject) async throws(Objection) -> Void

    /// A rule; without `needs` it concerns every provider.
    init(
        _ name: String, _ says: String, why: String, remedy: String, needs: Need? = nil,
        check: @escaping @Sendable (Subject) async throws(Objection) -> Void
    ) {
        self.name = name
        self.says = says
        self.why = why
        self.remedy = remedy
        self.applies = { needs?.missing(in: $0) }
        self.check = check
    }
}

/// A capability that a rule is about.
enum Need: String, Sendable {
    case passwords = "ProvidesPasswords"
    case passkeys = "ProvidesPasskeys"
    case oneTimeCodes = "ProvidesOneTimeCodes"
    case codeSetup = "KeywaySetsUpOneTimeCodes"
    case text = "ProvidesTextToInsert"
    case configuration = "ShowsConfigurationUI"
    case conditionalRegistration = "SupportsConditionalPasskeyRegistration"
    case reports = "SupportsCredentialUpdate"
    case saving = "SupportsSavePasswordCredentials"
    case generating = "SupportsGeneratePasswordCredentials"
    case generatingInterface = "SupportsGeneratePasswordCredentialsWithUI"
    /// A list of passwords or passkeys.
    case list = "ProvidesPasswords or ProvidesPasskeys"

    /// The sentence that says what is missing; nil when it is there.
    func missing(in capabilities: ProviderCapabilities) -> String? {
        isDeclared(by: capabilities) ? nil : "it does not declare \(rawValue)"
    }

    func isDeclared(by capabilities: ProviderCapabilities) -> Bool {
        switch self {
        case .passwords: capabilities.providesPasswords
        case .passkeys: capabilities.providesPasskeys
        case .oneTimeCodes: capabilities.providesOneTimeCodes
        case .codeSetup: capabilities.setsUpOneTimeCodes
        case .text: capabilities.providesTextToInsert
        case .configuration: capabilities.showsConfigurationUI
        case .conditionalRegistration:
            capabilities.supportsConditionalPasskeyRegistration && capabilities.providesPasskeys
        case .reports: capabilities.supportsCredentialUpdate
        case .saving: capabilities.supportsSavePasswordCredentials
        case .generating: capabilities.supportsGeneratePasswordCredentials
        case .generatingInterface: capabilities.supportsGeneratePasswordCredentialsWithUI
        case .list: capabilities.providesPasswords || capabilities.providesPasskeys
        }
    }
}
