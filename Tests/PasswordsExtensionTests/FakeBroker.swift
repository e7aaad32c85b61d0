import AuthenticationServices
import AutoFillProtocol
import AutoFillWire
import KeywaySystem
import LocalAuthentication
import Synchronization

@testable import PasswordsExtension

/// The broker's side of the extension's connection: makes requests, hands over the service, shows interfaces.
@MainActor
final class FakeBroker {
    let connection: Connection
    private let presented: AsyncStream<ExtensionPresent.Parameters>
    private let extensionEnd: Connection

    /// A broker connected to the extension, whose service is `vault`.
    ///
    /// `verifies` is what comes of asking the system to verify the person; nil where nobody wants that.
    init(vault: FakeVault, verifies: Result<Void, LAError>? = nil) async throws {
        let (ours, theirs) = try LocalSocket.pair()
        let (presented, sink) = AsyncStream.makeStream(of: ExtensionPresent.Parameters.self)
        var methods = MethodTable()
        methods.on(ConnectService.self) { _, _ in .init(connection: Attachment(try vault.connect())) }
        methods.on(ExtensionPresent.self) { parameters, _ in sink.yield(parameters) }
        connection = Connection(
            descriptor: ours, peer: .unknown(Greeting(accepts: [.providerExtension], name: "keywayd")), methods: methods
        )
        connection.start()
        let link = BrokerLink()
        let line = ServiceLine()
        let server = ExtensionServer(broker: link) {
            let controller = PasswordsViewController()
            controller.line = line
            controller.makeContext = { LAContext(verification: FakeVerification(verifies: verifies)) }
            return controller
        }
        extensionEnd = Connection(descriptor: theirs, peer: .known(.broker), methods: server.methods)
        extensionEnd.start()
        link.greet(over: extensionEnd, as: .providerExtension)
        _ = try await link.connection()
        self.presented = presented
    }

    deinit {
        connection.close()
        extensionEnd.close()
    }

    /// Makes one request to the extension.
    nonisolated func perform(_ request: PerformRequest.Request) async throws -> PerformRequest.Result {
        try await connection.call(PerformRequest.self, .init(request: request))
    }

    /// The next interface that is not the one that says to wait.
    nonisolated func nextInterface() async -> ExtensionPresent.Parameters? {
        await presented.first { if case .progress = $0.interface { false } else { true } }
    }

    /// Tells the extension what the person did.
    func send(_ event: InterfaceEvent, to shown: ExtensionPresent.Parameters) {
        connection.notify(ExtensionEvent.self, .init(request: shown.request, event: event))
    }
}

/// What the system says of the person.
private struct FakeVerification: ContextVerification {
    let verifies: Result<Void, LAError>?

    var biometryType: LABiometryType { .none }
    func obstacle(to policy: LAPolicy) -> LAError.Code? { nil }
    func isWanted() async -> Bool { verifies != nil }
    func verify(_ policy: LAPolicy, reason: String) async throws(LAError) {
        switch verifies {
        case .success: break
        case .failure(let error): throw error
        case nil: throw LAError(.passcodeNotSet)
        }
    }
}
