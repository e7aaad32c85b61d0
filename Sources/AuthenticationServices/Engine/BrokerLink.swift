import AutoFillClient
package import AutoFillWire
import Foundation
import KeywaySystem
import Synchronization

/// The one connection of this process to the broker: of a bundle's process the descriptor that it was born with, of an
/// app one that it opens when it is needed.
package final class BrokerLink: Sendable {
    /// The link of this process.
    package static let process = BrokerLink()

    private struct State {
        var opening: Task<Connection, any Error>?
        /// Whether it is the one that a bundle's process was born with: there is no other after it.
        var isGiven = false
    }

    private let state = Mutex(State())
    private let open: @Sendable () async throws -> Connection

    /// A link that opens itself when it is needed.
    package init() {
        open = { try await Self.openForThisProcess() }
    }

    /// A link that is opened by `open`, again when the connection has ended.
    package init(open: @escaping @Sendable () async throws -> Connection) {
        self.open = open
    }

    /// Greets the broker over `connection`, which has been started, and makes it the link's.
    package func greet(over connection: Connection, as role: Role) {
        state.withLock { state in
            state.opening = Task(executorPreference: CallerQueue.shared) { try await connection.greeted(as: role) }
            state.isGiven = true
        }
        // `LAContext` asks over it too.
        if role == .providerExtension || role == .providerApplication {
            ProviderChannel.set { [weak self] in try await Self.connection(of: self) }
        }
        // What is closed is not kept: the connection keeps who answers on it, and so this link.
        connection.onClose { [weak self] in
            let closed = Task<Connection, any Error> { throw ProtocolError(.connectionClosed, "Keyway has stopped.") }
            self?.state.withLock { $0.opening = closed }
        }
    }

    private static func connection(of link: BrokerLink?) async throws -> Connection {
        guard let link else { throw ProtocolError(.connectionClosed, "Keyway has stopped.") }
        return try await link.connection()
    }

    /// The connection to the broker, which has been greeted.
    ///
    /// - Throws: ``ProtocolError``: `brokerNotRunning` where an app can neither find nor start the broker, or what the
    ///   greeting ended with.
    package func connection() async throws -> Connection {
        let (opening, isNew) = opening(after: nil)
        if isNew { return try await opening.value }
        if state.withLock({ $0.isGiven }) { return try await opening.value }
        // What has ended, or never began, is tried again: an app outlives brokers.
        if let connection = try? await opening.value, !connection.isClosed { return connection }
        return try await self.opening(after: opening).task.value
    }

    /// The opening that goes on or has succeeded; a new one where there is none but `ended`.
    private func opening(
        after ended: Task<Connection, any Error>?
    ) -> (task: Task<Connection, any Error>, isNew: Bool) {
        state.withLock { state in
            if let opening = state.opening, opening != ended { return (opening, false) }
            let opening = Task(executorPreference: CallerQueue.shared) { [open] in try await open() }
            state.opening = opening
            return (opening, true)
        }
    }
}

// MARK: - Which way

extension BrokerLink {
    /// A process of a bundle that is not its extension is its service; whoever was not started by the broker is an app.
    private static func openForThisProcess() async throws -> Connection {
        guard let descriptor = try? inheritedDescriptor() else {
            let name = ProcessInfo.processInfo.processName
            return try await BrokerDoor.current().connect(
                as: .application, name: name, methods: Self.applicationMethods)
        }
        let connection = Connection(descriptor: descriptor, peer: .known(.broker))
        connection.start()
        return try await connection.greeted(as: .providerService)
    }

    /// The descriptor that the broker gave to this process.
    ///
    /// - Throws: ``ProtocolError`` with the code `disabled` when there is none, or when somebody else's is in its place.
    static func inheritedDescriptor() throws(ProtocolError) -> OwnedDescriptor {
        try InheritedChannel.take()
    }
}

extension Connection {
    /// This connection, once the broker has been told what this process is.
    fileprivate func greeted(as role: Role) async throws -> Connection {
        try await greet(as: role, name: ProcessInfo.processInfo.processName)
        return self
    }
}
