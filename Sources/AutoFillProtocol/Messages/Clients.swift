package import AutoFillWire

/// A program that asked, and what the person said to it.
package struct ApprovedClient: Codable, Hashable, Sendable {
    /// What the person decided.
    package enum Decision: String, Codable, CaseIterable, Sendable {
        /// It may ask.
        case approved
        /// It may not, and is not asked about again.
        case refused
        /// It asked, and nobody has answered.
        case waiting
    }

    /// How many digits of an ``identifier`` name it in commands, as long as no other begins with the same.
    package static let shownDigits = 8

    /// 32 hexadecimal digits.
    package let identifier: String
    /// What it is called.
    package let name: String
    /// The file that it runs; nil where the kernel does not say.
    package let path: String?
    /// The file of the browser that started it; nil for what is no host of ours, or where that is not told.
    package let browser: String?
    /// What it said it is.
    package let role: Role
    /// Which profile, of a browser.
    package let profile: BrowserProfile?
    /// Whether the system vouches for it: it runs with the group of Keyway's own programs.
    package let isKnown: Bool
    /// What the person decided.
    package let decision: Decision
    /// When, in milliseconds since 1970.
    package let decidedAt: Int64?
    /// How the person showed who decided; nil where a click was enough.
    package let method: VerificationMethod?
    /// When it last asked, in milliseconds since 1970.
    package let lastAsked: Int64?

    /// A client by its parts.
    package init(
        identifier: String, name: String, path: String?, browser: String?, role: Role, profile: BrowserProfile?,
        isKnown: Bool, decision: Decision, decidedAt: Int64?, method: VerificationMethod?, lastAsked: Int64?
    ) {
        self.identifier = identifier
        self.name = name
        self.path = path
        self.browser = browser
        self.role = role
        self.profile = profile
        self.isKnown = isKnown
        self.decision = decision
        self.decidedAt = decidedAt
        self.method = method
        self.lastAsked = lastAsked
    }
}

/// Which programs may ask.
package enum ListClients: RemoteMethod {
    package typealias Parameters = Nothing

    package struct Result: Codable, Hashable, Sendable {
        /// All of them: what waits first, then by name.
        package let clients: [ApprovedClient]

        /// A list.
        package init(clients: [ApprovedClient]) {
            self.clients = clients
        }
    }

    package static let name = "clients.list"
    package static let callers: Set<Role> = [.terminal]
}

/// Approves, refuses, renames or forgets a program.
package enum ChangeClient: RemoteMethod {
    package typealias Result = ListClients.Result

    /// What becomes of it.
    package enum Change: Codable, Hashable, Sendable {
        /// It may ask from now on; the person is asked where no program can answer for them, or verified.
        case approve
        /// It may not, and its open connections end.
        case refuse
        /// As if it had never asked; its open connections end.
        case forget
        /// What it is called.
        case rename(String)
        /// A browser's profile may fill this site from now on; asked or verified as for an approval.
        case allowSite(String)
    }

    package struct Parameters: Codable, Hashable, Sendable {
        /// ``ApprovedClient/identifier``.
        package let identifier: String
        /// What becomes of it.
        package let change: Change

        /// `change` of the client `identifier`.
        package init(identifier: String, change: Change) {
            self.identifier = identifier
            self.change = change
        }
    }

    package static let name = "clients.change"
    package static let callers: Set<Role> = [.terminal]
}
