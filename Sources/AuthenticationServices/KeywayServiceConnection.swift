package import AutoFillProtocol
package import AutoFillWire
import Foundation
package import KeywaySystem

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
        private let session: KeywaySystem.TerminalSession

        fileprivate init(_ session: KeywaySystem.TerminalSession) {
            self.session = session
        }

        /// The kernel's number of the session, for messages.
        public var identifier: Int32 { session.identifier }
    }

    /// Who is at the other end of a connection that a service accepted; nil at the extension's own end.
    public let client: Client?
    /// The descriptor, for the system's calls.
    package let descriptor: OwnedDescriptor
    private let broker: Connection?
    private let number: Int?

    /// A connection over `descriptor` to a service.
    package init(_ descriptor: OwnedDescriptor) {
        self.descriptor = descriptor
        client = nil
        (broker, number) = (nil, nil)
    }

    /// A connection over `descriptor` that a service accepts from `client`, whom `broker` calls `number`; nil for one that
    /// may have everything.
    package init(
        _ descriptor: OwnedDescriptor, from client: ServiceClient, broker: Connection? = nil, number: Int? = nil
    ) {
        self.descriptor = descriptor
        (self.broker, self.number) = (broker, number)
        self.client =
            switch client {
            case .providerExtension: .providerExtension
            case .extensionForTerminal(let session): .extensionForTerminal(TerminalSession(session))
            case .terminal(let session): .terminal(TerminalSession(session))
            }
    }

    /// What a service would hand out.
    public enum Handout: Hashable, Sendable {
        /// Names of accounts, and no secret.
        case names
        /// The secrets of one account: your name of the record, its user, and where it signs in to.
        case account(record: String, user: String, service: String)
    }

    /// Asks the system whether the client may be handed something, and waits while it verifies the person.
    ///
    /// A service whose Info.plist says `KeywayServiceAsksPermission` calls this before each answer to a program in a
    /// terminal. The bundle's own extension always may: its requests are judged elsewhere.
    ///
    /// - Throws: ``ASExtensionError`` with `failed` where it must not; its description says why, for the client.
    public func requestPermission(toHandOut handout: Handout) async throws {
        guard let broker, let number else { return }
        do {
            _ = try await broker.call(PermitService.self, .init(number: number, purpose: handout.purpose))
        } catch {
            throw ASExtensionError(.failed, userInfo: [NSLocalizedDescriptionKey: error.message])
        }
    }

    /// The number of the socket's descriptor, valid while this object lives; close-on-exec. Do not close it.
    public var fileDescriptor: Int32 { descriptor.rawValue }
}

extension KeywayServiceConnection.Handout {
    fileprivate var purpose: PermitService.Purpose {
        switch self {
        case .names: .names
        case .account(let record, let user, let service):
            .account(.init(record: record, user: user, service: service, kind: nil))
        }
    }
}
