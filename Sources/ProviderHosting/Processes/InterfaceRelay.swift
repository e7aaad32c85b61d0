package import AutoFillProtocol
package import AutoFillWire
import KeywaySystem
import Synchronization

/// Passes the interface of one request from the extension to the caller, and the person's input back, in order.
package final class InterfaceRelay: Sendable {
    private struct Target {
        let connection: Connection
        let request: Int
        let isDebugged: Bool
        let stop: @Sendable () -> Void
        let onSecret: @Sendable () -> Void
    }

    /// The number of the request, to whoever shows it.
    package let request: Int
    private let provider: ProviderReference
    private let service: String?
    private let purpose: PresentationShow.Purpose?
    private let available: @Sendable () async -> Bool
    private let send: @Sendable (PresentationShow.Parameters) -> Void
    private let target = Mutex<Target?>(nil)
    private let shown = Mutex(false)
    private let choice = Mutex(Choice())

    /// What stands there to choose from, and what was chosen of it.
    private struct Choice {
        var shown: [InterfaceList.Row] = []
        var chosen: InterfaceList.Row?
    }

    /// A relay for the request number `request` of `client`.
    package convenience init(
        client: Connection, request: Int, provider: ProviderReference, service: String?,
        purpose: PresentationShow.Purpose? = nil
    ) {
        self.init(
            request: request, provider: provider, service: service, purpose: purpose, isAvailable: { true },
            show: { client.notify(PresentationShow.self, $0) })
    }

    /// A relay that shows through `show`, where and when `isAvailable` says that somebody will see it.
    package init(
        request: Int, provider: ProviderReference, service: String?, purpose: PresentationShow.Purpose? = nil,
        isAvailable: @escaping @Sendable () async -> Bool,
        show: @escaping @Sendable (PresentationShow.Parameters) -> Void
    ) {
        self.request = request
        self.provider = provider
        self.service = service
        self.purpose = purpose
        available = isAvailable
        send = show
    }

    /// Whether what is shown will be seen.
    package func isAvailable() async -> Bool { await available() }

    /// From now on, events go to the request number `request` of the extension behind `connection`, which `stop` ends.
    ///
    /// - Parameters:
    ///   - isDebugged: whether the extension is being debugged; the presenter says so.
    ///   - onSecret: called when the person has given the extension a secret.
    func connect(
        _ connection: Connection, request: Int, isDebugged: Bool = false,
        onSecret: @escaping @Sendable () -> Void = {}, stop: @escaping @Sendable () -> Void
    ) {
        target.withLock {
            $0 = Target(
                connection: connection, request: request, isDebugged: isDebugged, stop: stop, onSecret: onSecret)
        }
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
        shown.withLock { $0 = true }
        if case .list(let list) = bounded { choice.withLock { $0.shown = list.sections.flatMap(\.rows) } }
        let isDebugged = target.withLock { $0?.isDebugged } ?? false
        send(
            .init(
                request: request, provider: provider, service: service, interface: bounded, purpose: purpose,
                isDebugged: isDebugged ? true : nil))
    }

    /// Whether the provider has shown anything.
    package var wasShown: Bool { shown.withLock { $0 } }

    /// Tells the extension what the person did.
    package func receive(_ event: InterfaceEvent) {
        if case .chose(let id) = event {
            choice.withLock { choice in choice.chosen = choice.shown.first { $0.id == id } }
        }
        guard let target = target.withLock({ $0 }) else { return }
        if case .submitted(let values) = event, values.values.contains(where: \.isSecret) { target.onSecret() }
        target.connection.notify(ExtensionEvent.self, .init(request: target.request, event: event))
    }
}

extension InterfaceValue {
    /// Whether something was typed into a secure field.
    fileprivate var isSecret: Bool { if case .secret(let secret) = self { secret.count > 0 } else { false } }
}

extension InterfaceRelay {
    /// The row that the person chose last, as the provider described it; nil where they chose none.
    package var chosenRow: InterfaceList.Row? { choice.withLock { $0.chosen } }

    /// Ends the extension: the person cancelled, and it went on.
    package func abandon() {
        target.withLock { $0 }?.stop()
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
}
