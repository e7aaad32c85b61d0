import AutoFillProtocol
import AutoFillWire
import FoundationEssentials
import KeywaySystem
import PasswordsProtocol
import Synchronization
import Testing

@testable import PasswordsService

/// Open until it is closed.
final class Gate: Sendable {
    private let state = Mutex(false)

    var isClosed: Bool { state.withLock { $0 } }
    func close() { state.withLock { $0 = true } }
}

/// The broker's end of the conversation that a service is born with.
final class TestBroker: Sendable {
    let greetings = Told<Role?>()
    let states = Told<ServiceState>()
    let renewals = Told<NoteRenewedVault.Parameters>()
    let store = TestStore()
    let connection: Connection
    let serving: Task<Void, Never>

    /// Whether the identity store gives no answer.
    let holdsBack = Gate()

    init(
        _ harness: TestService, accepts: Set<Role> = [.providerService],
        clock: any TimeSource = SystemTimeSource(), register: TestRegister? = nil
    ) throws {
        let (ours, theirs) = try LocalSocket.pair()
        var table = MethodTable()
        register?.add(to: &table)
        let (states, store, holdsBack) = (states, store, holdsBack)
        table.on(ServiceStateChanged.self) { parameters, _ in states.add(parameters.state) }
        table.on(NoteRenewedVault.self) { [renewals] parameters, _ in
            renewals.add(parameters)
            return Nothing()
        }
        table.on(IdentityStoreState.self) { _, _ in
            // Until the connection ends, which cancels the request.
            if holdsBack.isClosed { try await Task.sleep(for: .seconds(600)) }
            return try store.state()
        }
        table.on(WriteIdentities.self) { parameters, _ in try store.write(parameters) }
        connection = Connection(
            descriptor: ours, peer: .unknown(Greeting(accepts: accepts, name: "test broker")), methods: table)
        connection.start()
        var surroundings = VaultService.Surroundings(
            vaultPath: harness.vaultPath, epochFolder: harness.folder + "/epochs")
        surroundings.presence = harness.presence
        surroundings.clock = clock
        surroundings.log = ServiceLog { [log = harness.log] in log.add($0) }
        let service = BrokeredService(surroundings, identityMark: harness.folder + "/mark")
        serving = Task { await service.serve(theirs) }
    }

    /// Hands the service a client and gives back the client's end.
    func attach(_ client: ServiceClient) async throws -> Connection {
        let (ours, theirs) = try LocalSocket.pair()
        _ = try await connection.call(AttachClient.self, .init(client: client, connection: Attachment(theirs)))
        let client = Connection(descriptor: ours, peer: .known(.providerService))
        client.start()
        return client
    }
}

@Suite struct BrokeredServiceTests {
    let harness: TestService

    init() throws { harness = try TestService() }

    @Test func servesThoseWhomTheBrokerHandsOver() async throws {
        let broker = try TestBroker(harness)
        let terminal = try await broker.attach(TestService.terminal)
        try await terminal.create(TestService.masterPassword)
        try await terminal.add("Example") { $0.addresses = ["a.example"] }
        #expect(broker.store.held == ["Example@a.example"])
        #expect(try await broker.attach(.providerExtension).search() == ["Example"])
        #expect(try await broker.attach(.terminal(TestService.session(9))).access() == .locked)
        try await terminal.lock()
        try await harness.until { broker.states.all == [.ready, .locked] }
        #expect(broker.connection.role == .providerService)
        broker.connection.close()
        await broker.serving.value
    }

    @Test func theBrokerHearsTheNewNameOfAVaultWhoseKeyWasRenewed() async throws {
        let broker = try TestBroker(harness)
        let terminal = try await broker.attach(TestService.terminal)
        try await terminal.create(TestService.masterPassword)
        func name() async throws -> CheckMasterPassword.Result {
            let parameters = CheckMasterPassword.Parameters(password: try sealed(TestService.masterPassword))
            return try await broker.connection.call(CheckMasterPassword.self, parameters)
        }
        let former = try await name()
        _ = try await terminal.call(RenewVaultKey.self, .init(masterPassword: try sealed(TestService.masterPassword)))
        let now = try await name()
        #expect(former.isRight && now.isRight && former.vault != now.vault)
        #expect(
            broker.renewals.all == [.init(former: try #require(former.vault), vault: try #require(now.vault))])
        broker.connection.close()
        await broker.serving.value
    }

    @Test func aStoreThatDoesNotAnswerKeepsNobodyFromStoring() async throws {
        let broker = try TestBroker(harness, clock: harness.clock)
        let terminal = try await broker.attach(TestService.terminal)
        try await terminal.create(TestService.masterPassword)
        broker.holdsBack.close()
        async let added = terminal.add("Example") { $0.addresses = ["a.example"] }
        // One waits for the store, the other is the watch for idle time.
        try await harness.until { harness.clock.sleepers == 2 }
        harness.clock.advance(by: BrokeredService.identityLimit)
        _ = try await added
        #expect(broker.store.held.isEmpty)
        broker.connection.close()
        await broker.serving.value
    }

    @Test func locksAndEndsWithTheBroker() async throws {
        let broker = try TestBroker(harness)
        let terminal = try await broker.attach(TestService.terminal)
        try await terminal.create(TestService.masterPassword)
        broker.connection.close()
        await broker.serving.value
        #expect(harness.log.all.contains("locked: the broker is gone"))
        #expect(await code { _ = try await terminal.search() } == .connectionClosed)
    }

    @Test func endsWhenTheBrokerTurnsItAway() async throws {
        let broker = try TestBroker(harness, accepts: [.terminal])
        await broker.serving.value
        #expect(harness.log.all.contains { $0.contains("turned us away") })
    }

    @Test func aClientMayNotAskWhatOnlyTheBrokerMay() async throws {
        let broker = try TestBroker(harness)
        let terminal = try await broker.attach(TestService.terminal)
        let (end, _) = try LocalSocket.pair()
        let refusal = await code {
            _ = try await terminal.call(
                AttachClient.self, .init(client: .providerExtension, connection: Attachment(end)))
        }
        #expect(refusal == .unknownMethod)
        #expect(await code { _ = try await broker.connection.call(LockVault.self, Nothing()) } == .unknownMethod)
        broker.connection.close()
        await broker.serving.value
    }

    @Test func aStoreLeftFullOfADeletedVaultIsEmptiedAtTheStart() async throws {
        let seed = CredentialIdentity(
            kind: .password, service: .init("a.example", kind: .domain), user: "ada", recordIdentifier: "x")
        let broker = try TestBroker(harness)
        broker.store.content.withLock { $0.held = [seed] }
        _ = try await broker.attach(TestService.terminal).access()
        try await harness.until { broker.store.held.isEmpty }
        broker.connection.close()
        await broker.serving.value
    }
}
