package import AutoFillWire
package import KeywaySystem

/// What the long-running half of a bundle says of itself.
package enum ServiceState: String, Codable, Sendable {
    /// It can answer without the person.
    case ready
    /// It needs the person first.
    case locked
}

/// Asks for a conversation with a bundle's service, which is started when it does not run.
package enum ConnectService: RemoteMethod {
    package struct Parameters: Codable, Hashable, Sendable {
        /// `CFBundleIdentifier` of the bundle; an extension reaches its own service only, whatever stands here.
        package let provider: String?

        /// Asks for the service of `provider`.
        package init(provider: String?) {
            self.provider = provider
        }
    }

    package struct Result: Codable, Sendable {
        /// One end of a socket pair whose other end the service has.
        package let connection: Attachment

        /// A connected socket.
        package init(connection: Attachment) {
            self.connection = connection
        }
    }

    package static let name = "service.connect"
    package static let callers: Set<Role> = [.terminal, .providerExtension, .providerApplication]
}

/// Who is behind a conversation that the broker hands to a service: from the kernel, never from the client.
package enum ServiceClient: Codable, Hashable, Sendable {
    /// The bundle's own extension, while it answers for pages.
    case providerExtension
    /// The bundle's own extension, while it answers for one terminal session: it gets what that session would.
    case extensionForTerminal(TerminalSession)
    /// `keyway` in a terminal session.
    case terminal(TerminalSession)

    /// The terminal session that stands behind it; nil for pages.
    package var terminalSession: TerminalSession? {
        switch self {
        case .providerExtension: nil
        case .extensionForTerminal(let session), .terminal(let session): session
        }
    }
}

/// Hands a service one end of a conversation.
package enum AttachClient: RemoteMethod {
    package typealias Result = Nothing

    package struct Parameters: Codable, Sendable {
        /// Who is at the other end.
        package let client: ServiceClient
        /// The service's end.
        package let connection: Attachment
        /// The process that leads the client's terminal session (pidfd_open(2)): a service in its sandbox does not see it.
        package let leader: Attachment?
        /// What the service names the client by when it asks whether it may hand something out (``PermitService``); nil for
        /// one that needs no permission: the bundle's own extension, whose requests the broker judges itself.
        package let number: Int?

        /// A conversation with `client`.
        package init(client: ServiceClient, connection: Attachment, leader: Attachment? = nil, number: Int? = nil) {
            self.client = client
            self.connection = connection
            self.leader = leader
            self.number = number
        }
    }

    package static let name = "service.attach"
    package static let callers: Set<Role> = [.broker]
}

/// Asks for a connection to the bus of the system, which a bundle that declares `SystemBus` may have. Its processes make
/// no sockets, so the broker connects for them; what is said there goes past the broker.
package enum ConnectSystemBus: RemoteMethod {
    package typealias Parameters = Nothing

    package struct Result: Codable, Sendable {
        /// A socket that is connected to the bus, on which nothing has been said.
        package let connection: Attachment

        /// A connected socket.
        package init(connection: Attachment) {
            self.connection = connection
        }
    }

    package static let name = "systemBus.connect"
    package static let callers: Set<Role> = [.providerService, .providerExtension]
}

/// A service asks, before it hands out what a program in a terminal asked it for: the same checks are made, the same
/// limits hold and the same history is written as for a fill.
package enum PermitService: RemoteMethod {
    package typealias Result = Nothing

    /// What would be handed out.
    package enum Purpose: Codable, Hashable, Sendable {
        /// Nothing, but something is done that takes what was unlocked in the terminal.
        case use
        /// Nothing, but everything that is kept is replaced by a backup: the person is verified, whatever is set.
        case replacement
        /// Everything that is kept, in a document that no key seals; the service has verified the person for it.
        case export
        /// Names of accounts, and no secret.
        case names
        /// The secrets of one account.
        case account(Account)
        /// Whether what a document says are the secrets of accounts: who guesses learns what they are.
        case comparison(Comparison)
    }

    /// The accounts that a document is compared with. No secret.
    package struct Comparison: Codable, Hashable, Sendable {
        /// The most accounts that are named: as many as may be given at once.
        package static let named = 20
        /// The provider's own names of them, as in ``Account``; the first ``named``.
        package let records: [String]
        /// How many they are in all.
        package let count: Int

        /// The accounts with these names, of `count` in all.
        package init(records: [String], count: Int) {
            self.records = records
            self.count = count
        }
    }

    /// One account, as the provider calls it. No secret.
    package struct Account: Codable, Hashable, Sendable {
        /// The provider's own name of it: what tells it from others.
        package let record: String
        /// The user name; empty where it has none.
        package let user: String
        /// Where it signs in to, or what the person calls it.
        package let service: String
        /// What kind of credential.
        package let kind: CredentialKind?

        /// The account `user` at `service`, which its provider calls `record`.
        package init(record: String, user: String, service: String, kind: CredentialKind?) {
            self.record = record
            self.user = user
            self.service = service
            self.kind = kind
        }
    }

    package struct Parameters: Codable, Hashable, Sendable {
        /// The client's number, from ``AttachClient``.
        package let number: Int
        /// What would be handed out.
        package let purpose: Purpose

        /// Asks for `purpose`, for the client `number`.
        package init(number: Int, purpose: Purpose) {
            self.number = number
            self.purpose = purpose
        }
    }

    package static let name = "service.permit"
    package static let callers: Set<Role> = [.providerService]
}

/// A service asks what the administrator of the computer wants of it, when it was unlocked and from time to time.
package enum ReadServiceLimits: RemoteMethod {
    package typealias Parameters = Nothing

    package struct Result: Codable, Hashable, Sendable {
        /// After how many seconds without use it locks at the latest; nil for when it likes.
        package let idleLimit: Int?

        /// Limits by their parts.
        package init(idleLimit: Int?) {
            self.idleLimit = idleLimit
        }
    }

    package static let name = "service.limits"
    package static let callers: Set<Role> = [.providerService]
}

/// A service tells that what its master password opens has another name from now on (``CheckMasterPassword``): its key was
/// renewed.
package enum NoteRenewedVault: RemoteMethod {
    package typealias Result = Nothing

    package struct Parameters: Codable, Hashable, Sendable {
        /// The name until now.
        package let former: String
        /// The name from now on.
        package let vault: String

        /// `former` is `vault` from now on.
        package init(former: String, vault: String) {
            self.former = former
            self.vault = vault
        }
    }

    package static let name = "service.noteRenewedVault"
    package static let callers: Set<Role> = [.providerService]
}

/// A service tells whether it can answer without the person.
package enum ServiceStateChanged: RemoteNotification {
    package struct Parameters: Codable, Hashable, Sendable {
        /// How it is now.
        package let state: ServiceState

        /// Now `state`.
        package init(state: ServiceState) {
            self.state = state
        }
    }

    package static let name = "service.stateChanged"
    package static let callers: Set<Role> = [.providerService]
}
