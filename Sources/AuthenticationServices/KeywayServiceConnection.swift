package import AutoFillProtocol

/// A connected stream socket between the long-running half of a provider's bundle and one that speaks with it.
///
/// What is spoken over it is the provider's affair. The socket is closed when the last reference to this object goes.
public final class KeywayServiceConnection: Sendable {
    /// Who speaks with a service: from the kernel and the broker, never from the client.
    public enum Client: Hashable, Sendable {
        /// The bundle's own extension, while it answers for pages.
        case providerExtension
        /// The bundle's own extension, while it answers for one terminal session: it gets what that session would.
        case extensionForTerminal(TerminalSession)
        /// `keyway`, in a terminal.
        case terminal(TerminalSession)
    }

    /// A terminal session, to be compared with another: what was unlocked in one is open to that one. A later session
    /// is never equal to an earlier one, whatever numbers they share.
    public struct TerminalSession: Hashable, Sendable {
        private let session: AutoFillProtocol.TerminalSession

        fileprivate init(_ session: AutoFillProtocol.TerminalSession) {
            self.session = session
        }

        /// The kernel's number of the session, for messages.
        public var identifier: Int32 { session.identifier }
    }

    /// Who is at the other end of a connection that a service accepted; nil at the extension's own end.
    public let client: Client?
    /// The descriptor, for the system's calls.
    package let descriptor: OwnedDescriptor

    /// A connection over `descriptor` to a service.
    package init(_ descriptor: OwnedDescriptor) {
        self.descriptor = descriptor
        client = nil
    }

    /// A connection over `descriptor` that a service accepts from `client`.
    package init(_ descriptor: OwnedDescriptor, from client: ServiceClient) {
        self.descriptor = descriptor
        self.client =
            switch client {
            case .providerExtension: .providerExtension
            case .extensionForTerminal(let session): .extensionForTerminal(TerminalSession(session))
            case .terminal(let session): .terminal(TerminalSession(session))
            }
    }

    /// The number of the socket's descriptor, valid while this object lives; close-on-exec. Do not close it.
    public var fileDescriptor: Int32 { descriptor.rawValue }
}
