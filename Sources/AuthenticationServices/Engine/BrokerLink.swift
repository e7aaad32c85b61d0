package import AutoFillProtocol
import Foundation
import Synchronization

/// The one connection of a bundle's process to the broker: the descriptor that the process was born with.
package final class BrokerLink: Sendable {
    /// The number of the descriptor.
    package static let descriptorNumber: CInt = 3
    /// The link of this process.
    package static let process = BrokerLink()

    private let state = Mutex<Task<Connection, any Error>?>(nil)

    /// A link that opens itself when it is needed.
    package init() {}

    /// Greets the broker over `connection`, which has been started, and makes it the link's.
    package func greet(over connection: Connection, as role: Role) {
        state.withLock { $0 = Self.greeting(connection, role) }
    }

    /// The connection to the broker, which has been greeted. A process that is not an extension greets as its bundle's
    /// service.
    ///
    /// - Throws: ``ProtocolError`` with the code `disabled` when the process was not started by the broker.
    package func connection() async throws -> Connection {
        let opening = try state.withLock { state in
            if let state { return state }
            let connection = Connection(descriptor: try Self.inheritedDescriptor(), peer: .known(.broker))
            connection.start()
            let opening = Self.greeting(connection, .providerService)
            state = opening
            return opening
        }
        return try await opening.value
    }

    private static func greeting(_ connection: Connection, _ role: Role) -> Task<Connection, any Error> {
        Task {
            try await connection.greet(as: role, name: ProcessInfo.processInfo.processName)
            return connection
        }
    }

    /// The descriptor that the broker gave to this process.
    ///
    /// - Throws: ``ProtocolError`` with the code `disabled` when there is none, or when somebody else's is in its place.
    static func inheritedDescriptor() throws(ProtocolError) -> OwnedDescriptor {
        let refusal = ProtocolError(.disabled, "This process was not started by keywayd.")
        var domain: CInt = 0
        var length = socklen_t(MemoryLayout<CInt>.size)
        guard getsockopt(descriptorNumber, SOL_SOCKET, SO_DOMAIN, &domain, &length) == 0, domain == AF_UNIX,
            isOurs(descriptorNumber)
        else { throw refusal }
        _ = fcntl(descriptorNumber, F_SETFD, FD_CLOEXEC)
        return OwnedDescriptor(descriptorNumber)
    }

    /// Whether a process of this user is at the other end of a socket, which stays open whatever it is.
    private static func isOurs(_ number: CInt) -> Bool {
        let copy = fcntl(number, F_DUPFD_CLOEXEC, 3)
        return copy >= 0 && PeerIdentity(socket: OwnedDescriptor(copy))?.isOurUser == true
    }
}
