/// How the broker is.
package enum BrokerStatus: RemoteMethod {
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

        /// A status by its parts.
        package init(
            version: String, protocol: ProtocolVersion, processIdentifier: Int32, uptime: Double, connections: Int,
            running: [RunningProcess]
        ) {
            self.version = version
            self.protocol = `protocol`
            self.processIdentifier = processIdentifier
            self.uptime = uptime
            self.connections = connections
            self.running = running
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
    package static let summary = "The broker's release, process and the processes it runs."
    package static var sample: (parameters: Nothing, result: Result) {
        (
            Nothing(),
            Result(
                version: "0.1.0", protocol: .current, processIdentifier: 4321, uptime: 12.5, connections: 2,
                running: [
                    RunningProcess(provider: .sample, role: .providerService, processIdentifier: 4330, state: .locked)
                ])
        )
    }
}
