package import AutoFillWire

/// How the broker is.
package enum BrokerStatus: RemoteMethod {
    package typealias Parameters = Nothing

    package struct Result: Codable, Hashable, Sendable {
        /// The broker's release.
        package let version: String
        /// The protocol that it speaks.
        package let `protocol`: ProtocolVersion
        /// Its process.
        package let processIdentifier: Int32
        /// Seconds since it started.
        package let uptime: Double
        /// Open connections, this one included.
        package let connections: Int
        /// Processes of bundles that run now.
        package let running: [RunningProcess]
        /// Where the key of the identity stores comes from.
        package let storeKey: StoreKeyState?
        /// How many answers of providers were dropped since it started: late, double, or to nothing that was asked.
        package let droppedAnswers: Int?
        /// How far this machine confines bundles, and why not further.
        package let confinement: ConfinementState?
        /// Settings that were changed behind the broker's back and are not believed: their files, each with a sentence.
        package let disbelieved: [String]?
        /// Whether limits hold for all processes of a bundle together.
        package let sharedLimits: SharedLimitsState?
        /// Whether another program lies where the broker's own did, or none: it ends as soon as it is idle.
        package let isReplaced: Bool?
        /// What the administrator of the computer has set; nil for nothing.
        package let policy: PolicyState?

        /// A status by its parts.
        package init(
            version: String, protocol: ProtocolVersion, processIdentifier: Int32, uptime: Double, connections: Int,
            running: [RunningProcess], storeKey: StoreKeyState? = nil, droppedAnswers: Int? = nil,
            confinement: ConfinementState? = nil, disbelieved: [String]? = nil,
            sharedLimits: SharedLimitsState? = nil, isReplaced: Bool? = nil, policy: PolicyState? = nil
        ) {
            self.isReplaced = isReplaced
            self.policy = policy
            self.sharedLimits = sharedLimits
            self.confinement = confinement
            self.disbelieved = disbelieved
            self.version = version
            self.protocol = `protocol`
            self.processIdentifier = processIdentifier
            self.uptime = uptime
            self.connections = connections
            self.running = running
            self.storeKey = storeKey
            self.droppedAnswers = droppedAnswers
        }
    }

    /// How far bundles are confined.
    package struct ConfinementState: Codable, Hashable, Sendable {
        /// How far.
        package let strength: ConfinementStrength
        /// Why not further, and what to do about it, in a sentence.
        package let detail: String?

        /// A state by its parts.
        package init(strength: ConfinementStrength, detail: String?) {
            self.strength = strength
            self.detail = detail
        }
    }

    /// Whether memory and processes are limited for all processes of a bundle together (control groups).
    package struct SharedLimitsState: Codable, Hashable, Sendable {
        /// Whether they are; otherwise each process is limited alone.
        package let hold: Bool
        /// Why not, in a sentence.
        package let detail: String?

        /// A state by its parts.
        package init(hold: Bool, detail: String?) {
            self.hold = hold
            self.detail = detail
        }
    }

    /// The key under which the identity stores are sealed.
    package struct StoreKeyState: Codable, Hashable, Sendable {
        /// Where it comes from.
        package enum Source: String, Codable, Sendable {
            /// Sealed to this machine's TPM 2.
            case tpm2
            /// The keyring that opens at login.
            case keyring
            /// A file that only the person can read.
            case file
        }

        /// Where it comes from; nil while that is not settled.
        package let source: Source?
        /// Whether it is in memory: not while the login session is locked.
        package let isOpen: Bool
        /// Why a better source is not used, or what is wrong, in a sentence.
        package let detail: String?

        /// A state by its parts.
        package init(source: Source?, isOpen: Bool, detail: String?) {
            self.source = source
            self.isOpen = isOpen
            self.detail = detail
        }
    }

    /// One process of a bundle.
    package struct RunningProcess: Codable, Hashable, Sendable {
        /// Whose process.
        package let provider: ProviderReference
        /// Extension or service.
        package let role: Role
        /// Its process.
        package let processIdentifier: Int32
        /// What a service last said of itself.
        package let state: ServiceState?

        /// A process by its parts.
        package init(provider: ProviderReference, role: Role, processIdentifier: Int32, state: ServiceState?) {
            self.provider = provider
            self.role = role
            self.processIdentifier = processIdentifier
            self.state = state
        }
    }

    package static let name = "status"
    package static let callers: Set<Role> = [.terminal, .browser]
}
