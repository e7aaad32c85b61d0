package import AutoFillWire
package import KeywaySystem

/// What a bundle can do: the keys of `ASCredentialProviderExtensionCapabilities`.
package struct ProviderCapabilities: Codable, Hashable, Sendable {
    /// `ProvidesPasswords`.
    package var providesPasswords = false
    /// `ProvidesPasskeys`.
    package var providesPasskeys = false
    /// `ProvidesOneTimeCodes`.
    package var providesOneTimeCodes = false
    /// `KeywaySetsUpOneTimeCodes`, as far as codes are provided too.
    package var setsUpOneTimeCodes = false
    /// `ProvidesTextToInsert`.
    package var providesTextToInsert = false
    /// `ShowsConfigurationUI`.
    package var showsConfigurationUI = false
    /// `SupportsConditionalPasskeyRegistration`.
    package var supportsConditionalPasskeyRegistration = false
    /// `SupportsCredentialUpdate`.
    package var supportsCredentialUpdate = false
    /// `SupportsSavePasswordCredentials`.
    package var supportsSavePasswordCredentials = false
    /// `SupportsGeneratePasswordCredentials`, as far as passwords are saved too.
    package var supportsGeneratePasswordCredentials = false
    /// `SupportsGeneratePasswordCredentialsWithUI`.
    package var supportsGeneratePasswordCredentialsWithUI = false
    /// `SupportedCredentialExchangeVersions`, where `SupportsCredentialExchange` is on.
    package var credentialExchangeVersions: [String] = []

    /// No capability.
    package init() {}
}

/// How far a bundle's processes are confined on this machine.
package enum ConfinementStrength: String, Codable, CaseIterable, Sendable {
    /// Namespaces (bubblewrap), Landlock, seccomp and limits.
    case full
    /// Landlock, seccomp and limits, without namespaces: the person must have agreed.
    case partial
    /// Limits only: the person must have agreed.
    case none
}

/// What a bundle may reach beside its own folders (`KeywaySandbox`), as the person approved it.
package struct DeclaredSandbox: Codable, Hashable, Sendable {
    /// Files and folders that it may read.
    package var readPaths: [String] = []
    /// Files and folders that it may read and change.
    package var writePaths: [String] = []
    /// Unix sockets that it may connect to.
    package var sockets: [String] = []
    /// Programs outside the bundle that it may run.
    package var programs: [String] = []
    /// Whether it may use the network.
    package var network = false
    /// Whether the broker hands it connections to the bus of the system (``ConnectSystemBus``).
    package var systemBus = false

    /// Nothing.
    package init() {}

    /// Whether its processes need nothing but files and what they are handed. Such a process is confined without a user
    /// namespace, so that nobody else of the person's looks into its memory.
    package var needsNoNamespace: Bool { sockets.isEmpty && programs.isEmpty && !network }
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
    /// Programs that count as the app which contains the extension (`KeywayApplications`).
    package let applications: [ProviderApplication]
    /// The folder that app, extension and service share (`KeywayGroup`).
    package let group: String?
    /// Its app asked to have it turned on, and nobody answered yet.
    package let isRequested: Bool
    /// It has changed since the person turned it on, so it is off until they do so again.
    package let hasChanged: Bool
    /// It is being debugged: nothing it does has a deadline.
    package let isDebugged: Bool
    /// What the person should know of it, in a sentence: why its suggestions are gone, for one.
    package let notice: String?
    /// What it may reach beside its own folders; nil where it declares nothing.
    package let sandbox: DeclaredSandbox?
    /// Whether the person lets it run on a machine that cannot confine it fully.
    package let mayRunUnconfined: Bool?

    /// A bundle by its parts.
    package init(
        reference: ProviderReference, version: String, path: String, scope: KeywayPaths.ProviderFolder.Scope,
        isEnabled: Bool, capabilities: ProviderCapabilities, hasService: Bool, identities: Int, problem: String?,
        applications: [ProviderApplication] = [], group: String? = nil, isRequested: Bool = false,
        hasChanged: Bool = false, isDebugged: Bool = false, notice: String? = nil, sandbox: DeclaredSandbox? = nil,
        mayRunUnconfined: Bool? = nil
    ) {
        self.sandbox = sandbox
        self.mayRunUnconfined = mayRunUnconfined
        self.reference = reference
        self.version = version
        self.path = path
        self.scope = scope
        self.isEnabled = isEnabled
        self.capabilities = capabilities
        self.hasService = hasService
        self.identities = identities
        self.problem = problem
        self.applications = applications
        self.group = group
        self.isRequested = isRequested
        self.hasChanged = hasChanged
        self.isDebugged = isDebugged
        self.notice = notice
    }
}

/// One program of `KeywayApplications`.
package struct ProviderApplication: Codable, Hashable, Sendable {
    /// The program's path.
    package let path: String
    /// Whether the person lets it act for the provider.
    package let isApproved: Bool
    /// Whether it asked, and nobody answered yet.
    package let isRequested: Bool

    /// The program at `path`.
    package init(path: String, isApproved: Bool, isRequested: Bool) {
        self.path = path
        self.isApproved = isApproved
        self.isRequested = isRequested
    }
}

/// What is installed.
package enum ListProviders: RemoteMethod {
    package typealias Parameters = Nothing

    package struct Result: Codable, Hashable, Sendable {
        /// All bundles: the enabled ones in the person's order, then the others by name.
        package let providers: [InstalledProvider]
        /// The identifiers of those that the person turned on and that are not installed any more; nil for none.
        package let missing: [String]?

        /// A list.
        package init(providers: [InstalledProvider], missing: [String]? = nil) {
            self.providers = providers
            self.missing = missing
        }
    }

    package static let name = "providers.list"
    package static let callers: Set<Role> = [.terminal]
}

/// Turns a provider on or off.
package enum SetProviderEnabled: RemoteMethod {
    package struct Parameters: Codable, Hashable, Sendable {
        /// `CFBundleIdentifier` of the provider.
        package let identifier: String
        /// On or off.
        package let isEnabled: Bool
        /// Whether it may run where this machine cannot confine it fully; missing means no.
        package let mayRunUnconfined: Bool?

        /// The choice for `identifier`.
        package init(identifier: String, isEnabled: Bool, mayRunUnconfined: Bool? = nil) {
            self.identifier = identifier
            self.isEnabled = isEnabled
            self.mayRunUnconfined = mayRunUnconfined
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
}

/// Puts the enabled providers in an order: of equal suggestions, those of the first come first.
package enum OrderProviders: RemoteMethod {
    package typealias Result = ListProviders.Result

    package struct Parameters: Codable, Hashable, Sendable {
        /// Identifiers; enabled providers that are not among them follow in the order they had.
        package let identifiers: [String]

        /// The order of `identifiers`.
        package init(identifiers: [String]) {
            self.identifiers = identifiers
        }
    }

    package static let name = "providers.order"
    package static let callers: Set<Role> = [.terminal]
}

/// Shows the interface with which a provider is set up.
package enum ConfigureProvider: RemoteMethod {
    package typealias Result = Nothing

    package struct Parameters: Codable, Hashable, Sendable {
        /// `CFBundleIdentifier` of an enabled provider with `ShowsConfigurationUI`.
        package let identifier: String
        /// Whether the caller shows the interface itself, in its terminal; nil means that it does. Otherwise it is shown
        /// in a window, where there is a desktop.
        package let presents: Bool?

        /// Sets up `identifier`.
        package init(identifier: String, presents: Bool? = nil) {
            self.identifier = identifier
            self.presents = presents
        }
    }

    package static let name = "providers.configure"
    package static let callers: Set<Role> = [.terminal]
}

/// Locks a provider, as when the person goes away: its service is let go, which forgets what it had opened, and so are its
/// extensions. Whatever needs it next asks the person.
package enum LockProvider: RemoteMethod {
    package typealias Result = Nothing

    package struct Parameters: Codable, Hashable, Sendable {
        /// `CFBundleIdentifier` of an enabled provider.
        package let identifier: String

        /// Locks `identifier`.
        package init(identifier: String) {
            self.identifier = identifier
        }
    }

    package static let name = "providers.lock"
    package static let callers: Set<Role> = [.browser]
}

/// Lets the author of a provider look into it: for as long as this connection lasts, an extension that has no deadlines
/// answers the terminal that asked, and nobody else.
package enum DebugProvider: RemoteMethod {
    package struct Parameters: Codable, Hashable, Sendable {
        /// `CFBundleIdentifier` of an enabled provider.
        package let identifier: String
        /// Whether its extension starts stopped, until a debugger lets it go on.
        package let waits: Bool

        /// Debugs `identifier`.
        package init(identifier: String, waits: Bool) {
            self.identifier = identifier
            self.waits = waits
        }
    }

    package struct Result: Codable, Hashable, Sendable {
        /// The extension's process.
        package let processIdentifier: Int32
        /// Its program.
        package let path: String

        /// The process `processIdentifier`, running the program at `path`.
        package init(processIdentifier: Int32, path: String) {
            self.processIdentifier = processIdentifier
            self.path = path
        }
    }

    package static let name = "providers.debug"
    package static let callers: Set<Role> = [.terminal]
}

/// Lets a program act for the provider whose app it is, or no longer.
package enum ApproveApplication: RemoteMethod {
    package typealias Result = SetProviderEnabled.Result

    package struct Parameters: Codable, Hashable, Sendable {
        /// `CFBundleIdentifier` of the provider.
        package let identifier: String
        /// The program, one of the provider's `KeywayApplications`.
        package let path: String
        /// Approved, or not any more.
        package let isApproved: Bool

        /// The choice for the program at `path`.
        package init(identifier: String, path: String, isApproved: Bool) {
            self.identifier = identifier
            self.path = path
            self.isApproved = isApproved
        }
    }

    package static let name = "providers.approveApplication"
    package static let callers: Set<Role> = [.terminal]
}
