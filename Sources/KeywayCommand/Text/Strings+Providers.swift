import AutoFillWire
import AutoFillProtocol

/// What the commands about providers say.
extension Strings {
    // MARK: What a provider is

    static let changedSince = "changed"
    static func state(_ provider: InstalledProvider) -> String {
        if provider.isEnabled { return enabled }
        return provider.hasChanged ? changedSince : disabled
    }
    static let capabilityNames: [(any KeyPath<ProviderCapabilities, Bool> & Sendable, String)] = [
        (\.providesPasswords, "passwords"), (\.providesPasskeys, "passkeys"), (\.providesOneTimeCodes, "codes"),
        (\.providesTextToInsert, "text"), (\.supportsSavePasswordCredentials, "save"),
        (\.supportsGeneratePasswordCredentials, "generate"),
        (\.supportsConditionalPasskeyRegistration, "automatic passkeys"), (\.supportsCredentialUpdate, "reports"),
        (\.showsConfigurationUI, "set-up"),
    ]
    static func capabilities(_ capabilities: ProviderCapabilities) -> [String] {
        capabilityNames.filter { capabilities[keyPath: $0.0] }.map(\.1)
            + capabilities.credentialExchangeVersions.map { "exchange \($0)" }
    }
    static let none = "(none)"
    static let hasService = "stays in memory between requests"
    static let noService = "none; the extension ends when idle"
    static func owner(_ provider: InstalledProvider) -> String {
        provider.scope == .system ? "installed for everybody" : "installed by you"
    }
    static func application(_ application: ProviderApplication) -> String {
        let state =
            application.isApproved
            ? "approved" : application.isRequested ? "not approved, asks to be" : "not approved"
        return "\(application.path) (\(state))"
    }
    static let sharedFolder = "a folder that only its extension, its service and its approved apps are told of"

    // MARK: What waits for the person

    static func changedSinceEnabled(_ provider: InstalledProvider) -> String {
        "\(provider.reference.name) has changed since it was turned on, and is off. "
            + "To turn it on as it is now: `keyway providers enable \(provider.reference.identifier)`."
    }
    static func asksToBeEnabled(_ provider: InstalledProvider) -> String {
        "The app of \(provider.reference.name) asks to have it turned on: "
            + "`keyway providers enable \(provider.reference.identifier)`."
    }
    static func asksToBeApproved(_ application: ProviderApplication, _ provider: InstalledProvider) -> String {
        "\(application.path) asks to act for \(provider.reference.name): "
            + "`keyway providers approve \(provider.reference.identifier) \(application.path)`."
    }

    // MARK: Turning on

    static func aboutToEnable(_ name: String) -> String { "This is what \(name) asks for:" }
    static func confirmEnabling(_ name: String) -> String { "Turn \(name) on?" }
    static let confirmEnablingByOption = "Give --yes to turn it on without being asked."
    static let nothingEnabled = "Nothing was turned on."
    static func mustBeSetUp(_ name: String, _ identifier: String) -> String {
        "\(name) is on and wants to be set up, in a terminal: `keyway providers configure \(identifier)`."
    }
    static func notSetUp(_ name: String, _ reason: String) -> String { "\(name) is on, but not set up: \(reason)" }
    static func configure(_ identifier: String) -> String { "Try again: `keyway providers configure \(identifier)`." }
    static func isSetUp(_ name: String) -> String { "\(name) is set up." }
    static func cannotBeSetUp(_ name: String) -> String { "\(name) has no interface to be set up with." }
    static let setUpNeedsTerminal = "A provider is set up in a terminal, and there is none here."

    // MARK: Apps

    static func hasNoApplication(_ name: String) -> String { "\(name) has no app." }
    static func severalApplications(_ name: String) -> String { "\(name) has several apps." }
    static func nameApplication(_ paths: [String]) -> String { "Name one: \(paths.joined(separator: ", "))." }
    static func isApproved(_ path: String, _ name: String) -> String { "\(path) acts for \(name) from now on." }
    static func isRevoked(_ path: String, _ name: String) -> String { "\(path) acts for \(name) no longer." }
    static func nothingToRevoke(_ name: String) -> String { "No app of \(name) is approved." }

    // MARK: Debugging

    static func debugged(_ name: String, _ result: DebugProvider.Result) -> String {
        "The extension of \(name) is process \(result.processIdentifier): \(result.path)."
    }
    static func attach(_ processIdentifier: Int32) -> String { "gdb -p \(processIdentifier)" }
    static func howToAttach(_ processIdentifier: Int32, waits: Bool) -> String {
        "Attach to it: `\(attach(processIdentifier))`"
            + (waits ? ". It stands still until the debugger is told `continue`." : ".")
    }
    static let debugLasts =
        "It answers this terminal only, and has no deadlines until Control-C ends this command."
    static let debugEnded = "The broker ended the debugging."

    // MARK: Saving and proposing

    static func saved(_ provider: String) -> String { "\(provider) keeps it." }
    static let userMissing = "--user is missing: a password is kept for a user name."
    static let chooseProposal = "Choose a password"
    static func noProposal(_ provider: String) -> String { "\(provider) proposed no password." }
    static func noProposalOfKind(_ kind: String) -> String { "No proposal is of the kind \(kind)." }
    static func kindsAre(_ kinds: [String]) -> String { "There is: \(kinds.joined(separator: ", "))." }
    static let eitherCodeOrText = "--code, --text and --field exclude each other."
    static let textIsChosen = "A text is chosen in the provider's own list, and belongs to no service."
    static func deliveredSomethingElse(_ provider: String) -> String {
        "\(provider) delivered something else than was asked for."
    }
}
