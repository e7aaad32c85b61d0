import AutoFillWire
import BrokerBase
import Glibc
import IdentityIndex
import KeywayCrypto
package import KeywaySystem
package import LoginMonitor
import PasswordRules
import ProviderHosting
import ServiceMatching

/// The broker: knows the providers, what they suggest, and which programs ask, and passes requests between them.
///
/// No secret is ever in its memory: it passes on descriptors without reading them.
package final class Broker: Sendable {
    let suggester: Suggester
    let processes: BundleProcesses
    let directory: ProviderDirectory
    let stores: IdentityStores
    /// Which sites let others use their passkeys.
    let relatedOrigins: RelatedOrigins
    /// What is kept of accounts that get a passkey by themselves.
    let upgrades: Upgrades
    /// Which apps belong to which sites, and the requests of apps that wait for a terminal.
    let appSites: AppSites
    let answers = WaitingApplications()
    let notices: NoticeBoard
    let clock: any TimeSource
    let log: EventLog
    /// Who asks providers.
    let desk: ProviderRequests
    /// What is installed, and what apps of providers may.
    let installed: InstalledProviders
    let decisions: ProviderDecisions
    let apps: ApplicationDoor
    let debugging: DebuggingGrants
    let announcer: UpgradeAnnouncer
    /// Whether somebody sits in front of a session.
    let hasTerminal: @Sendable (TerminalSession) -> Bool
    /// Whether the process behind a connection is in the background of its terminal.
    let isInBackground: @Sendable (Connection) -> Bool
    /// Which programs are connected to services.
    let conversations: ServiceConversations
    /// Where requests are shown that come from no terminal.
    let sheets: SheetWindows?
    /// Who checks that the person is at the keyboard, and for how long that counts.
    let person: PersonMethods
    /// What happened.
    let history: History
    /// Where the person decides about programs and providers.
    let consent: ConsentQuestions
    /// Which programs may ask.
    let clients: Clients
    /// How much they may ask.
    let limits: AskingLimits
    /// Which sites the profiles of browsers may fill, and who was refused one lately.
    let sites: ConfirmedSites
    let siteRefusals = SiteRefusals()
    /// Which sites nobody is asked about when a password could be saved, and those that were declined lately.
    let unsaved: UnsavedSites
    let savingPauses = SavingPauses()
    /// What the person said to being offered the first run.
    let firstRun: FirstRunChoices
    /// Accounts on their way from one provider to another.
    let exchange: ExchangeDesk
    /// What is known of sites in public; nil where it is not installed.
    let quirks: SiteQuirks?
    /// The group that Keyway's own programs run with.
    let knownGroup: KnownGroup
    /// What the administrator allows.
    let policy: PolicyFiles
    /// When it began.
    let started: MonotonicTime
    /// The file of the program that this is; nil where nobody looks whether it is replaced.
    let program: RunningProgram?
    /// Who is connected.
    let connections: ClientConnections
    private let greetings: GreetingWatch

    /// A broker over these paths.
    ///
    /// - Parameters:
    ///   - storeKey: where the key of the identity stores comes from.
    ///   - policy: what the administrator allows.
    ///   - sheets: where requests are shown that come from no terminal; nil where nothing is.
    ///   - consent: where the person decides about programs and providers; nil for the sheets.
    ///   - quirks: what is known of sites in public; nil for nothing.
    ///   - knownGroup: the group that Keyway's own programs run with.
    ///   - program: the file of the program that this is.
    ///   - random: what tokens are made of.
    ///   - hasTerminal: whether somebody sits in front of a session: where it has a controlling terminal.
    ///   - isInBackground: whether the process behind a connection is in the background of its terminal.
    /// - Throws: ``ProtocolError`` with the code `refused` or `system` when its folders are not ours alone.
    init(
        paths: KeywayPaths, launcher: any BundleLauncher, storeKey: any StoreKeySource, clock: any TimeSource,
        log: EventLog, policy: PolicyFiles = .none, sheets: SheetWindows? = nil, consent: ConsentQuestions? = nil,
        quirks: SiteQuirks? = nil, knownGroup: KnownGroup = .none, program: RunningProgram? = nil,
        random: any RandomSource = SystemRandomSource(),
        hasTerminal: @escaping @Sendable (TerminalSession) -> Bool = { $0.terminal > 0 },
        isInBackground: @escaping @Sendable (Connection) -> Bool = { $0.isPeerInBackground }
    ) throws(ProtocolError) {
        self.policy = policy
        try PrivateFolder.prepare(paths.state)
        let suffixes = PublicSuffixes()
        let stores = try IdentityStores(
            folder: paths.identities, suffixes: suffixes, key: storeKey, clock: clock, log: log)
        let seal = stores.settings
        seal.keepRegister(in: paths.state)
        let (notices, conversations, upgrades) = (NoticeBoard(), ServiceConversations(), Upgrades(clock: clock))
        let history = try History(
            folder: paths.history, policy: policy, clock: clock, log: log, tell: { notices.post(nil, $0) },
            key: { () async throws(ProtocolError) in try await stores.openKey() })
        let registry = ProviderRegistry(
            folders: paths.providerFolders, state: paths.state, seal: seal, policy: policy,
            noteUpgrade: { history.note(upgradeOf: $0, thatDeclares: $1) })
        let directory = ProviderDirectory(registry) { await stores.openSettings() }
        let suggester = Suggester(stores: stores, suffixes: suffixes)
        let applications = Applications(state: paths.state, seal: seal, log: log)
        let groups = GroupFolders(folder: paths.groups, seal: seal)
        let enabling = EnablingRequests()
        let deliveries = Deliveries(path: paths.state + "/deliveries.json", log: log)
        let activities = ExchangeActivities()
        let vaults = VouchingVaults(folder: paths.state, seal: seal) { _ = try? await stores.openKey() }
        let processes = BundleProcesses(
            launcher: launcher, groups: groups,
            surroundings: BundleProcesses.Surroundings(
                enabled: { () async throws(ProtocolError) in try await directory.enabled() },
                examine: { (bundle) async throws(ProtocolError) in try await directory.examine(bundle) },
                permit: { (parameters, bundle) async throws(ProtocolError) in
                    try await conversations.permit(parameters, of: bundle)
                },
                renewed: { await vaults.renew($0.former, $0.vault, of: $1.reference.identifier) },
                idleLimit: { policy.current.idleLock }, stores: StoresOfProviders(stores: stores, clock: clock),
                activities: activities),
            clock: clock, log: log)
        let verifier = SystemVerifier()
        verifier.add(
            MasterPasswordCheck(
                processes: processes,
                providers: { () async throws(ProtocolError) in try await directory.enabled() }, vaults: vaults,
                isAlone: { [weak verifier] in await verifier?.isAll(by: $0) ?? false }))
        let prospect = VerificationProspect(verifier: verifier, clock: clock)
        directory.follow { [weak processes, weak stores, weak prospect] snapshot in
            await processes?.keepOnly(snapshot.enabled)
            await processes?.keepRunning(snapshot.enabled)
            await stores?.keepOnly(Set(snapshot.enabled.map(\.reference.identifier)))
            // One that is on now may check a master password, and one that did may be off.
            prospect?.forget()
        }
        let consent =
            consent
            ?? ConsentQuestions(
                sheets: sheets?.presenter, verifier: verifier,
                hasDesktop: { await sheets?.hasDesktop() ?? false },
                remedy: { seal.disbelieved.isEmpty ? "" : ". \(paths.remedy)" })
        let person = PersonMethods(
            verifier: verifier,
            choices: VerificationChoices(folder: paths.state, seal: seal, policy: policy) {
                _ = try? await stores.openKey()
            },
            grace: VerificationGrace(clock: clock), prospect: prospect, notices: notices, clock: clock, log: log,
            remedy: consent.remedy)
        let sites = ConfirmedSites(folder: paths.state, seal: seal)
        let clients = Clients(
            state: paths.state, seal: seal, desk: consent,
            surroundings: Clients.Surroundings(
                openSettings: { await stores.openSettings() },
                terminal: { TerminalQuestions(connection: $0, hasTerminal: hasTerminal) },
                isEmpty: { await directory.isEmpty() },
                tell: { notices.post(nil, $0) }, record: { history.note($0) },
                forgetSites: { (grant) throws(ProtocolError) in
                    try sites.forget(grant.identity, withProfiles: grant.coversAllProfiles == true)
                }),
            clock: clock, log: log)
        let desk = ProviderRequests(
            directory: directory, processes: processes, stores: stores, deliveries: deliveries, notices: notices,
            clock: clock, log: log)
        let decisions = ProviderDecisions(
            registry: registry, directory: directory, processes: processes, stores: stores, consent: consent,
            verifier: verifier, hasTerminal: hasTerminal)
        (self.suggester, self.processes, self.directory, self.stores) = (suggester, processes, directory, stores)
        (self.upgrades, self.conversations, self.notices, self.clock) = (upgrades, conversations, notices, clock)
        (self.log, self.sheets, self.history, self.consent) = (log, sheets, history, consent)
        exchange = ExchangeDesk(
            activities: activities, parcels: ExchangeParcels(clock: clock, random: random), directory: directory,
            processes: processes, verifier: verifier, history: history, clock: clock, log: log)
        activities.use(exchange)
        unsaved = UnsavedSites(folder: paths.state, seal: seal)
        firstRun = FirstRunChoices(folder: paths.state, mark: paths.postponement, seal: seal)
        self.quirks = quirks
        (self.person, self.clients, self.sites, self.knownGroup) = (person, clients, sites, knownGroup)
        self.program = program
        (self.desk, self.decisions) = (desk, decisions)
        (self.hasTerminal, self.isInBackground) = (hasTerminal, isInBackground)
        relatedOrigins = RelatedOrigins(clock: clock, suffixes: suffixes)
        appSites = AppSites(clock: clock)
        installed = InstalledProviders(
            registry: registry, directory: directory, processes: processes, stores: stores, deliveries: deliveries,
            applications: applications, groups: groups, enabling: enabling, decisions: decisions, log: log)
        apps = ApplicationDoor(
            registry: registry, directory: directory, applications: applications, groups: groups, enabling: enabling,
            stores: stores, notices: notices, clock: clock)
        debugging = DebuggingGrants(
            processes: processes, consent: consent, person: person, notices: notices, history: history,
            upgrades: upgrades, clock: clock, log: log, hasTerminal: hasTerminal)
        announcer = UpgradeAnnouncer(
            upgrades: upgrades, directory: directory, desk: desk, suggester: suggester, notices: notices,
            history: history, clock: clock)
        limits = AskingLimits(clock: clock) { _, sentence in
            log(sentence)
            notices.post(nil, sentence)
        }
        connections = ClientConnections(knownGroup: knownGroup, clients: clients, clock: clock)
        greetings = GreetingWatch(clock: clock, log: log)
        started = clock.now
        // Which providers are on is known from then on; some of their programs run always.
        seal.onOpen { [weak clients, weak directory] in
            Task {
                await clients?.look()
                _ = try? await directory?.enabled()
            }
        }
        seal.onDisbelief { notices.post(nil, $0) }
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
        let door = ClientDoor(of: self)
        let connection = Connection(descriptor: socket, peer: .unknown(greeting), methods: door.methods)
        guard let peer = connection.peer, peer.isOurUser else {
            log("a connection of user \(connection.peer?.userIdentifier.description ?? "unknown") was refused")
            return false
        }
        door.admission.arrive(connection)
        guard connections.add(connection, door.admission) else {
            log("a connection of process \(peer.processIdentifier) was refused: there are too many")
            connection.close()
            return false
        }
        connection.onClose { [weak connection, connections, greetings, person, apps] in
            guard let connection else { return }
            connections.remove(connection)
            greetings.forget(connection)
            person.grace.forget(ObjectIdentifier(connection))
            Task { await apps.dropWrites(of: connection) }
        }
        greetings.begin(connection)
        connection.start()
        Task { [weak connection] in
            if let connection { await door.admission.tellNotices(to: connection) }
        }
        return true
    }

    /// Answers what is being asked, for a moment, before ``close()``.
    package func finish() async {
        await connections.finish(within: .seconds(2))
    }

    /// Ends every conversation and every process, and waits for the latter.
    package func close() async {
        connections.close()
        sheets?.close()
        await processes.endAll()
        await history.write()
        await history.close()
        await stores.close()
    }

    /// Looks at the folders and the person's choices, as at every start.
    ///
    /// - Throws: ``ProtocolError`` with the code `damaged` when the person's choices cannot be read.
    package func adoptProviders() async throws(ProtocolError) {
        _ = try await directory.enabled()
    }

    /// Does what a change of the login session asks for.
    package func handle(_ event: LoginEvent) async {
        switch event {
        case .sessionLocked, .willSleep:
            person.verifier.interrupt()
            sheets?.interrupt()
            person.grace.forgetAll()
            conversations.endLooks()
            person.prospect.forget()
            upgrades.fills.forget()
            if event == .sessionLocked { exchange.lock() }
        case .sessionUnlocked: exchange.unlock()
        }
        await stores.handle(event)
        // After the key is gone, so that nothing opens it again.
        if event != .sessionUnlocked { await history.close() }
    }
}
