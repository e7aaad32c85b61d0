import AuthenticationServices
import AutoFillProtocol
import AutoFillWire
import Foundation
import KeywaySystem
import Synchronization

/// The broker's side of an extension's connection, over a socket pair in this process.
@MainActor
final class FakeBroker {
    /// What the broker's end of the connection is.
    let connection: Connection
    /// The extension's end, as the API reaches it.
    let link = BrokerLink()
    /// What the identity store was asked, and what it holds.
    let store: FakeStore
    /// The id of the request that was made last.
    let lastRequest = Mutex(0)
    private let presented: AsyncStream<ExtensionPresent.Parameters>
    private let extensionEnd: Connection

    /// A broker that is connected to an extension whose controllers `makeController` makes.
    init(
        store: FakeStore = FakeStore(),
        service: Result<OwnedDescriptor, ProtocolError> = .failure(ProtocolError(.notFound, "no service")),
        makeController: @escaping @MainActor () -> ASCredentialProviderViewController = { .init() }
    ) async throws {
        let (ours, theirs) = try LocalSocket.pair()
        let (presented, sink) = AsyncStream.makeStream(of: ExtensionPresent.Parameters.self)
        var methods = store.methods
        methods.on(ConnectService.self) { _, _ in .init(connection: Attachment(try service.get())) }
        methods.on(ExtensionPresent.self) { parameters, _ in sink.yield(parameters) }
        let door = Greeting(accepts: [.providerExtension], name: "keywayd")
        connection = Connection(descriptor: ours, peer: .unknown(door), methods: methods)
        connection.start()
        let server = ExtensionServer(broker: link, makeController: makeController)
        extensionEnd = Connection(descriptor: theirs, peer: .known(.broker), methods: server.methods)
        extensionEnd.start()
        link.greet(over: extensionEnd, as: .providerExtension)
        _ = try await link.connection()
        self.presented = presented
        self.store = store
    }

    deinit {
        connection.close()
        extensionEnd.close()
    }

    /// Makes one request to the extension.
    nonisolated func perform(_ request: PerformRequest.Request) async throws -> PerformRequest.Result {
        try await connection.call(PerformRequest.self, .init(request: request)) { id in
            lastRequest.withLock { $0 = id }
        }
    }

    /// The next interface that the extension wants shown.
    nonisolated func nextInterface() async -> ExtensionPresent.Parameters? {
        await presented.first { _ in true }
    }

    /// Tells the extension what the person did.
    func send(_ event: InterfaceEvent, request: Int) {
        connection.notify(ExtensionEvent.self, .init(request: request, event: event))
    }

    /// Ends the conversation, as when the broker dies.
    func hangUp() {
        connection.close()
    }
}
