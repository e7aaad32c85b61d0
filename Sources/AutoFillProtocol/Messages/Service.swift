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
    package static let callers: Set<Role> = [.terminal, .providerExtension]
    package static let summary = "One connected socket to a bundle's service, which is told who is behind it."
    package static var sample: (parameters: Parameters, result: Result) {
        get throws { (Parameters(provider: "org.keyway.passwords"), Result(connection: try .sample())) }
    }
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
    package struct Parameters: Codable, Sendable {
        /// Who is at the other end.
        package let client: ServiceClient
        /// The service's end.
        package let connection: Attachment
        /// The process that leads the client's terminal session (pidfd_open(2)): a service in its sandbox does not see it.
        package let leader: Attachment?

        /// A conversation with `client`.
        package init(client: ServiceClient, connection: Attachment, leader: Attachment? = nil) {
            self.client = client
            self.connection = connection
            self.leader = leader
        }
    }

    package static let name = "service.attach"
    package static let callers: Set<Role> = [.broker]
    package static let summary = "Hands a service one end of a conversation, tagged with who is behind it."
    package static var sample: (parameters: Parameters, result: Nothing) {
        get throws {
            let session = TerminalSession(identifier: 4300, leaderStart: 123_456, terminal: 34817)
            return (Parameters(client: .terminal(session), connection: try .sample()), Nothing())
        }
    }
}

/// Asks for a connection to the bus of the system, which a bundle that declares `SystemBus` may have. Its processes make
/// no sockets, so the broker connects for them; what is said there goes past the broker.
package enum ConnectSystemBus: RemoteMethod {
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
    package static let summary = "A connection to the bus of the system, for a bundle that declares `SystemBus`."
    package static var sample: (parameters: Nothing, result: Result) {
        get throws { (Nothing(), Result(connection: try .sample())) }
    }
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
    package static let summary =
        "Whether a service can answer without the person. Locked ends the bundle's extensions; ready retries what waits."
    package static var sample: Parameters { Parameters(state: .ready) }
}
