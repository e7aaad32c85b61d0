import AutoFillProtocol
import AutoFillWire
import Foundation
package import KeywaySystem

/// The conversations of a bundle's service (`KeywayService` in its Info.plist), one after another as they come in.
///
/// Ours: a service is the part of a provider that stays, to keep a vault open, say. The broker starts it when somebody
/// connects, hands it every conversation, and says who is behind each. The sequence ends when the broker lets go of the
/// service, which must then forget what it had opened and end.
///
/// ```swift
/// let listener = try KeywayServiceListener()
/// for await connection in listener { answer(connection) }
/// ```
public final class KeywayServiceListener: AsyncSequence, Sendable {
    /// Whether the service can answer without the person.
    public enum State: Hashable, Sendable {
        /// It can. Requests that wait for the person are tried again.
        case ready
        /// It cannot. The bundle's extensions are ended: what they still know must go.
        case locked
    }

    /// The most conversations that wait to be taken up; more are refused.
    package static let backlog = 64

    private let broker: Connection
    private let accepted: AsyncStream<KeywayServiceConnection>

    /// The listener of this process; there is one. From now on the process leaves no core dump, and no program of the
    /// same user can look into it.
    ///
    /// - Throws: ``ASExtensionError`` with `failed` when the broker did not start this process.
    public convenience init() throws {
        do {
            try ProcessHardening.apply()
            self.init(descriptor: try BrokerLink.inheritedDescriptor(), link: .process)
        } catch {
            throw ASExtensionError(.failed, userInfo: [NSLocalizedDescriptionKey: error.message])
        }
    }

    /// A listener to the broker behind `descriptor`, which becomes the connection of `link`.
    package init(descriptor: OwnedDescriptor, link: BrokerLink) {
        let (accepted, sink) = AsyncStream.makeStream(
            of: KeywayServiceConnection.self, bufferingPolicy: .bufferingOldest(Self.backlog))
        var methods = MethodTable()
        methods.on(AttachClient.self) { parameters, context in
            let connection = KeywayServiceConnection(
                parameters.connection.descriptor, from: parameters.client, broker: context.connection,
                number: parameters.number)
            guard case .enqueued = sink.yield(connection) else {
                throw ProtocolError(.busy, "The service has not taken up \(Self.backlog) conversations yet.")
            }
            return Nothing()
        }
        broker = Connection(descriptor: descriptor, peer: .known(.broker), methods: methods)
        self.accepted = accepted
        broker.onClose { sink.finish() }
        link.greet(over: broker, as: .providerService)
        broker.start()
    }

    /// Tells the system whether the service can answer without the person.
    public func report(_ state: State) {
        broker.notify(ServiceStateChanged.self, .init(state: state == .ready ? .ready : .locked))
    }

    /// The conversations. A listener is gone through once.
    public func makeAsyncIterator() -> AsyncStream<KeywayServiceConnection>.Iterator {
        accepted.makeAsyncIterator()
    }
}
