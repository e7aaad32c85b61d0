import AutoFillProtocol
import AutoFillWire

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
    static let hasService = "keeps running between requests"
    static let noService = "none; the extension stops when idle"
    static func owner(_ provider: InstalledProvider) -> String {
        provider.scope == .system ? "installed for all users" : "installed by you"
    }
    static func application(_ application: ProviderApplication) -> String {
        let state =
            application.isApproved
            ? "approved" : application.isRequested ? "not approved, waiting" : "not approved"
        return "\(application.path) (\(state))"
    }
    static let sharedFolder = "a folder shared only with its extension, service and approved apps"

    // MARK: What waits for the person

    static func changedSinceEnabled(_ provider: InstalledProvider) -> String {
        providerChanged(provider.reference.name)
            + ". To turn it on again: `keyway providers enable \(provider.reference.identifier)`."
    }
    static func asksToBeEnabled(_ provider: InstalledProvider) -> String {
        "The app of \(provider.reference.name) asks you to turn the provider on: "
            + "`keyway providers enable \(provider.reference.identifier)`."
    }
    static func asksToBeApproved(_ application: ProviderApplication, _ provider: InstalledProvider) -> String {
        "\(application.path) asks to act for \(provider.reference.name): "
            + "`keyway providers approve \(provider.reference.identifier) \(application.path)`."
    }

    // MARK: Turning on

    static func aboutToEnable(_ name: String) -> String { "\(name) asks for:" }
    static func confirmEnabling(_ name: String) -> String { "Turn on \(name)?" }
    static let confirmEnablingByOption = "To skip this question, use --yes."
    static let nothingEnabled = "Nothing was turned on."
    static func mustBeSetUp(_ name: String, _ identifier: String) -> String {
        "\(name) is on and needs to be set up in a terminal: `keyway providers configure \(identifier)`."
    }
    static func notSetUp(_ name: String, _ reason: String) -> String { "\(name) is on but not set up: \(reason)" }
    static func configure(_ identifier: String) -> String { "Try again: `keyway providers configure \(identifier)`." }
    static func isSetUp(_ name: String) -> String { "\(name) is set up." }
    static func cannotBeSetUp(_ name: String) -> String { "\(name) has no setup screen." }
    static let setUpNeedsTerminal = "You can set up a provider only in a terminal."

    // MARK: Apps

    static func hasNoApplication(_ name: String) -> String { "\(name) has no app." }
    static func severalApplications(_ name: String) -> String { "\(name) has several apps." }
    static func nameApplication(_ paths: [String]) -> String { "Choose one: \(paths.joined(separator: ", "))." }
    static func isApproved(_ path: String, _ name: String) -> String { "\(path) can now act for \(name)." }
    static func isRevoked(_ path: String, _ name: String) -> String { "\(path) can no longer act for \(name)." }
    static func nothingToRevoke(_ name: String) -> String { "\(name) has no approved app." }

    // MARK: Debugging

    static func debugged(_ name: String, _ result: DebugProvider.Result) -> String {
        "The extension of \(name) runs as process \(result.processIdentifier): \(result.path)."
    }
    static func attach(_ processIdentifier: Int32) -> String { "gdb -p \(processIdentifier)" }
    static func howToAttach(_ processIdentifier: Int32, waits: Bool) -> String {
        "Attach a debugger: `\(attach(processIdentifier))`"
            + (waits ? ". The extension stays stopped until you enter `continue`." : ".")
    }
    static let debugLasts =
        "Until you press Control-C, it answers only this terminal and has no deadlines."
    static let debugEnded = "Keyway stopped debugging."

    // MARK: Saving and proposing

    static func saved(_ provider: String) -> String { "Saved in \(provider)." }
    static let userMissing = "--user is missing. Give the user name that the password belongs to."
    static let serviceMissing = "The site is missing. Give a URL or domain name."
    static let noUnsavedSites = "Keyway offers to save passwords on all sites."
    static func asksAgain(_ site: String) -> String {
        "Keyway offers to save passwords on \(site) again."
    }
    static let chooseProposal = "Choose a password"
    static func noProposal(_ provider: String) -> String { "\(provider) suggested no password." }
    static func noProposalOfKind(_ kind: String) -> String { "There is no suggestion of the kind \(kind)." }
    static func kindsAre(_ kinds: [String]) -> String { "Available kinds: \(kinds.joined(separator: ", "))." }
    static let eitherCodeOrText = "--code, --text and --field can't be combined."
    static let textIsChosen = "With --text, you choose from the provider's own list. Leave out the service."
    static func deliveredSomethingElse(_ provider: String) -> String {
        "\(provider) returned something other than Keyway asked for."
    }
}
