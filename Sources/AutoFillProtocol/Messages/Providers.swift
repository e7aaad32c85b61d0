/// What a bundle can do: the keys of `ASCredentialProviderExtensionCapabilities`.
package struct ProviderCapabilities: Codable, Hashable, Sendable {
    /// `ProvidesPasswords`.
    package let providesPasswords: Bool
    /// `ShowsConfigurationUI`.
    package let showsConfigurationUI: Bool

    /// Capabilities by key.
    package init(providesPasswords: Bool, showsConfigurationUI: Bool) {
        self.providesPasswords = providesPasswords
        self.showsConfigurationUI = showsConfigurationUI
    }
}

/// One installed bundle, as `keyway providers list` shows it.
package struct InstalledProvider: Codable, Hashable, Sendable {
    /// Identifier and name.
    package let reference: ProviderReference
    /// `CFBundleShortVersionString`.
    package let version: String
    /// The bundle's folder.
    package let path: String
    /// Whose folder it lies in.
    package let scope: KeywayPaths.ProviderFolder.Scope
    /// Whether the person turned it on.
    package let isEnabled: Bool
    /// What it declares.
    package let capabilities: ProviderCapabilities
    /// Whether it has a long-running half.
    package let hasService: Bool
    /// How many identities it told the system.
    package let identities: Int
    /// What is wrong with the bundle, in a sentence; such a provider is never started.
    package let problem: String?

    /// A bundle by its parts.
    package init(
        reference: ProviderReference, version: String, path: String, scope: KeywayPaths.ProviderFolder.Scope,
        isEnabled: Bool, capabilities: ProviderCapabilities, hasService: Bool, identities: Int, problem: String?
    ) {
        self.reference = reference
        self.version = version
        self.path = path
        self.scope = scope
        self.isEnabled = isEnabled
        self.capabilities = capabilities
        self.hasService = hasService
        self.identities = identities
        self.problem = problem
    }

    static let sample = InstalledProvider(
        reference: .sample, version: "0.1.0", path: "/usr/share/keyway/providers/Passwords.appex", scope: .system,
        isEnabled: true, capabilities: ProviderCapabilities(providesPasswords: true, showsConfigurationUI: false),
        hasService: true, identities: 3, problem: nil)
}

/// What is installed.
package enum ListProviders: RemoteMethod {
    package struct Result: Codable, Hashable, Sendable {
        /// All bundles, enabled ones first, each by name.
        package let providers: [InstalledProvider]

        /// A list.
        package init(providers: [InstalledProvider]) {
            self.providers = providers
        }
    }

    package static let name = "providers.list"
    package static let callers: Set<Role> = [.terminal]
    package static let summary = "Every installed bundle, and whether the person turned it on."
    package static var sample: (parameters: Nothing, result: Result) { (Nothing(), Result(providers: [.sample])) }
}

/// Turns a provider on or off.
package enum SetProviderEnabled: RemoteMethod {
    package struct Parameters: Codable, Hashable, Sendable {
        /// `CFBundleIdentifier` of the provider.
        package let identifier: String
        /// On or off.
        package let isEnabled: Bool

        /// The choice for `identifier`.
        package init(identifier: String, isEnabled: Bool) {
            self.identifier = identifier
            self.isEnabled = isEnabled
        }
    }

    package struct Result: Codable, Hashable, Sendable {
        /// The provider as it is now.
        package let provider: InstalledProvider

        /// The provider as it is now.
        package init(provider: InstalledProvider) {
            self.provider = provider
        }
    }

    package static let name = "providers.setEnabled"
    package static let callers: Set<Role> = [.terminal]
    package static let summary =
        "Turns a provider on or off. Turned off, it is stopped and what it told the system is wiped."
    package static var sample: (parameters: Parameters, result: Result) {
        (Parameters(identifier: "org.keyway.passwords", isEnabled: true), Result(provider: .sample))
    }
}
