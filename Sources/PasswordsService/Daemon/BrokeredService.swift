import AutoFillProtocol
import LoginMonitor
import Synchronization

/// The vault's service as the broker sees it: takes over clients, tells whether it is ready, and locks when the broker
/// goes.
struct BrokeredService: Sendable {
    /// How long the answer to a change waits for the identity store.
    static let identityLimit = Duration.seconds(5)
    /// How long after the identity store was busy or locked it is tried again.
    static let identityPause = Duration.seconds(10)

    private let surroundings: VaultService.Surroundings
    private let identityMark: String
    private let login: (@Sendable (VaultService) -> LoginMonitor)?

    /// A service in `surroundings`, whose two listeners are set here.
    ///
    /// - Parameters:
    ///   - identityMark: the file that notes what the identity store holds.
    ///   - login: makes the monitor of locked sessions and sleep; nil for none.
    init(
        _ surroundings: VaultService.Surroundings, identityMark: String,
        login: (@Sendable (VaultService) -> LoginMonitor)? = nil
    ) {
        self.surroundings = surroundings
        self.identityMark = identityMark
        self.login = login
    }

    /// Serves the broker at the other end of `descriptor` until it is gone; the vault is locked when this returns.
    func serve(_ descriptor: OwnedDescriptor) async {
        let identities = IdentityQueue(clock: surroundings.clock)
        let link = BrokerLink()
        var surroundings = surroundings
        surroundings.onIdentityJob = { identities.add($0) }
        surroundings.identitiesTold = { await identities.settle(within: Self.identityLimit) }
        surroundings.onStateChange = { link.tell($0) }
        let service = VaultService(surroundings)
        let clients = ServiceClients()
        let broker = Connection(
            descriptor: descriptor, peer: .known(.broker),
            methods: Self.methods(service, clients, identities, surroundings.presence as? AttachedPresence))
        link.connect(broker)
        let monitor = login?(service)
        monitor?.start()
        await withTaskGroup { group in
            group.addTask { await greet(broker, service, identities) }
            await Self.end(of: broker)
            group.cancelAll()
        }
        monitor?.stop()
        clients.closeAll()
        await service.lock("the broker is gone")
    }

    private static func methods(
        _ service: VaultService, _ clients: ServiceClients, _ identities: IdentityQueue, _ presence: AttachedPresence?
    ) -> MethodTable {
        var table = MethodTable()
        table.on(AttachClient.self) { parameters, _ in
            if let session = parameters.client.terminalSession, let leader = parameters.leader {
                presence?.note(SessionLeader(leader.descriptor), of: session)
            }
            clients.serve(
                Connection(
                    descriptor: parameters.connection.descriptor, peer: .known(.serviceClient),
                    methods: service.methods(for: parameters.client)))
            // The provider may have been turned on since the last job: its store is empty then.
            identities.add(.bringInStep)
            return Nothing()
        }
        table.on(CheckMasterPassword.self) { parameters, _ in
            .init(isRight: try await service.checkMasterPassword(parameters.password))
        }
        return table
    }

    /// Says who we are, then keeps the identity store in step.
    private func greet(_ broker: Connection, _ service: VaultService, _ identities: IdentityQueue) async {
        do throws(ProtocolError) {
            try await broker.greet(as: .providerService, name: "keyway-vaultd \(ProtocolVersion.release)")
        } catch {
            if error.code != .connectionClosed { surroundings.log("the broker turned us away: \(error.message)") }
            return broker.close()
        }
        await service.noticeRemovedFile()
        await IdentitySync(
            store: BrokerIdentityStore(broker), source: service, markPath: identityMark, log: surroundings.log,
            tryLater: { [clock = surroundings.clock] in
                Task {
                    try await clock.sleep(for: Self.identityPause)
                    identities.add(.bringInStep)
                }
            }
        ).run(identities.jobs)
    }

    private static func end(of broker: Connection) async {
        await withCheckedContinuation { continuation in
            broker.onClose { continuation.resume() }
            broker.start()
        }
    }
}

/// Tells the broker whether the service can answer without the person.
private final class BrokerLink: Sendable {
    private let broker = Mutex<Connection?>(nil)

    /// From now on `broker` is told. The vault cannot have been opened before: nobody could ask for it.
    func connect(_ broker: Connection) {
        self.broker.withLock { $0 = broker }
    }

    func tell(_ now: ServiceState) {
        broker.withLock { $0 }?.notify(ServiceStateChanged.self, .init(state: now))
    }
}
