import AutoFillProtocol
import AutoFillWire
import BrokerBase
import KeywaySystem
import ServiceMatching
import Synchronization

/// Who is behind a client's connection, and what it may ask.
final class ClientAdmission: Sendable {
    /// What the process ran when it connected; nil for a known program, and where that is not told.
    private let arrival = Mutex<ClientProgram?>(nil)
    /// What the person said to the program when it last asked; nil before, and for apps of providers.
    private let admitted = Mutex<ClientGrants.Grant?>(nil)
    /// Who that was; nil before.
    private let admittedClient = Mutex<ConnectedClient?>(nil)
    /// What its process was last seen to run.
    private let sighting = Mutex<ClientSighting?>(nil)
    /// Whether a shell has had time to give its terminal to the process that connected.
    private let hasSettled = Atomic(false)
    private let clock: any TimeSource
    private let limits: AskingLimits
    private let clients: Clients
    private let notices: NoticeBoard
    private let suffixes: PublicSuffixes
    private let knownGroup: KnownGroup
    private let connections: ClientConnections
    private let policy: PolicyFiles

    init(
        clock: any TimeSource, limits: AskingLimits, clients: Clients, notices: NoticeBoard, suffixes: PublicSuffixes,
        knownGroup: KnownGroup, connections: ClientConnections, policy: PolicyFiles
    ) {
        self.policy = policy
        self.clock = clock
        self.limits = limits
        self.clients = clients
        self.notices = notices
        self.suffixes = suffixes
        self.knownGroup = knownGroup
        self.connections = connections
    }

    /// What every program may call: how the broker is and what is installed, but nothing of any account. What a browser
    /// can do with passkeys is asked by any page when it loads, and is no reason to ask the person about the browser.
    static let openMethods: Set<String> = [
        BrokerStatus.name, ListProviders.name, VerificationState.name, PasskeySupport.name, SetUpState.name,
    ]

    /// Remembers what the process runs that has just connected.
    func arrive(_ connection: Connection) {
        guard !knownGroup.covers(connection.peer), let process = connection.client else { return }
        let program = ClientProgram(of: process)
        arrival.withLock { $0 = program }
    }

    /// Lets a request pass once the person has let its program ask.
    ///
    /// - Throws: ``ProtocolError``: `forbidden` for a browser that the administrator does not allow, `notApproved`,
    ///   `cancelled`, `locked`.
    func admit(_ context: RequestContext) async throws(ProtocolError) {
        // What apps of providers may do is decided for each provider.
        guard context.role != .application else { return }
        let client = try client(context)
        try checkAllowed(client)
        await waitForTerminal(context)
        let grant = try await clients.admit(client, context.connection)
        let isFirst = admitted.withLock { admitted in
            defer { admitted = grant }
            return admitted == nil
        }
        admittedClient.withLock { $0 = client }
        if isFirst { connections.makeRoom(for: context.connection, self) }
        if context.role == .terminal { notices.add(context.connection) }
        // Its digest is known now; a thousand clients must not keep a thousand files open.
        arrival.withLock { $0?.contents = nil }
    }

    /// Asked at every request: the administrator may change their mind, and nobody's consent counts against it.
    private func checkAllowed(_ client: ConnectedClient) throws(ProtocolError) {
        guard client.identity.role == .browser else { return }
        let policy = policy.current
        let program = client.identity.browser
        guard !policy.allows(browser: program) else { return }
        let name = program.map(DisplayText.line) ?? "This browser, whose program isn't known,"
        throw policy.refusal(.browsers, "\(name) may not use Keyway here.")
    }

    /// A shell gives its terminal to a pipeline a moment after it started it: who has just connected from the background
    /// may be in the foreground at once.
    private func waitForTerminal(_ context: RequestContext) async {
        guard context.role == .terminal, !hasSettled.exchange(true, ordering: .relaxed) else { return }
        for _ in 0..<Self.looksForTerminal where context.connection.isPeerInBackground {
            guard (try? await clock.wait(for: Self.pauseForTerminal)) != nil else { return }
        }
    }

    private static let looksForTerminal = 50
    private static let pauseForTerminal = Duration.milliseconds(10)

    /// The file that the process ran when it connected, as far as that is told.
    var arrivedPath: String? { arrival.withLock { $0?.path } }

    /// Whether it was let to ask without a question for each new site.
    var coversAllSites: Bool { admitted.withLock { $0?.coversAllSites } == true }

    /// Whether the person has let the program behind a request ask; asks nobody.
    func mayKnowAccounts(_ context: RequestContext) async -> Bool {
        if admitted.withLock({ $0 != nil }) { return true }
        guard context.role != .application, let client = try? client(context) else { return false }
        return await clients.mayAsk(client)
    }

    /// Tells a terminal what waits to be told, once it has greeted and if its program may ask: another one would only take
    /// away what the person should hear.
    func tellNotices(to connection: Connection) async {
        guard (try? await connection.waitForGreeting()) != nil, connection.role == .terminal,
            let client = try? client(connection, .terminal), await clients.mayAsk(client)
        else { return }
        notices.add(connection)
    }

    /// Who is behind the connection of a request now.
    ///
    /// - Throws: ``ProtocolError`` with the code `notApproved` for a process that is gone, hides what it runs, or runs
    ///   something else than when it connected.
    func client(_ context: RequestContext) throws(ProtocolError) -> ConnectedClient {
        try client(context.connection, context.role)
    }

    private func client(_ connection: Connection, _ role: Role) throws(ProtocolError) -> ConnectedClient {
        guard let process = connection.client, process.isRunning else {
            throw Self.notApproved(
                "The program that connected to Keyway has ended, so Keyway doesn't know who uses the connection. Start it again."
            )
        }
        let said = role == .browser ? connection.hello?.profile : nil
        // Marked before it is looked at: another program that it becomes meanwhile has another mark.
        let marks = ProgramMarks(of: process, withParent: role == .browser && mayBeHost(connection))
        if let seen = sighting.withLock({ $0 }), seen.role == role, seen.profile == said,
            seen.marks.agree(with: marks)
        {
            return seen.client
        }
        let client = try look(at: process, connection.peer, role, said)
        sighting.withLock { $0 = ClientSighting(client: client, role: role, profile: said, marks: marks) }
        return client
    }

    /// Who is behind the connection of a process.
    ///
    /// - Throws: as ``client(_:)``.
    private func look(
        at process: PeerProcess, _ peer: PeerIdentity?, _ role: Role, _ said: BrowserProfile?
    ) throws(ProtocolError) -> ConnectedClient {
        if knownGroup.covers(peer) {
            let browser = role == .browser ? process.parentProgramPath : nil
            return ConnectedClient(
                identity: ClientIdentity(
                    role: role, isKnown: true, path: nil, profile: said?.identifier, browser: browser),
                program: nil, profile: said)
        }
        guard let program = arrival.withLock({ $0 }) else {
            throw Self.notApproved(
                "Keyway can't find out which program asks. "
                    + (knownGroup.problem
                        ?? "A program that hides its memory must do so only after it has greeted Keyway."))
        }
        // A program of ours hides once it has greeted. One that becomes another program does not hide any more.
        if let now = ClientProgram(of: process), !now.file.isSameFile(as: program.file) {
            throw Self.notApproved(
                "\(program.name) is no longer the program that connected: it is now \(DisplayText.line(now.path)).")
        }
        let isHost = role == .browser && program.name == ClientIdentity.hostName
        let browser = isHost ? process.parentProgramPath : nil
        // Only a host speaks for profiles of a browser. Another program would be a new one by every profile that it makes up.
        let profile = browser == nil ? nil : said
        return ConnectedClient(
            identity: ClientIdentity(
                role: role, isKnown: false, path: program.path, profile: profile?.identifier,
                browser: browser),
            program: program, profile: profile)
    }

    /// Whether a browser may have started it as its host.
    private func mayBeHost(_ connection: Connection) -> Bool {
        knownGroup.covers(connection.peer) || arrival.withLock { $0?.name } == ClientIdentity.hostName
    }

    private static func notApproved(_ message: String) -> ProtocolError { ProtocolError(.notApproved, message) }

    // MARK: - How much

    private var isCounted: Bool { admitted.withLock { $0?.isUncounted } != true }

    /// Who is counted: whoever was let in with this request, or who is there.
    private func counted(_ context: RequestContext) throws(ProtocolError) -> ConnectedClient {
        if context.role != .application, let client = admittedClient.withLock({ $0 }) { return client }
        return try client(context)
    }

    /// Counts what a suggestion would tell.
    ///
    /// - Throws: ``ProtocolError`` with the code `rateLimited`.
    func count(_ services: [ServiceIdentifier], _ context: RequestContext) throws(ProtocolError) {
        guard isCounted else { return }
        let client = try counted(context)
        try limits.ask(
            client.identity.identifier, client.name, program: client.identity.program.identifier,
            sites: services.map(suffixes.site))
    }

    /// Counts a look at the names that a service keeps: all of them are as one site, and a repetition is free.
    ///
    /// - Throws: ``ProtocolError`` with the code `rateLimited`.
    func count(namesOf provider: ProviderReference, _ context: RequestContext) throws(ProtocolError) {
        guard isCounted else { return }
        let client = try counted(context)
        try limits.ask(
            client.identity.identifier, client.name, program: client.identity.program.identifier,
            sites: ["\n\(provider.identifier)"])
    }

    /// Counts accounts whose credentials would be given.
    ///
    /// - Throws: ``ProtocolError`` with the code `rateLimited`.
    func count(accounts: [String], _ context: RequestContext) throws(ProtocolError) {
        guard isCounted else { return }
        let client = try counted(context)
        try limits.fill(
            client.identity.identifier, client.name, program: client.identity.program.identifier, accounts: accounts)
    }

    // MARK: - What it is called

    /// What the person knows the client by: what they called the program, or its file, and never what it says of itself.
    func clientName(_ context: RequestContext) -> String {
        if let grant = admitted.withLock({ $0 }) { return grant.historyName }
        if let client = try? client(context) { return client.historyName }
        return arrival.withLock { $0?.name } ?? context.role.rawValue
    }
}
