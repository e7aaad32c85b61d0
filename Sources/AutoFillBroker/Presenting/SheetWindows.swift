import AutoFillProtocol
import AutoFillWire
package import BrokerBase
import Glibc
package import KeywaySystem
import LoginMonitor
package import ProviderHosting
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
        path = KeywayPaths.program(besideOwn: "keyway-sheets")
    }

    package func launch(
        _ environment: [String: String]
    ) throws(ProtocolError) -> (any LaunchedProcess, OwnedDescriptor) {
        let (ours, theirs) = try LocalSocket.pair()
        return (try ChildProcess(path: path, environment: environment, channel: theirs), ours)
    }
}

/// Shows requests that don't come from a terminal, in `keyway-sheets`: starts that program when it is first needed and
/// uses it as long as it lives.
package final class SheetWindows: Sendable {
    /// How long nothing is started after a start that failed.
    static let pause = Duration.seconds(60)
    /// How long the program may take to end after its connection did.
    static let farewell = Duration.seconds(5)
    /// How long a window may take to open before the log says so.
    static let slowness = Duration.seconds(1)

    private struct State {
        var program: Program?
        var nextNumber = 1
        var places: [Int: Place] = [:]
        var failed: MonotonicTime?
        var interruptions = 0
        var login: (any LoginSessions)?
        /// How many questions of the system's own wait for the program.
        var questions = 0
        /// Whether this program was started in place of one that hung, and has not answered yet.
        var isSecond = false
        var restarts = 0
        /// The programs that were ended because they hung.
        var killed: Set<Int32> = []
        /// The program whose connection is gone: how it ended is heard a moment later.
        var leaving: Int32?
        var waitingForItsEnd: [CheckedContinuation<Void, Never>] = []
    }

    /// The program that runs.
    private struct Program {
        let process: any LaunchedProcess
        let connection: Connection
        let watch: SheetWatch
        var hasEnded = false
    }

    /// What stands in the window for one request.
    private struct Place {
        let relay: InterfaceRelay
        /// What was shown for it last.
        var message: PresentationShow.Parameters?
        var isCancelled = false
        /// When something was shown for it first.
        var shown: MonotonicTime?
        /// Whether the person sees it, or is to.
        var isShown: Bool { message != nil && !isCancelled }
    }

    private let session: any GraphicalSession
    private let launcher: any SheetLauncher
    let clock: any TimeSource
    private let log: EventLog
    private let state = Mutex(State())
    /// Where questions wait that any program can cause.
    let line = ConsentLine()

    /// A desk whose program is started by `launcher` where `session` says.
    package init(
        session: any GraphicalSession, launcher: any SheetLauncher, clock: any TimeSource, log: EventLog
    ) {
        self.session = session
        self.launcher = launcher
        self.clock = clock
        self.log = log
    }

    /// A relay to the window. Nothing is started before ``InterfaceRelay/isAvailable()`` is asked.
    func relay(
        provider: ProviderReference, service: String?, purpose: PresentationShow.Purpose? = nil
    ) -> InterfaceRelay {
        let number = state.withLock { state in
            defer { state.nextNumber += 1 }
            return state.nextNumber
        }
        let relay = InterfaceRelay(
            request: number, provider: provider, service: service, purpose: purpose,
            isAvailable: { await self.start() },
            show: { self.show($0) })
        state.withLock { $0.places[number] = Place(relay: relay) }
        return relay
    }

    /// Takes away what is shown through `relay`: its request has ended.
    func end(_ relay: InterfaceRelay) {
        let (place, connection) = state.withLock { state in
            (state.places.removeValue(forKey: relay.request), state.program?.connection)
        }
        if place != nil { connection?.notify(PresentationEnd.self, .init(request: relay.request)) }
    }

    /// Takes away what is shown through `relay`, whose request goes on: something else of it stands there now. What is shown
    /// through it next stands there again.
    func withdraw(_ relay: InterfaceRelay) {
        let connection = state.withLock { state -> Connection? in
            guard state.places[relay.request]?.message != nil else { return nil }
            state.places[relay.request]?.message = nil
            return state.program?.connection
        }
        connection?.notify(PresentationEnd.self, .init(request: relay.request))
    }

    /// Whether the person has a desktop, wherever they sit now and whether or not windows can be opened there.
    ///
    /// login1 says so too: whoever starts the broker without a display, or has the user manager forget it, takes no
    /// desktop away.
    func hasDesktop() async -> Bool {
        if await session.variables(in: nil) != nil { return true }
        let login = state.withLock { $0.login }
        return await login?.sessions()?.contains(where: \.isDesktop) ?? false
    }

    /// Ends the program.
    func close() {
        state.withLock { $0.program }?.connection.close()
    }

    /// From now on, shows things only where the person sits before a session of `login`, where that is known.
    package func follow(_ login: any LoginSessions) {
        state.withLock { $0.login = login }
    }

    /// Takes everything away that is shown, as if the person had cancelled it, and what was typed with it: the session
    /// was locked, and nobody may find it there who is not the person.
    func interrupt() {
        let connection = state.withLock { state in
            state.interruptions += 1
            return state.program?.connection
        }
        connection?.close()
    }

    /// How often everything was taken away.
    var interruptions: Int { state.withLock { $0.interruptions } }

    /// How often the program hung and was started again.
    var restarts: Int { state.withLock { $0.restarts } }

    /// The connection to the program for one question, with ``interruptions`` and ``restarts`` so far; nil when it does not
    /// run. ``endQuestion()`` follows unless it is nil.
    func beginQuestion() -> (connection: Connection, interruptions: Int, restarts: Int)? {
        let place = state.withLock { state in
            state.program.map { program in
                state.questions += 1
                return (program, state.interruptions, state.restarts)
            }
        }
        place?.0.watch.wake()
        return place.map { ($0.0.connection, $0.1, $0.2) }
    }

    /// The question was answered or taken back.
    func endQuestion() {
        state.withLock { $0.questions -= 1 }
    }

    // MARK: - The program

    /// Starts the program unless it runs; false when the person would not see it, there is no display, or it just
    /// failed.
    func start() async -> Bool {
        await waitForTheEndOfTheLast()
        let (isRunning, failed, login) = state.withLock { ($0.program != nil, $0.failed, $0.login) }
        let sessions = await login?.sessions()
        if let sessions, !sessions.contains(where: \.isSeen) { return false }
        if isRunning { return true }
        if let failed, clock.now.since(failed) < Self.pause { return false }
        guard let variables = await session.variables(in: sessions?.first(where: \.isSeen)) else { return false }
        return launch(variables)
    }

    private func launch(_ variables: [String: String]) -> Bool {
        do throws(ProtocolError) {
            // Others may have waited for the session's variables too: one of them starts the program.
            let program = try state.withLock { (state) throws(ProtocolError) -> Program? in
                guard state.program == nil else { return nil }
                let (process, socket) = try launcher.launch(variables)
                let greeting = Greeting(accepts: [.sheets], name: "keywayd \(ProtocolVersion.release)") {
                    [log] in
                    guard let objection = Onlooker.objection(to: process.processIdentifier, "keyway-sheets") else {
                        return nil
                    }
                    log(objection.message)
                    process.send(signal: SIGKILL)
                    return objection
                }
                let connection = Connection(descriptor: socket, peer: .unknown(greeting), methods: methods)
                let watch = SheetWatch(connection, clock: clock) { [weak self] in
                    self?.shows($0) ?? false
                } tell: { [weak self] in
                    if $1 { self?.isThere($0) } else { self?.hangs($0) }
                }
                state.program = Program(process: process, connection: connection, watch: watch)
                return state.program
            }
            guard let program else { return true }
            let (process, connection) = (program.process, program.connection)
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
        let (hasFailed, waiting) = state.withLock { state in
            let wasKilled = state.killed.remove(processIdentifier) != nil
            let hasFailed = status != 0 && !wasKilled
            if hasFailed { state.failed = clock.now }
            if state.program?.process.processIdentifier == processIdentifier { state.program?.hasEnded = true }
            guard state.leaving == processIdentifier else { return (hasFailed, [CheckedContinuation<Void, Never>]()) }
            state.leaving = nil
            defer { state.waitingForItsEnd = [] }
            return (hasFailed, state.waitingForItsEnd)
        }
        if hasFailed {
            log("keyway-sheets \(processIdentifier) ended (\(ChildProcess.describe(status: status)))")
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Whether the last program failed is known when it has ended, which is after its connection: until then none is
    /// started, or whoever kills the window would have it open again at once.
    private func waitForTheEndOfTheLast() async {
        await withCheckedContinuation { continuation in
            let waits = state.withLock { state in
                if state.leaving != nil { state.waitingForItsEnd.append(continuation) }
                return state.leaving != nil
            }
            if !waits { continuation.resume() }
        }
    }

    /// Ends a program that stays without its connection.
    private func hurry(_ process: any LaunchedProcess) {
        Task { [weak self, clock] in
            try? await clock.sleep(for: Self.farewell)
            guard let self, self.state.withLock({ $0.leaving == process.processIdentifier }) else { return }
            process.send(signal: SIGKILL)
        }
    }

    /// The window is gone: whatever was shown in it is cancelled.
    private func lost(_ connection: Connection) {
        let (places, leaving) = state.withLock { state -> ([Place], (any LaunchedProcess)?) in
            guard let program = state.program, program.connection === connection else { return ([], nil) }
            state.program = nil
            if !program.hasEnded { state.leaving = program.process.processIdentifier }
            defer { state.places = [:] }
            return (Array(state.places.values), program.hasEnded ? nil : program.process)
        }
        if let leaving { hurry(leaving) }
        for place in places { place.relay.receive(.cancelled) }
    }

    /// Whether anything stands in the window of the program, or should.
    private func shows(_ connection: Connection) -> Bool {
        state.withLock { state in
            state.program?.connection === connection
                && (state.questions > 0 || state.places.values.contains { $0.isShown })
        }
    }

    private func isThere(_ connection: Connection) {
        state.withLock { if $0.program?.connection === connection { $0.isSecond = false } }
    }

    /// The program does not answer: it is ended. Another one shows the same, once.
    private func hangs(_ connection: Connection) {
        let hung = state.withLock { state -> (process: any LaunchedProcess, isSecond: Bool)? in
            guard let program = state.program, program.connection === connection else { return nil }
            state.killed.insert(program.process.processIdentifier)
            defer { state.isSecond.toggle() }
            if state.isSecond {
                state.failed = clock.now
            } else {
                state.program = nil
                state.restarts += 1
            }
            return (program.process, state.isSecond)
        }
        guard let (process, isSecond) = hung else { return }
        log("keyway-sheets \(process.processIdentifier) did not answer and was ended")
        process.send(signal: SIGKILL)
        connection.close()
        if !isSecond { Task { await showAgain() } }
    }

    private func showAgain() async {
        let isThere = await start()
        let places = state.withLock { $0.places.values.filter(\.isShown) }
        for place in places {
            if isThere, let message = place.message {
                show(message)
            } else {
                receive(.cancelled, for: place.relay.request)
            }
        }
    }

    // MARK: - What is shown, and what the person does

    private func show(_ message: PresentationShow.Parameters) {
        let program = state.withLock { state in
            if state.places[message.request]?.shown == nil { state.places[message.request]?.shown = clock.now }
            state.places[message.request]?.message = message
            return state.program
        }
        program?.connection.notify(PresentationShow.self, message)
        program?.watch.wake()
    }

    private var methods: MethodTable {
        var table = MethodTable()
        table.on(PresentationEvent.self) { [weak self] parameters, _ in
            self?.receive(parameters.event, for: parameters.request)
        }
        table.on(PresentationOpened.self) { [weak self] parameters, _ in self?.opened(parameters.request) }
        table.on(PresentationAbandoned.self) { [weak self] parameters, _ in self?.abandon(parameters.request) }
        return table
    }

    private func opened(_ number: Int?) {
        guard let number, let shown = state.withLock({ $0.places[number]?.shown }) else { return }
        let duration = clock.now.since(shown)
        guard duration > Self.slowness else { return }
        log("keyway-sheets took \(Int(duration / .milliseconds(1))) ms to open a window")
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
