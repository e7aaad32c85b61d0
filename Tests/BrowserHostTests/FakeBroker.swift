import AutoFillProtocol
import AutoFillWire
import Glibc
import KeywaySystem
import Synchronization

@testable import BrowserHost

/// A broker at the other end of a socket pair, which answers as a test says.
final class FakeBroker: BrokerConnecting {
    typealias SuggestAnswer = @Sendable (Suggest.Parameters) async throws -> Suggest.Result
    typealias FillAnswer = @Sendable (Fill.Parameters, RequestContext) async throws -> Fill.Result

    private let onSuggest: SuggestAnswer
    private let onFill: FillAnswer
    private let others: @Sendable (inout MethodTable) -> Void
    private let connections = Mutex<[Connection]>([])
    private let hosts = Mutex<[Connection]>([])
    private let refusal = Mutex<ProtocolError?>(nil)
    /// Which providers were locked.
    let locked = Mutex<[String]>([])
    /// Which profile each conversation was greeted as.
    let profiles = Mutex<[BrowserProfile]>([])

    init(
        suggest: @escaping SuggestAnswer = { _ in FakeBroker.nothing },
        fill: @escaping FillAnswer = { _, _ in throw ProtocolError(.notFound, "No such handle.") },
        others: @escaping @Sendable (inout MethodTable) -> Void = { _ in }
    ) {
        self.others = others
        onSuggest = suggest
        onFill = fill
    }

    static let provider = ProviderReference(identifier: "org.example.manager", name: "Manager")
    static let nothing = Suggest.Result(suggestions: [], more: 0, providers: [provider])

    static func suggestion(user: String, handle: String = "h1") -> Suggestion {
        Suggestion(
            handle: handle, user: user, service: "example.com", provider: provider, match: .site, kind: .password)
    }

    static func credential(user: String, password: [UInt8]) throws -> Fill.Result {
        let memory = try password.withUnsafeBytes { (bytes) throws in try SealedMemory(copying: bytes) }
        return Fill.Result(user: user, password: Attachment(memory), provider: provider)
    }

    /// A service that is locked, one that said nothing yet, and an extension.
    static let status = BrokerStatus.Result(
        version: "1", protocol: .current, processIdentifier: 1, uptime: 1, connections: 1,
        running: [
            .init(provider: provider, role: .providerService, processIdentifier: 2, state: .locked),
            .init(
                provider: ProviderReference(identifier: "org.example.other", name: "Other"), role: .providerService,
                processIdentifier: 3, state: nil),
            .init(provider: provider, role: .providerExtension, processIdentifier: 4, state: nil),
        ])

    /// How many conversations there have been.
    var count: Int { connections.withLock { $0.count } }

    /// Refuses conversations from now on, or accepts them again.
    func refuse(with error: ProtocolError?) {
        refusal.withLock { $0 = error }
    }

    /// Ends every conversation, as a broker that is killed does.
    func die() {
        for connection in connections.withLock({ $0 }) { connection.close() }
    }

    /// As ``die()``, and returns once whoever talked with it has noticed.
    func dieNoticed() async {
        die()
        for host in hosts.withLock({ $0 }) {
            await withCheckedContinuation { noticed in host.onClose { noticed.resume() } }
        }
    }

    func connect(profile: BrowserProfile, methods: MethodTable) async throws(ProtocolError) -> Connection {
        profiles.withLock { $0.append(profile) }
        if let error = refusal.withLock({ $0 }) { throw error }
        var pair: [CInt] = [-1, -1]
        guard socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &pair) == 0 else { throw .system("socketpair", errno) }
        var table = MethodTable()
        others(&table)
        table.on(Suggest.self) { [onSuggest] parameters, _ in try await onSuggest(parameters) }
        table.on(Fill.self) { [onFill] parameters, context in try await onFill(parameters, context) }
        table.on(BrokerStatus.self) { _, _ in Self.status }
        table.on(LockProvider.self) { parameters, _ in
            self.locked.withLock { $0.append(parameters.identifier) }
            return Nothing()
        }
        let broker = Connection(descriptor: OwnedDescriptor(pair[0]), peer: .known(.browser), methods: table)
        connections.withLock { $0.append(broker) }
        broker.start()
        let host = Connection(descriptor: OwnedDescriptor(pair[1]), peer: .known(.broker), methods: methods)
        hosts.withLock { $0.append(host) }
        host.start()
        return host
    }
}
