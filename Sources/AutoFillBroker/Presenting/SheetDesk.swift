package import AutoFillProtocol
import Glibc
package import LoginMonitor
import Synchronization

/// Starts `keyway-sheets`. A seam: tests put it into their own process.
package protocol SheetLauncher: Sendable {
    /// Starts the program with `environment`, with the other end of the returned socket as its descriptor 3.
    ///
    /// - Throws: ``ProtocolError`` with the code `system`.
    func launch(_ environment: [String: String]) throws(ProtocolError) -> (any LaunchedProcess, OwnedDescriptor)
}

/// The program that was installed beside the broker.
package struct InstalledSheets: SheetLauncher {
    private let path: String

    /// The program in the folder of this one.
    package init() {
        let own = KeywayPaths.ownProgram() ?? ""
        path = "\(own[..<(own.lastIndex(of: "/") ?? own.startIndex)])/keyway-sheets"
    }

    package func launch(
        _ environment: [String: String]
    ) throws(ProtocolError) -> (any LaunchedProcess, OwnedDescriptor) {
        let (ours, theirs) = try LocalSocket.pair()
        return (try ChildProcess(path: path, environment: environment, channel: theirs), ours)
    }
}

/// Which sessions the person has. A seam: tests say which.
package protocol LoginSessions: Sendable {
    /// All of them, as they are now; nil where nobody knows.
    func sessions() async -> [LoginSession]?
}

extension LoginMonitor: LoginSessions {}

/// Where requests are shown that come from no terminal: one `keyway-sheets`, started when it is needed for the first
/// time and used as long as it lives.
package final class SheetDesk: Sendable {
    /// How long nothing is started after a start that failed.
    static let pause = Duration.seconds(60)

    private struct State {
        var connection: Connection?
        var nextNumber = 1
        var places: [Int: Place] = [:]
        var failed: MonotonicTime?
        var interruptions = 0
        var login: (any LoginSessions)?
    }

    /// What stands in the window for one request.
    private struct Place {
        let relay: InterfaceRelay
        var isCancelled = false
    }

    private let session: any GraphicalSession
    private let launcher: any SheetLauncher
    private let clock: any BrokerClock
    private let log: EventLog
    private let state = Mutex(State())

    /// A desk whose program is started by `launcher` where `session` says.
    package init(
        session: any GraphicalSession, launcher: any SheetLauncher, clock: any BrokerClock, log: EventLog
    ) {
        self.session = session
        self.launcher = launcher
        self.clock = clock
        self.log = log
    }

    /// A relay to the window. Nothing is started before ``InterfaceRelay/isAvailable()`` is asked.
    func relay(provider: ProviderReference, service: String?) -> InterfaceRelay {
        let number = state.withLock { state in
            defer { state.nextNumber += 1 }
            return state.nextNumber
        }
        let relay = InterfaceRelay(
            request: number, provider: provider, service: service, isAvailable: { await self.start() },
            show: { self.show($0) })
        state.withLock { $0.places[number] = Place(relay: relay) }
        return relay
    }

    /// Takes away what is shown through `relay`: its request has ended.
    func end(_ relay: InterfaceRelay) {
        let (place, connection) = state.withLock { state in
            (state.places.removeValue(forKey: relay.request), state.connection)
        }
        if place != nil { connection?.notify(PresentationEnd.self, .init(request: relay.request)) }
    }

    /// Ends the program.
    func close() {
        state.withLock { $0.connection }?.close()
    }

    /// From now on, shows things only where the person sits before a session of `login`, where that is known.
    package func follow(_ login: any LoginSessions) {
        state.withLock { $0.login = login }
    }

    /// Takes everything away when the session is locked, or the machine goes to sleep.
    package func handle(_ event: LoginEvent) {
        switch event {
        case .sessionLocked, .willSleep: interrupt()
        case .sessionUnlocked: break
        }
    }

    /// Takes everything away that is shown, as if the person had cancelled it, and what was typed with it: nobody may
    /// find it there who is not the person.
    func interrupt() {
        let connection = state.withLock { state in
            state.interruptions += 1
            return state.connection
        }
        connection?.close()
    }

    /// How often everything was taken away.
    var interruptions: Int { state.withLock { $0.interruptions } }

    /// The connection to the program, and ``interruptions`` so far; nil when it does not run.
    func open() -> (connection: Connection, interruptions: Int)? {
        state.withLock { state in state.connection.map { ($0, state.interruptions) } }
    }

    // MARK: - The program

    /// Starts the program unless it runs; false when the person would not see it, there is no display, or it just
    /// failed.
    func start() async -> Bool {
        let (isRunning, failed, login) = state.withLock { ($0.connection != nil, $0.failed, $0.login) }
        if let sessions = await login?.sessions(), !sessions.contains(where: \.isSeen) { return false }
        if isRunning { return true }
        if let failed, clock.now.since(failed) < Self.pause { return false }
        guard let variables = await session.variables() else { return false }
        return launch(variables)
    }

    private func launch(_ variables: [String: String]) -> Bool {
        do throws(ProtocolError) {
            // Others may have waited for the session's variables too: one of them starts the program.
            let launched = try state.withLock { (state) throws(ProtocolError) -> (any LaunchedProcess, Connection)? in
                guard state.connection == nil else { return nil }
                let (process, socket) = try launcher.launch(variables)
                let greeting = Greeting(accepts: [.sheets], name: "keywayd \(ProtocolVersion.release)")
                let connection = Connection(descriptor: socket, peer: .unknown(greeting), methods: methods)
                state.connection = connection
                return (process, connection)
            }
            guard let (process, connection) = launched else { return true }
            log("keyway-sheets \(process.processIdentifier) started")
            process.onExit { [weak self] status in self?.ended(process.processIdentifier, status) }
            connection.onClose { [weak self] in self?.lost(connection) }
            connection.start()
            return true
        } catch {
            log("keyway-sheets cannot be started: \(error.message)")
            state.withLock { $0.failed = clock.now }
            return false
        }
    }

    private func ended(_ processIdentifier: Int32, _ status: CInt) {
        guard status != 0 else { return }
        log("keyway-sheets \(processIdentifier) ended (\(ChildProcess.describe(status: status)))")
        state.withLock { $0.failed = clock.now }
    }

    /// The window is gone: whatever was shown in it is cancelled.
    private func lost(_ connection: Connection) {
        let places = state.withLock { state -> [Place] in
            guard state.connection === connection else { return [] }
            state.connection = nil
            defer { state.places = [:] }
            return Array(state.places.values)
        }
        for place in places { place.relay.receive(.cancelled) }
    }

    // MARK: - What is shown, and what the person does

    private func show(_ message: PresentationShow.Parameters) {
        state.withLock { $0.connection }?.notify(PresentationShow.self, message)
    }

    private var methods: MethodTable {
        var table = MethodTable()
        table.on(PresentationEvent.self) { [weak self] parameters, _ in
            self?.receive(parameters.event, for: parameters.request)
        }
        table.on(PresentationAbandoned.self) { [weak self] parameters, _ in self?.abandon(parameters.request) }
        return table
    }

    private func receive(_ event: InterfaceEvent, for number: Int) {
        let relay = state.withLock { state in
            if case .cancelled = event { state.places[number]?.isCancelled = true }
            return state.places[number]?.relay
        }
        relay?.receive(event)
    }

    /// A provider that was told and goes on is ended; one that was not is told.
    private func abandon(_ number: Int) {
        guard let place = state.withLock({ $0.places[number] }) else { return }
        if place.isCancelled { place.relay.abandon() } else { receive(.cancelled, for: number) }
    }
}
