import AutoFillProtocol
import AutoFillWire
import Foundation
import KeywaySystem
import Synchronization
import Testing

@testable import AuthenticationServices

/// The broker as an app meets it: at the end of connections that the app opened.
private final class AppBroker: Sendable {
    let store = FakeStore()
    let group = "/home/ada/.local/share/keyway/groups/group.test"
    let asked = Mutex(0)
    private let connections = Mutex<[Connection]>([])
    private let enabling: Result<Bool, ProtocolError>

    init(enabling: Result<Bool, ProtocolError> = .success(true)) {
        self.enabling = enabling
    }

    var roles: [Role?] { connections.withLock { $0.map(\.role) } }

    func link() -> BrokerLink {
        BrokerLink { try await self.connect() }
    }

    private func connect() async throws -> Connection {
        let (ours, theirs) = try LocalSocket.pair()
        var methods = store.methods
        methods.on(RequestEnabling.self) { _, _ in
            self.asked.withLock { $0 += 1 }
            return .init(isEnabled: try self.enabling.get())
        }
        methods.on(GroupContainer.self) { parameters, _ in
            guard parameters.group == "group.test" else { throw ProtocolError(.refused, "No such group.") }
            return .init(path: self.group)
        }
        let greeting = Greeting(accepts: [.application], name: "keywayd")
        let server = Connection(descriptor: ours, peer: .unknown(greeting), methods: methods)
        connections.withLock { $0.append(server) }
        server.start()
        let connection = Connection(descriptor: theirs, peer: .known(.broker))
        connection.start()
        try await connection.greet(as: .application, name: "app")
        return connection
    }

    func hangUp() {
        for connection in connections.withLock({ $0 }) { connection.close() }
    }
}

@Suite("The app which contains an extension")
struct ApplicationTests {
    private let identity = ASPasswordCredentialIdentity(
        serviceIdentifier: ASCredentialServiceIdentifier(identifier: "example.com", type: .domain), user: "ada",
        recordIdentifier: "1")

    @Test func writesTheStoreAsAnApp() async throws {
        let broker = AppBroker()
        let store = ASCredentialIdentityStore(broker: broker.link())
        #expect(await store.state().isEnabled)
        try await store.saveCredentialIdentities([identity])
        #expect(broker.store.identities.map(\.user) == ["ada"])
        #expect(broker.roles == [.application])
    }

    @Test func outlivesABroker() async throws {
        let broker = AppBroker()
        let store = ASCredentialIdentityStore(broker: broker.link())
        #expect(await store.state().isEnabled)
        broker.hangUp()
        // Until the end of the connection has arrived, calls still fail.
        let deadline = ContinuousClock.now + .seconds(60)
        while broker.roles.count < 2 && ContinuousClock.now < deadline { _ = await store.state() }
        try await store.saveCredentialIdentities([identity])
        #expect(broker.roles.count == 2)
    }

    @Test func manyCallsShareOneConnection() async throws {
        let broker = AppBroker()
        let store = ASCredentialIdentityStore(broker: broker.link())
        await withTaskGroup { group in
            for _ in 0..<20 { group.addTask { _ = await store.state() } }
        }
        #expect(broker.roles.count == 1)
    }

    @Test func startsAgainWhereNoBrokerCouldBeFound() async throws {
        let broker = AppBroker()
        let inner = broker.link()
        let attempts = Mutex(0)
        let link = BrokerLink {
            guard
                attempts.withLock({
                    $0 += 1; return $0 > 1
                })
            else {
                throw ProtocolError(.brokerNotRunning, "Keyway isn't running.")
            }
            return try await inner.connection()
        }
        let store = ASCredentialIdentityStore(broker: link)
        await #expect { try await store.saveCredentialIdentities([identity]) } throws: {
            ($0 as? ASCredentialIdentityStoreError)?.code == .internalError
        }
        try await store.saveCredentialIdentities([identity])
    }

    @Test func isToldThatItsStoreIsDisabled() async throws {
        let broker = AppBroker()
        broker.store.fail(with: ProtocolError(.disabled, "Not approved."))
        let store = ASCredentialIdentityStore(broker: broker.link())
        #expect(await !store.state().isEnabled)
        await #expect { try await store.saveCredentialIdentities([identity]) } throws: {
            ($0 as? ASCredentialIdentityStoreError)?.code == .storeDisabled
        }
    }

    // MARK: The group

    @Test func isToldWhereTheGroupLies() async throws {
        let link = AppBroker().link()
        #expect(await link.groupContainer("group.test") == "/home/ada/.local/share/keyway/groups/group.test")
        #expect(await link.groupContainer("group.other") == nil)
    }

    // MARK: Settings

    @Test(arguments: [true, false])
    func isToldWhatThePersonDecided(isEnabled: Bool) async {
        let broker = AppBroker(enabling: .success(isEnabled))
        #expect(await broker.link().requestToTurnOn() == isEnabled)
        #expect(broker.asked.withLock { $0 } == 1)
    }

    @Test func nobodysAppIsNotTurnedOn() async {
        let broker = AppBroker(enabling: .failure(ProtocolError(.disabled, "No provider names this program.")))
        #expect(await !broker.link().requestToTurnOn())
    }

    @Test @MainActor func extensionKnowsThatItIsOn() async throws {
        let broker = try await FakeBroker()
        #expect(await broker.link.requestToTurnOn())
    }

    @Test func thereIsNoSettingsWindow() async {
        await #expect { try await ASSettingsHelper.openCredentialProviderAppSettings() } throws: {
            ($0 as? ASAuthorizationError)?.code == .notHandled && $0.localizedDescription.contains("keyway providers")
        }
        await #expect { try await ASSettingsHelper.openVerificationCodeAppSettings() } throws: {
            ($0 as NSError).domain == ASAuthorizationErrorDomain
        }
    }

    @Test func thereIsNoSettingsWindowForHandlersEither() {
        var errors: [(any Error)?] = []
        ASSettingsHelper.openCredentialProviderAppSettings { errors.append($0) }
        ASSettingsHelper.openVerificationCodeAppSettings { errors.append($0) }
        ASSettingsHelper.openVerificationCodeAppSettings()
        #expect(errors.count == 2 && errors.allSatisfy { $0 is ASAuthorizationError })
    }
}

@Suite("Which descriptor the broker gave")
struct InheritedDescriptorTests {
    @Test func aPairMadeHereIsNot() throws {
        let (one, other) = try LocalSocket.pair()
        #expect(!InheritedChannel.isFromBroker(one.rawValue))
        withExtendedLifetime(other) {}
    }

    @Test func aConnectionToANamedSocketIsNot() throws {
        let path = FileManager.default.temporaryDirectory.path + "/keyway-\(UUID().uuidString.prefix(8)).sock"
        let listener = try LocalSocket.listen(at: path)
        defer { unlink(path) }
        let client = try #require(try LocalSocket.connect(to: path))
        #expect(!InheritedChannel.isFromBroker(client.rawValue))
        #expect(!InheritedChannel.isFromBroker(listener.rawValue))
    }

    @Test func filesAndNothingAreNot() throws {
        #expect(!InheritedChannel.isFromBroker(-1))
        let file = OwnedDescriptor(open("/dev/null", O_RDONLY | O_CLOEXEC))
        #expect(!InheritedChannel.isFromBroker(file.rawValue))
    }
}

@Suite("A service's listener")
struct ServiceListenerTests {
    private func fixture(_ states: StateLog = StateLog()) async throws -> (KeywayServiceListener, Connection) {
        let (ours, theirs) = try LocalSocket.pair()
        var methods = MethodTable()
        methods.on(ServiceStateChanged.self) { parameters, _ in states.add(parameters.state) }
        let greeting = Greeting(accepts: [.providerService], name: "keywayd")
        let broker = Connection(descriptor: ours, peer: .unknown(greeting), methods: methods)
        broker.start()
        let listener = KeywayServiceListener(descriptor: theirs, link: BrokerLink())
        try await broker.waitForGreeting()
        return (listener, broker)
    }

    final class StateLog: Sendable {
        private let states = Mutex<[ServiceState]>([])
        var all: [ServiceState] { states.withLock { $0 } }
        func add(_ state: ServiceState) { states.withLock { $0.append(state) } }
    }

    private func attach(_ client: ServiceClient, to broker: Connection) async throws -> OwnedDescriptor {
        let (theirs, ours) = try LocalSocket.pair()
        _ = try await broker.call(AttachClient.self, .init(client: client, connection: Attachment(ours)))
        return theirs
    }

    @Test func handsOverConversationsWithWhoIsBehindThem() async throws {
        let (listener, broker) = try await fixture()
        let session = TerminalSession(identifier: 7, leaderStart: 1, terminal: 2)
        let client = try await attach(.providerExtension, to: broker)
        _ = try await attach(.terminal(session), to: broker)
        _ = try await attach(.terminal(session), to: broker)
        _ = try await attach(.terminal(TerminalSession(identifier: 7, leaderStart: 2, terminal: 2)), to: broker)
        var conversations = listener.makeAsyncIterator()
        let first = try #require(await conversations.next())
        #expect(first.client == .providerExtension)
        #expect(write(client.rawValue, "hello", 5) == 5)
        var buffer = [UInt8](repeating: 0, count: 5)
        #expect(read(first.fileDescriptor, &buffer, 5) == 5)
        #expect(String(decoding: buffer, as: UTF8.self) == "hello")
        let sessions = [await conversations.next()?.client, await conversations.next()?.client]
        #expect(sessions[0] == sessions[1])
        let later = await conversations.next()?.client
        #expect(later != nil && later != sessions[0])
    }

    @Test func endsWithTheBroker() async throws {
        let (listener, broker) = try await fixture()
        _ = try await attach(.providerExtension, to: broker)
        broker.close()
        var count = 0
        for await _ in listener { count += 1 }
        #expect(count == 1)
    }

    @Test func refusesMoreThanWait() async throws {
        let (listener, broker) = try await fixture()
        for _ in 0..<KeywayServiceListener.backlog { _ = try await attach(.providerExtension, to: broker) }
        await #expect(throws: ProtocolError(.busy, "")) { try await attach(.providerExtension, to: broker) }
        withExtendedLifetime(listener) {}
    }

    @Test func reportsItsState() async throws {
        let log = StateLog()
        let (listener, broker) = try await fixture(log)
        listener.report(.ready)
        listener.report(.locked)
        let deadline = ContinuousClock.now + .seconds(60)
        while log.all.count < 2 && ContinuousClock.now < deadline { await Task.yield() }
        #expect(log.all == [.ready, .locked])
        withExtendedLifetime(broker) {}
    }
}

@Suite("A synchronous call")
struct CallerQueueTests {
    /// Each of them would hold one of the few threads of the language, were it not for the queue's own.
    @Test func waitsThoughAllThreadsAreTaken() async {
        let results = await withTaskGroup(of: Int?.self) { group in
            for number in 0..<32 {
                group.addTask {
                    CallerQueue.wait {
                        try? await Task.sleep(for: .milliseconds(1))
                        return number
                    }
                }
            }
            return await group.reduce(into: Set<Int>()) { if let number = $1 { $0.insert(number) } }
        }
        #expect(results.count == 32)
    }
}
