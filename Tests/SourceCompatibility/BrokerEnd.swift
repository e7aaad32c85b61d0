import AuthenticationServices
import AutoFillProtocol
import AutoFillWire
import KeywaySystem

/// The broker's end of an extension, over a socket pair in this process.
@MainActor
final class BrokerEnd {
    private let connection: Connection
    private let extensionEnd: Connection
    private let presented: AsyncStream<ExtensionPresent.Parameters>

    /// A broker that is connected to an extension whose controllers `makeController` makes.
    init(_ makeController: @escaping @MainActor () -> ASCredentialProviderViewController) async throws {
        let (ours, theirs) = try LocalSocket.pair()
        let (presented, sink) = AsyncStream.makeStream(of: ExtensionPresent.Parameters.self)
        var methods = MethodTable()
        methods.on(ExtensionPresent.self) { parameters, _ in sink.yield(parameters) }
        let door = Greeting(accepts: [.providerExtension], name: "keywayd")
        connection = Connection(descriptor: ours, peer: .unknown(door), methods: methods)
        connection.start()
        let link = BrokerLink()
        let server = ExtensionServer(broker: link, makeController: makeController)
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

    /// Makes one request. The person does each of `events` when an interface with its title is shown, one after another.
    func perform(
        _ request: PerformRequest.Request, then events: [(title: String, event: InterfaceEvent)] = []
    ) async throws -> PerformRequest.Result {
        let person = Task { [connection, presented] in
            var events = events[...]
            for await shown in presented {
                guard let next = events.first else { return }
                guard shown.interface.title == next.title else { continue }
                events.removeFirst()
                connection.notify(ExtensionEvent.self, .init(request: shown.request, event: next.event))
            }
        }
        defer { person.cancel() }
        return try await connection.call(PerformRequest.self, .init(request: request))
    }
}

extension ProviderInterface {
    fileprivate var title: String {
        switch self {
        case .list(let list): list.title
        case .form(let form): form.title
        case .message(let message): message.title
        case .progress(let progress): progress.title
        }
    }
}

extension PerformRequest.Result {
    /// What is in the memory files of a result, after its kind; for an error its code.
    var summary: String {
        get throws {
            switch self {
            case .password(let user, let password): "password \(user) \(try password.text)"
            case .passkeyAssertion(let credential): "assertion \(Array(credential.signature))"
            case .passkeyRegistration(let credential): "registration \(Array(credential.credentialID))"
            case .oneTimeCode(let code, _): "code \(try code.text)"
            case .text(let text): "text \(try text.text)"
            case .saved: "saved"
            case .generated(let passwords):
                "generated \(try passwords.map { "\($0.kind) \(try $0.value.text)" })"
            case .reported: "reported"
            case .cancelled(_, let code, let reason): "cancelled \(code)" + (reason.map { " \($0)" } ?? "")
            case .configured: "configured"
            }
        }
    }
}

extension Attachment {
    var text: String {
        get throws { try sealedMemory().withUnsafeBytes { String(decoding: $0, as: UTF8.self) } }
    }
}
