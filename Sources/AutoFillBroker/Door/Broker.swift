import AutoFillProtocol
import AutoFillWire
import BrokerBase
package import KeywaySystem
import Glibc
import IdentityIndex
import ProviderHosting
import ServiceMatching
import Synchronization

/// The broker: which providers there are, what they told, who asks, and the way between them. No secret ever stands in
/// its memory: it passes descriptors on unread.
package final class Broker: Sendable {
    private struct State {
        var connections: [ObjectIdentifier: Connection] = [:]
        var generation = 0
        var isClosed = false
        var isGivingBack = false
        var room = ConnectionRoom(descriptorLimit: Broker.descriptorLimit)
    }

    /// How long a client may take to say who it is.
    package static let greetingLimit = Duration.seconds(30)

    let suggester: Suggester
    let processes: BundleProcesses
    let registry: ProviderRegistry
    let stores: IdentityStores
    let applications: Applications
    let enabling = EnablingRequests()
    /// Which sites let others use their passkeys.
    let relatedOrigins: RelatedOrigins
    /// What is kept of accounts that get a passkey by themselves.
    let upgrades: Upgrades
    /// Which apps belong to which sites, and the requests of apps that wait for a terminal.
    let appSites: AppSites
    let answers = AnswerDesk()
    let groups: GroupFolders
    let notices = NoticeBoard()
    let clock: any BrokerClock
    let log: EventLog
    let deliveries: Deliveries
    let reporting = Reporting()
    /// Whether somebody sits in front of a session.
    let hasTerminal: @Sendable (TerminalSession) -> Bool
    /// Whether the process behind a connection is in the background of its terminal.
    let isInBackground: @Sendable (Connection) -> Bool
    /// Which programs are connected to services.
    let conversations = ServiceConversations()
    /// Where requests are shown that come from no terminal.
    let sheets: SheetDesk?
    /// Who checks that the person is at the keyboard, and for how long that counts.
    let verifier = SystemVerifier()
    let prospect: VerificationProspect
    let grace: VerificationGrace
    let choices: VerificationChoices
    /// What happened.
    let history: History
    /// Where the person decides about programs and providers.
    let consent: ConsentDesk
    /// Which programs may ask.
    let clients: Clients
    /// How much they may ask.
    let limits: AskingLimits
    /// Which sites the profiles of browsers may fill, and who was refused one lately.
    let sites: ConfirmedSites
    let siteRefusals = SiteRefusals()
    /// The group that Keyway's own programs run with.
    let knownGroup: KnownGroup
    private let started: MonotonicTime
    private let refreshing = Turn()
    private let state = Mutex(State())

    /// A broker over these paths.
    ///
    /// - Parameters:
    ///   - storeKey: where the key of the identity stores comes from.
    ///   - sheets: where requests are shown that come from no terminal; nil where nothing is.
    ///   - consent: where the person decides about programs and providers; nil for the sheets.
    ///   - knownGroup: the group that Keyway's own programs run with.
    ///   - hasTerminal: whether somebody sits in front of a session: where it has a controlling terminal.
    ///   - isInBackground: whether the process behind a connection is in the background of its terminal.
    /// - Throws: ``ProtocolError`` with the code `refused` or `system` when its folders are not ours alone.
    init(
        paths: KeywayPaths, launcher: any BundleLauncher, storeKey: any StoreKeySource, clock: any BrokerClock,
        log: EventLog, sheets: SheetDesk? = nil, consent: ConsentDesk? = nil, knownGroup: KnownGroup = .none,
        hasTerminal: @escaping @Sendable (TerminalSession) -> Bool = { $0.terminal > 0 },
        isInBackground: @escaping @Sendable (Connection) -> Bool = { $0.isPeerInBackground }
    ) throws(ProtocolError) {
        try PrivateFolder.prepare(paths.state)
        let suffixes = PublicSuffixes()
        stores = try IdentityStores(
            folder: paths.identities, suffixes: suffixes, key: storeKey, clock: clock, log: log)
        stores.settings.keepRegister(in: paths.state)
        registry = ProviderRegistry(folders: paths.providerFolders, state: paths.state, seal: stores.settings)
        suggester = Suggester(stores: stores, suffixes: suffixes)
        applications = Applications(state: paths.state, seal: stores.settings, log: log)
        groups = GroupFolders(folder: paths.groups, seal: stores.settings)
        deliveries = Deliveries(path: paths.state + "/deliveries.json", log: log)
        let itself = WeakBroker()
        let look: @Sendable () async throws(ProtocolError) -> [ProviderBundle] = {
            () async throws(ProtocolError) in try await itself.broker?.enabledProviders() ?? []
        }
        processes = BundleProcesses(
            launcher: launcher, groups: groups,
            surroundings: BundleProcesses.Surroundings(
                enabled: look,
                examine: { (bundle) async throws(ProtocolError) in try await itself.broker?.examine(bundle) },
                permit: { (parameters, bundle) async throws(ProtocolError) in
                    guard let broker = itself.broker else { throw ProtocolError(.connectionClosed, "Keyway ends.") }
                    try await broker.permit(parameters, of: bundle)
                }, stores: StoresOfProviders(stores: stores, clock: clock)),
            clock: clock, log: log)
        self.clock = clock
        relatedOrigins = RelatedOrigins(clock: clock, suffixes: suffixes)
        upgrades = Upgrades(clock: clock)
        appSites = AppSites(clock: clock)
        grace = VerificationGrace(clock: clock)
        prospect = VerificationProspect(verifier: verifier, clock: clock)
        choices = VerificationChoices(folder: paths.state, seal: stores.settings) { [stores] in
            _ = try? await stores.openKey()
        }
        self.log = log
        self.hasTerminal = hasTerminal
        self.isInBackground = isInBackground
        self.sheets = sheets
        history = try History(
            folder: paths.history, clock: clock, log: log, tell: { [notices] in notices.post(nil, $0) },
            key: { [stores] () async throws(ProtocolError) in try await stores.openKey() })
        self.knownGroup = knownGroup
        let desk =
            consent
            ?? ConsentDesk(
                sheets: sheets?.presenter, verifier: verifier,
                hasDesktop: { [sheets] in await sheets?.hasDesktop() ?? false },
                remedy: { [stores] in stores.settings.disbelieved.isEmpty ? "" : ". \(paths.remedy)" })
        self.consent = desk
        let sites = ConfirmedSites(folder: paths.state, seal: stores.settings)
        self.sites = sites
        clients = Clients(
            state: paths.state, seal: stores.settings, desk: desk,
            surroundings: Clients.Surroundings(
                openSettings: { [stores] in await stores.openSettings() },
                terminal: { TerminalQuestions(connection: $0, hasTerminal: hasTerminal) },
                isEmpty: { await itself.broker?.isEmpty() ?? false },
                tell: { [notices] in notices.post(nil, $0) }, record: { [history] in history.note($0) },
                forgetSites: { (grant) throws(ProtocolError) in
                    try sites.forget(grant.identity, withProfiles: grant.coversAllProfiles == true)
                }),
            clock: clock, log: log)
        limits = AskingLimits(clock: clock) { [notices, log] _, sentence in
            log(sentence)
            notices.post(nil, sentence)
        }
        started = clock.now
        verifier.add(MasterPasswordCheck(processes: processes, providers: look))
        itself.set(self)
        // Which providers are on is known from then on; some of their programs run always.
        stores.settings.onOpen {
            Task {
                await itself.broker?.clients.look()
                _ = try? await itself.broker?.enabledProviders()
            }
        }
        stores.settings.onDisbelief { [notices] in notices.post(nil, $0) }
    }

    // MARK: - Clients

    /// Serves one client, if it is a process of our user and there is room.
    ///
    /// - Returns: whether it is served.
    @discardableResult
    package func serve(_ socket: OwnedDescriptor) -> Bool {
        // A provider has a connection of its own: here it would be the person.
        let isProviders = PeerProcess.isOfOurChild(socket)
        if isProviders { log("a process of a provider connected; it may be an app at most") }
        let greeting = Greeting(
            accepts: isProviders ? [.application] : [.terminal, .browser, .application],
            name: "keywayd \(ProtocolVersion.release)")
        let door = ClientDoor(broker: self)
        let connection = Connection(descriptor: socket, peer: .unknown(greeting), methods: door.methods)
        guard let peer = connection.peer, peer.isOurUser else {
            log("a connection of user \(connection.peer?.userIdentifier.description ?? "unknown") was refused")
            return false
        }
        door.arrive(connection)
        let owner = owner(of: connection, isApproved: clients.isKnown(door.arrival.withLock { $0?.path }), door)
        let isServed = state.withLock { state in
            guard !state.isClosed, state.room.admit(ObjectIdentifier(connection), of: owner) else { return false }
            state.connections[ObjectIdentifier(connection)] = connection
            return true
        }
        guard isServed else {
            log("a connection of process \(peer.processIdentifier) was refused: there are too many")
            connection.close()
            return false
        }
        connection.onClose { [weak self, weak connection] in
            guard let self, let connection else { return }
            self.state.withLock { state in
                state.connections[ObjectIdentifier(connection)] = nil
                state.room.leave(ObjectIdentifier(connection))
            }
            self.grace.forget(ObjectIdentifier(connection))
            Task { await self.dropWrites(of: connection) }
            self.giveBackMemory()
        }
        connection.start()
        Task { [weak connection] in
            if let connection { await door.tellNotices(to: connection) }
        }
        watchGreeting(of: connection)
        return true
    }

    /// Whose a connection is, for the room that there is. Without a group an approved program counts as one of Keyway's own.
    private func owner(of connection: Connection, isApproved: Bool, _ door: ClientDoor) -> ConnectionRoom.Owner {
        if knownGroup.covers(connection.peer) { return .own }
        if isApproved { return knownGroup.identifier == nil ? .own : .approved }
        return .stranger(door.arrival.withLock { $0?.path })
    }

    /// The person let the program behind `connection` ask.
    func makeRoom(for connection: Connection, _ door: ClientDoor) {
        let owner = owner(of: connection, isApproved: true, door)
        state.withLock { $0.room.approve(ObjectIdentifier(connection), as: owner) }
    }

    /// How many descriptors this process may have.
    private static var descriptorLimit: Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1024 }
        return Int(min(limit.rlim_cur, 1 << 20))
    }

    /// Ends a connection that never says who it is: it keeps a place from others.
    private func watchGreeting(of connection: Connection) {
        Task { [clock, log] in
            do throws(ProtocolError) {
                try await Deadline.run(Self.greetingLimit, clock, "") { try await connection.waitForGreeting() }
            } catch  where error.code == .timedOut {
                log("process \(connection.peer?.processIdentifier ?? 0) connected and did not greet; ended")
                connection.close()
            } catch {}
        }
    }

    /// Gives back, soon and once for many, what ended connections have left: thousands of handles each.
    private func giveBackMemory() {
        guard
            state.withLock({ state in
                defer { state.isGivingBack = true }
                return !state.isGivingBack
            })
        else { return }
        Task { [weak self, clock] in
            try? await clock.sleep(for: .seconds(1))
            self?.state.withLock { $0.isGivingBack = false }
            FreedMemory.giveBack()
        }
    }

    /// What one connection may have of handles now.
    var handleLimits: SuggestionHandles.Limits {
        SuggestionHandles.Limits(connections: state.withLock { $0.connections.count })
    }

    /// How the broker is.
    func status() async -> BrokerStatus.Result {
        stores.settings.look()
        let disbelieved = stores.settings.disbelieved
        return BrokerStatus.Result(
            version: ProtocolVersion.release, protocol: .current, processIdentifier: getpid(),
            uptime: clock.now.since(started) / .seconds(1), connections: state.withLock { $0.connections.count },
            running: await processes.running(), storeKey: await stores.keyState(),
            droppedAnswers: await processes.droppedAnswers(), confinement: await processes.confinement(),
            disbelieved: disbelieved.isEmpty ? nil : disbelieved, sharedLimits: processes.sharedLimits)
    }

    /// Ends every conversation and every process, and waits for the latter.
    package func close() async {
        let connections = state.withLock { state in
            state.isClosed = true
            return Array(state.connections.values)
        }
        for connection in connections { connection.close() }
        sheets?.close()
        await processes.endAll()
        await history.write()
        await history.close()
        await stores.close()
    }

    // MARK: - Providers

    /// The enabled providers, as the folders are now. Whoever is gone since is stopped and forgotten.
    ///
    /// - Throws: ``ProtocolError`` with the code `damaged` when the person's choices cannot be read.
    func enabledProviders() async throws(ProtocolError) -> [ProviderBundle] {
        await stores.openSettings()
        let snapshot = try await registry.snapshot()
        if state.withLock({ $0.generation }) != snapshot.generation { try await adopt() }
        return snapshot.enabled
    }

    /// Looks at the folders and the person's choices, as at every start.
    ///
    /// - Throws: ``ProtocolError`` with the code `damaged` when the person's choices cannot be read.
    package func adoptProviders() async throws(ProtocolError) {
        _ = try await enabledProviders()
    }

    /// Brings stores and processes in step with the registry, one change at a time.
    private func adopt() async throws(ProtocolError) {
        try await refreshing.run { () async throws(ProtocolError) in
            let snapshot = try await registry.snapshot()
            guard state.withLock({ $0.generation }) != snapshot.generation else { return }
            await processes.keepOnly(snapshot.enabled)
            await processes.keepRunning(snapshot.enabled)
            await stores.keepOnly(Set(snapshot.enabled.map(\.reference.identifier)))
            state.withLock { $0.generation = snapshot.generation }
            // One that is on now may check a master password, and one that did may be off.
            prospect.forget()
        }
    }

    /// The enabled provider with this identifier, or the only one.
    ///
    /// - Throws: ``ProtocolError``: `noProvider`, or `invalidParameters` when several could be meant.
    func enabledProvider(_ identifier: String?) async throws(ProtocolError) -> ProviderBundle {
        let enabled = try await enabledProviders()
        let names = enabled.map(\.reference.identifier).joined(separator: ", ")
        guard let identifier else {
            guard let only = enabled.first else { throw noneEnabled }
            guard enabled.count == 1 else {
                throw ProtocolError(.invalidParameters, "Several providers are enabled, name one of: \(names).")
            }
            return only
        }
        guard let bundle = enabled.first(where: { $0.reference.identifier == identifier }) else {
            if let changed = try await changedProvider(identifier) { throw changed }
            throw ProtocolError(
                .noProvider,
                "The provider `\(DisplayText.line(identifier))` is not enabled. Run: keyway providers list",
                provider: DisplayText.line(identifier))
        }
        return bundle
    }

    /// What is said where the provider in the box would help.
    var noneEnabled: ProtocolError {
        ProtocolError(.noProvider, "No provider is enabled. Run: keyway providers enable org.keyway.passwords")
    }

    /// What is said where it would not.
    func noneEnabled(_ capability: Capability) -> ProtocolError {
        ProtocolError(
            .noProvider,
            "No provider is enabled; it takes one that would \(capability.words). Run: keyway providers list")
    }

    /// Refuses to start a bundle that is not what the person turned on.
    ///
    /// - Throws: ``ProtocolError`` with the code `noProvider`, `damaged`, `locked` or `system`.
    private func examine(_ bundle: ProviderBundle) async throws(ProtocolError) {
        guard try await !registry.mayStart(bundle) else { return }
        _ = try await enabledProviders()
        let identifier = bundle.reference.identifier
        throw try await changedProvider(identifier)
            ?? ProtocolError(
                .noProvider, "\(bundle.reference.name) is not enabled any more. Run: keyway providers list",
                provider: identifier)
    }

    /// What is to be said of a provider that was turned on and has changed since.
    private func changedProvider(_ identifier: String) async throws(ProtocolError) -> ProtocolError? {
        let bundles = try await registry.snapshot().bundles
        guard let bundle = bundles.first(where: { $0.reference.identifier == identifier }),
            await registry.hasChanged(bundle)
        else { return nil }
        return ProtocolError(
            .noProvider,
            "\(bundle.reference.name) has changed since you turned it on, so it is off. If you trust it still: "
                + "keyway providers enable \(identifier)", provider: identifier)
    }
}
