import AutoFillProtocol
import AutoFillWire
import KeywaySystem
import LoginMonitor
import PasswordsProtocol
import Synchronization

/// The vault's service as the broker sees it: takes over clients, reports whether it is ready, and locks when the
/// broker ends.
struct BrokeredService: Sendable {
    /// How long the answer to a change waits for the identity store.
    static let identityLimit = Duration.seconds(5)
    /// How long the broker may take to say what the administrator wants: the vault does not stay open for that.
    static let ceilingLimit = Duration.seconds(5)
    /// How long after the identity store was busy or locked it is tried again.
    static let identityPause = Duration.seconds(10)

    /// Makes the monitor of locked sessions and sleep, on a socket that is connected to the bus of the system.
    typealias Login = @Sendable (VaultService, OwnedDescriptor) -> LoginMonitor

    private let surroundings: VaultService.Surroundings
    private let identityMark: String
    private let login: Login?

    /// A service in `surroundings`, whose two listeners are set here.
    ///
    /// - Parameters:
    ///   - identityMark: the file that notes what the identity store holds.
    ///   - login: nil for a service that hears nothing of locked sessions and sleep.
    init(
        _ surroundings: VaultService.Surroundings, identityMark: String,
        login: Login? = nil
    ) {
        self.surroundings = surroundings
        self.identityMark = identityMark
        self.login = login
    }

    /// Serves the broker at the other end of `descriptor` until it is gone; the vault is locked when this returns.
    func serve(_ descriptor: OwnedDescriptor) async {
        let identities = IdentityQueue(clock: surroundings.clock)
        let link = ServiceLink()
        var surroundings = surroundings
        surroundings.onIdentityJob = { identities.add($0) }
        surroundings.identitiesTold = { await identities.settle(within: Self.identityLimit) }
        surroundings.onStateChange = { link.tell($0) }
        let clock = surroundings.clock
        surroundings.idleCeiling = { await link.idleCeiling(clock) }
        surroundings.onRenewal = { [log = surroundings.log] in await link.noteRenewal($0, $1, clock, log) }
        let versions = BrokerVersions(clock: surroundings.clock, log: surroundings.log)
        surroundings.versions = versions
        let service = VaultService(surroundings)
        let clients = ServiceClients()
        let broker = Connection(
            descriptor: descriptor, peer: .known(.broker),
            methods: Self.methods(service, clients, identities, link, surroundings.presence as? AttachedPresence))
        link.connect(broker)
        versions.connect(broker)
        let monitor = HeldMonitor()
        await withTaskGroup { group in
            group.addTask {
                guard await greet(broker) else { return }
                monitor.hold(await monitorLogin(broker, service))
                await keepIdentities(broker, service, identities)
            }
            await Self.end(of: broker)
            group.cancelAll()
        }
        monitor.stop()
        clients.closeAll()
        await service.lock("the broker is gone")
    }

    private static func methods(
        _ service: VaultService, _ clients: ServiceClients, _ identities: IdentityQueue, _ link: ServiceLink,
        _ presence: AttachedPresence?
    ) -> MethodTable {
        var table = MethodTable()
        table.on(AttachClient.self) { parameters, _ in
            if let session = parameters.client.terminalSession, let leader = parameters.leader {
                presence?.note(SessionLeader(leader.descriptor), of: session)
            }
            clients.serve(
                Connection(
                    descriptor: parameters.connection.descriptor, peer: .known(.serviceClient),
                    methods: service.methods(
                        for: parameters.client, gate: parameters.number.map(link.gate) ?? .open)))
            // The provider may have been turned on since the last job: its store is empty then.
            identities.add(.bringInStep)
            return Nothing()
        }
        table.on(CheckMasterPassword.self) { parameters, _ in
            try await service.checkMasterPassword(parameters.password)
        }
        table.on(CreateMasterPassword.self) { parameters, _ in
            // Open for pages, and for no terminal: nobody unlocked it in one.
            _ = try await service.create(.init(masterPassword: parameters.password), for: .providerExtension)
            return Nothing()
        }
        return table
    }

    /// Says who we are.
    private func greet(_ broker: Connection) async -> Bool {
        do throws(ProtocolError) {
            try await broker.greet(as: .providerService, name: "keyway-vaultd \(ProtocolVersion.release)")
            return true
        } catch {
            if error.code != .connectionClosed { surroundings.log("the broker turned us away: \(error.message)") }
            broker.close()
            return false
        }
    }

    /// Has the broker connect to the bus of the system, and listens there.
    private func monitorLogin(_ broker: Connection, _ service: VaultService) async -> LoginMonitor? {
        guard let login else { return nil }
        do throws(ProtocolError) {
            let bus = try await broker.call(ConnectSystemBus.self, Nothing())
            let monitor = login(service, bus.connection.descriptor)
            monitor.start()
            return monitor
        } catch {
            surroundings.log("login1 cannot be heard (\(error.message)): locks by command and by idle time only.")
            return nil
        }
    }

    /// Keeps the identity store in step.
    private func keepIdentities(_ broker: Connection, _ service: VaultService, _ identities: IdentityQueue) async {
        await service.noticeRemovedFile()
        await IdentitySync(
            store: BrokerSuggestionStore(broker), source: service, markPath: identityMark, log: surroundings.log,
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

/// The monitor that listens as long as the service lives.
private final class HeldMonitor: Sendable {
    private let held = Mutex<LoginMonitor?>(nil)

    func hold(_ monitor: LoginMonitor?) { held.withLock { $0 = monitor } }

    func stop() { held.withLock { $0 }?.stop() }
}

/// Tells the broker whether the service can answer without the person.
private final class ServiceLink: Sendable {
    private let broker = Mutex<Connection?>(nil)

    /// From now on `broker` is told. The vault cannot have been opened before: nobody could ask for it.
    func connect(_ broker: Connection) {
        self.broker.withLock { $0 = broker }
    }

    /// What lets things be handed out to the client that the broker calls `number`.
    func gate(of number: Int) -> HandoutGate {
        HandoutGate { (purpose) throws(ProtocolError) in
            guard let broker = self.broker.withLock({ $0 }) else {
                throw ProtocolError(.connectionClosed, "Keyway has stopped.")
            }
            _ = try await broker.call(PermitService.self, .init(number: number, purpose: purpose))
        }
    }

    /// What the administrator wants, as the broker says it; an older broker knows nothing of it, and one that does not answer
    /// in time says nothing.
    func idleCeiling(_ clock: any TimeSource) async -> IdleCeiling {
        guard let broker = broker.withLock({ $0 }) else { return .unknown }
        let limits = try? await Deadline.run(BrokeredService.ceilingLimit, clock, "") {
            try await broker.call(ReadServiceLimits.self, Nothing())
        }
        return limits.map { .known($0.idleLimit) } ?? .unknown
    }

    /// Tells the broker that the vault has another name. Where it does not answer in time, the master password counts for the
    /// vault's own accounts alone until the person was verified in another way.
    func noteRenewal(_ former: String, _ now: String, _ clock: any TimeSource, _ log: ServiceLog) async {
        guard let broker = broker.withLock({ $0 }) else { return }
        do {
            _ = try await Deadline.run(BrokeredService.ceilingLimit, clock, "") {
                try await broker.call(NoteRenewedVault.self, .init(former: former, vault: now))
            }
        } catch {
            log("the broker was not told that the vault key was renewed")
        }
    }

    func tell(_ now: ServiceState) {
        broker.withLock { $0 }?.notify(ServiceStateChanged.self, .init(state: now))
    }
}
