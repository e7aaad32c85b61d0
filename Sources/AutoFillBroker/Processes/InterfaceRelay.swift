import AutoFillProtocol
import Synchronization

/// Carries one request's interface from the extension to the caller, and the person's doings back, in order.
final class InterfaceRelay: Sendable {
    private struct Target {
        let connection: Connection
        let request: Int
    }

    private let client: Connection
    private let request: Int
    private let provider: ProviderReference
    private let service: String?
    private let target = Mutex<Target?>(nil)

    /// A relay for the request number `request` of `client`.
    init(client: Connection, request: Int, provider: ProviderReference, service: String?) {
        self.client = client
        self.request = request
        self.provider = provider
        self.service = service
    }

    /// From now on, events go to the request number `request` of the extension behind `connection`; nil ends that.
    func connect(_ connection: Connection, request: Int) {
        target.withLock { $0 = Target(connection: connection, request: request) }
    }

    /// Ends the relay.
    func disconnect() {
        target.withLock { $0 = nil }
    }

    /// Shows what the extension describes.
    ///
    /// - Throws: ``ProtocolError`` with the code `invalidParameters` when it is larger than an interface may be.
    func show(_ interface: ProviderInterface) throws(ProtocolError) {
        let bounded = try interface.bounded()
        client.notify(
            PresentationShow.self, .init(request: request, provider: provider, service: service, interface: bounded))
    }

    /// Tells the extension what the person did.
    func receive(_ event: InterfaceEvent) {
        guard let target = target.withLock({ $0 }) else { return }
        target.connection.notify(ExtensionEvent.self, .init(request: target.request, event: event))
    }
}

/// ``ExtensionPresent`` as the broker receives it: one that cannot be read still says which request it is about.
enum ReceivedPresent: RemoteNotification {
    struct Parameters: Codable, Sendable {
        let request: Int
        let interface: ProviderInterface?

        private enum CodingKeys: String, CodingKey { case request, interface }

        init(request: Int, interface: ProviderInterface?) {
            self.request = request
            self.interface = interface
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            request = try container.decode(Int.self, forKey: .request)
            interface = try? container.decode(ProviderInterface.self, forKey: .interface)
        }
    }

    static let name = ExtensionPresent.name
    static let callers = ExtensionPresent.callers
    static let summary = ExtensionPresent.summary
    static var sample: Parameters {
        Parameters(request: ExtensionPresent.sample.request, interface: ExtensionPresent.sample.interface)
    }
}
