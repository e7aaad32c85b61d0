import AutoFillProtocol
import AutoFillWire
import BrokerTestSupport
import ClockTestSupport
import Glibc
import KeywaySystem
import LoginMonitor
import Synchronization
import Testing

@testable import AutoFillBroker
@testable import BrokerBase
@testable import ProviderHosting

@Suite struct SheetWindowsTests {
    let provider = ProviderReference(identifier: "test.vault", name: "vault")
    let interface = ProviderInterface.progress(InterfaceProgress(title: "Wait"))

    func desk(
        _ sheets: FakeSheets, display: String? = ":0", clock: ManualClock = ManualClock()
    ) -> SheetWindows {
        SheetWindows(session: FakeSession(display: display), launcher: sheets, clock: clock, log: EventLog { _ in })
    }

    func eventually(_ condition: @Sendable () -> Bool) async throws {
        let deadline = ContinuousClock.now + .seconds(30)
        while !condition() {
            try #require(ContinuousClock.now < deadline)
            try await Task.sleep(for: .milliseconds(2))
        }
    }

    /// A relay whose extension writes down what it hears, and whether it was stopped.
    func connect(_ relay: InterfaceRelay) throws -> (heard: Heard, connection: Connection) {
        let (ours, theirs) = try LocalSocket.pair()
        let heard = Heard()
        var table = MethodTable()
        table.on(ExtensionEvent.self) { message, _ in heard.events.withLock { $0.append("\(message.event)") } }
        let fake = Connection(descriptor: theirs, peer: .known(.broker), methods: table)
        fake.start()
        heard.keep.withLock { $0 = fake }
        let connection = Connection(descriptor: ours, peer: .known(.providerExtension))
        connection.start()
        relay.connect(connection, request: 3) { heard.isStopped.withLock { $0 = true } }
        return (heard, connection)
    }

    final class Heard: Sendable {
        let events = Mutex<[String]>([])
        let keep = Mutex<Connection?>(nil)
        let isStopped = Mutex(false)
    }

    @Test func nothingIsStartedBeforeThePersonIsNeeded() async throws {
        let sheets = FakeSheets()
        let desk = desk(sheets)
        let relay = desk.relay(provider: provider, service: "a.example")
        desk.end(relay)
        #expect(sheets.starts == 0)
    }

    @Test func oneProgramShowsAllRequests() async throws {
        let sheets = FakeSheets()
        let desk = desk(sheets)
        let relays = (0..<3).map { _ in desk.relay(provider: provider, service: "a.example") }
        for relay in relays {
            #expect(await relay.isAvailable())
            try relay.show(interface)
        }
        try await eventually { sheets.shown.count == 3 }
        #expect(sheets.starts == 1)
        #expect(Set(sheets.shown.map(\.request)).count == 3)
        for relay in relays { desk.end(relay) }
        try await eventually { sheets.ended.count == 3 }
    }

    @Test(arguments: [nil, PresentationShow.Purpose.configuration])
    func theWindowIsToldWhatFor(purpose: PresentationShow.Purpose?) async throws {
        let sheets = FakeSheets()
        let relay = desk(sheets).relay(provider: provider, service: nil, purpose: purpose)
        #expect(await relay.isAvailable())
        try relay.show(interface)
        try await eventually { sheets.shown.count == 1 }
        #expect(sheets.shown[0].purpose == purpose)
    }

    @Test(arguments: [(SheetWindows.slowness, 0), (SheetWindows.slowness + .milliseconds(1), 1)])
    func aWindowThatIsSlowToOpenIsLogged(duration: Duration, count: Int) async throws {
        let (sheets, clock) = (FakeSheets(), ManualClock())
        let lines = Mutex<[String]>([])
        let desk = SheetWindows(
            session: FakeSession(display: ":0"), launcher: sheets, clock: clock,
            log: EventLog { line in lines.withLock { $0.append(line) } })
        let relay = desk.relay(provider: provider, service: nil)
        #expect(await relay.isAvailable())
        let (heard, connection) = try connect(relay)
        try relay.show(interface)
        clock.advance(by: duration)
        let program = try await sheets.greeted()
        program.notify(PresentationOpened.self, .init(request: relay.request))
        // What comes after it on the same connection has been heard: so was this.
        program.notify(PresentationEvent.self, .init(request: relay.request, event: .cancelled))
        try await eventually { heard.events.withLock { $0.count } == 1 }
        #expect(lines.withLock { $0.filter { $0.contains("to open a window") } }.count == count)
        withExtendedLifetime(connection) {}
    }

    @Test func withoutADisplayNothingIsAvailable() async throws {
        let sheets = FakeSheets()
        let relay = desk(sheets, display: nil).relay(provider: provider, service: nil)
        #expect(await !relay.isAvailable())
        #expect(sheets.starts == 0)
    }

    @Test func whatCannotBeStartedIsNotTriedAgainAtOnce() async throws {
        let sheets = FakeSheets(fails: true)
        let clock = ManualClock()
        let relay = desk(sheets, clock: clock).relay(provider: provider, service: nil)
        #expect(await !relay.isAvailable())
        #expect(await !relay.isAvailable())
        #expect(sheets.attempts == 1)
        clock.advance(by: SheetWindows.pause)
        #expect(await !relay.isAvailable())
        #expect(sheets.attempts == 2)
    }

    @Test func whatThePersonDoesReachesTheExtension() async throws {
        let sheets = FakeSheets()
        let relay = desk(sheets).relay(provider: provider, service: nil)
        #expect(await relay.isAvailable())
        let (heard, connection) = try connect(relay)
        let program = try await sheets.greeted()
        program.notify(PresentationEvent.self, .init(request: relay.request, event: .chose(row: "r")))
        program.notify(PresentationEvent.self, .init(request: relay.request + 1, event: .chose(row: "other")))
        program.notify(PresentationEvent.self, .init(request: relay.request, event: .cancelled))
        try await eventually { heard.events.withLock { $0.count } == 2 }
        #expect(heard.events.withLock { $0[0] }.contains(#"row: "r""#))
        withExtendedLifetime(connection) {}
    }

    @Test func anExtensionThatGoesOnAfterItWasCancelledIsStopped() async throws {
        let sheets = FakeSheets()
        let relay = desk(sheets).relay(provider: provider, service: nil)
        #expect(await relay.isAvailable())
        let (heard, connection) = try connect(relay)
        let program = try await sheets.greeted()
        program.notify(PresentationAbandoned.self, .init(request: relay.request))
        try await eventually { heard.events.withLock { $0.count } == 1 }
        #expect(!heard.isStopped.withLock { $0 })
        program.notify(PresentationAbandoned.self, .init(request: relay.request))
        try await eventually { heard.isStopped.withLock { $0 } }
        withExtendedLifetime(connection) {}
    }

    @Test func whatWasShownIsCancelledWhenTheProgramEnds() async throws {
        let sheets = FakeSheets()
        let desk = desk(sheets)
        let relay = desk.relay(provider: provider, service: nil)
        #expect(await relay.isAvailable())
        let (heard, connection) = try connect(relay)
        try await sheets.greeted().close()
        try await eventually { heard.events.withLock { $0.count } == 1 }
        #expect(await desk.relay(provider: provider, service: nil).isAvailable())
        #expect(sheets.starts == 2)
        withExtendedLifetime(connection) {}
    }
}

/// The system's own questions.
extension SheetWindowsTests {
    var question: AskPerson.Question {
        .consent(.init(program: "Strange", path: "/opt/strange", permissions: [.seeAccounts]))
    }

    @Test func aQuestionOfTheSystemIsAnsweredByThePerson() async throws {
        let sheets = FakeSheets(answer: .allowed)
        let presenter = desk(sheets).presenter
        #expect(await presenter.canAsk())
        guard case .allowed = try await presenter.ask(question) else {
            Issue.record("it was not allowed")
            return
        }
        #expect(sheets.questions == [question])
        #expect(sheets.starts == 1)
    }

    @Test func whereNobodyWouldSeeItNothingIsAsked() async throws {
        let sheets = FakeSheets(answer: .allowed)
        let presenter = desk(sheets, display: nil).presenter
        #expect(await !presenter.canAsk())
        await #expect(throws: ProtocolError(.interactionRequired, "")) { try await presenter.ask(question) }
        #expect(sheets.questions.isEmpty)
    }

    @Test func aQuestionThatIsTakenBackGoesAway() async throws {
        let sheets = FakeSheets()
        let presenter = desk(sheets).presenter
        let task = Task { try await presenter.ask(question) }
        try await eventually { sheets.questions.count == 1 }
        task.cancel()
        await #expect(throws: ProtocolError(.cancelled, "")) { try await task.value }
        try await eventually { sheets.withdrawn == 1 }
    }

    @Test func aQuestionFailsWithTheProgramThatShowsIt() async throws {
        let sheets = FakeSheets()
        let presenter = desk(sheets).presenter
        let task = Task { try await presenter.ask(question) }
        try await eventually { sheets.questions.count == 1 }
        try await sheets.greeted().close()
        await #expect(throws: ProtocolError(.connectionClosed, "")) { try await task.value }
    }

    @Test func whatStandsThereWhenTheSessionIsLockedIsCancelled() async throws {
        let sheets = FakeSheets()
        let desk = desk(sheets)
        let relay = desk.relay(provider: provider, service: nil)
        #expect(await relay.isAvailable())
        let (heard, connection) = try connect(relay)
        let task = Task { try await desk.presenter.ask(question) }
        try await eventually { sheets.questions.count == 1 }
        desk.interrupt()
        await #expect(throws: ProtocolError(.cancelled, "")) { try await task.value }
        try await eventually { heard.events.withLock { $0.count } == 1 }
        #expect(heard.events.withLock { $0[0] }.contains("cancelled"))
        withExtendedLifetime(connection) {}
    }
}

/// Whose session it is, and whether anybody sits before it.
extension SheetWindowsTests {
    private final class FakeLogin: LoginSessions {
        private let state: Mutex<[LoginSession]?>

        init(_ sessions: [LoginSession]?) { state = Mutex(sessions) }

        func set(_ sessions: [LoginSession]?) { state.withLock { $0 = sessions } }

        func sessions() async -> [LoginSession]? { state.withLock { $0 } }
    }

    private func session(_ kind: String, _ change: (inout LoginSession) -> Void = { _ in }) -> LoginSession {
        var session = LoginSession()
        (session.kind, session.isActive, session.seat) = (kind, true, "seat0")
        change(&session)
        return session
    }

    @Test func onlyASessionThatThePersonSitsBeforeIsUsed() async throws {
        let remote = session("tty") { ($0.isRemote, $0.seat) = (true, "") }
        for (sessions, isSeen) in [
            (nil, true), ([], false), ([remote], false), ([session("wayland")], true),
            ([remote, session("x11")], true), ([session("x11") { $0.isLocked = true }], false),
            ([session("x11") { $0.isActive = false }], false),
        ] as [([LoginSession]?, Bool)] {
            let sheets = FakeSheets(answer: .allowed)
            let desk = desk(sheets)
            desk.follow(FakeLogin(sessions))
            #expect(await desk.presenter.canAsk() == isSeen)
            #expect(sheets.starts == (isSeen ? 1 : 0))
        }
    }

    /// Whoever starts the broker without a display has not taken the desktop away.
    @Test func aDesktopIsThereWhereLogin1KnowsOne() async {
        let remote = session("x11") { $0.isRemote = true }
        for (sessions, hasDesktop) in [
            (nil, false), ([], false), ([session("tty"), remote], false), ([session("wayland")], true),
            ([session("tty"), session("x11") { ($0.isActive, $0.isLocked) = (false, true) }], true),
        ] as [([LoginSession]?, Bool)] {
            let desk = desk(FakeSheets(answer: .allowed), display: nil)
            #expect(await !desk.hasDesktop())
            desk.follow(FakeLogin(sessions))
            #expect(await desk.hasDesktop() == hasDesktop)
        }
    }

    @Test func aProgramThatRunsIsNotUsedWhileTheSessionIsLocked() async throws {
        let sheets = FakeSheets(answer: .allowed)
        let desk = desk(sheets)
        let login = FakeLogin([session("x11")])
        desk.follow(login)
        #expect(await desk.presenter.canAsk())
        login.set([session("x11") { $0.isLocked = true }])
        await #expect(throws: ProtocolError(.interactionRequired, "")) { try await desk.presenter.ask(question) }
        #expect(await !desk.relay(provider: provider, service: nil).isAvailable())
        #expect(sheets.questions.isEmpty)
    }
}

@Suite struct LoginDisplayTests {
    private func socket(_ path: String) throws -> OwnedDescriptor { try LocalSocket.listen(at: path) }

    private func session(_ kind: String, display: String = "") -> LoginSession {
        var session = LoginSession()
        (session.kind, session.display) = (kind, display)
        return session
    }

    private func told(_ manager: [String: String], own: [String: String] = [:]) async -> [String: String]? {
        await LoginDisplay(environment: own) { manager }.variables(in: nil)
    }

    @Test func aWaylandSocketOfOursIsADisplay() async throws {
        let folder = try TemporaryFolder()
        let listener = try socket(folder.path + "/wayland-0")
        let login = ["XDG_RUNTIME_DIR": folder.path, "WAYLAND_DISPLAY": "wayland-0", "SECRET": "x", "LANG": "de"]
        let variables = try #require(await told(login))
        #expect(variables["WAYLAND_DISPLAY"] == "wayland-0")
        #expect(variables["LANG"] == "de")
        #expect(variables["SECRET"] == nil)
        withExtendedLifetime(listener) {}
    }

    @Test(arguments: ["localhost:10.0", "other.example:0", "", ":99999", ":x", ":0/../1"])
    func aDisplayOfAnotherMachineOrNoneIsNone(display: String) async {
        #expect(await told(["DISPLAY": display]) == nil)
        let asked = LoginDisplay(environment: [:]) { [:] }
        #expect(await asked.variables(in: session("x11", display: display)) == nil)
    }

    @Test func aFileIsNoDisplay() async throws {
        let folder = try TemporaryFolder()
        try folder.write("x", to: "wayland-0")
        #expect(await told(["XDG_RUNTIME_DIR": folder.path, "WAYLAND_DISPLAY": "wayland-0"]) == nil)
    }

    @Test func theLoginComesBeforeTheBrokersOwn() async throws {
        let folder = try TemporaryFolder()
        let listeners = try ["new", "old"].map { try socket(folder.path + "/" + $0) }
        let own = ["XDG_RUNTIME_DIR": folder.path, "WAYLAND_DISPLAY": "old", "HOME": "/home/ada"]
        let told = await told(["WAYLAND_DISPLAY": "new"], own: own)
        #expect(told?["WAYLAND_DISPLAY"] == "new")
        #expect(told?["HOME"] == "/home/ada")
        #expect(await self.told([:], own: own)?["WAYLAND_DISPLAY"] == "old")
        withExtendedLifetime(listeners) {}
    }

    @Test func whereLogin1KnowsTheSessionTheBrokersOwnDoesNotCount() async throws {
        let folder = try TemporaryFolder()
        let listener = try socket(folder.path + "/mine")
        let own = ["XDG_RUNTIME_DIR": folder.path, "WAYLAND_DISPLAY": "mine"]
        #expect(await LoginDisplay(environment: own) { [:] }.variables(in: session("wayland")) == nil)
        withExtendedLifetime(listener) {}
    }

    @Test func whereItIsInstalledForEverybodyTheBrokersOwnDoesNotCount() async throws {
        let folder = try TemporaryFolder()
        let listener = try socket(folder.path + "/mine")
        let own = ["XDG_RUNTIME_DIR": folder.path, "WAYLAND_DISPLAY": "mine"]
        #expect(await LoginDisplay(environment: own, isSystemWide: true) { [:] }.variables(in: nil) == nil)
        withExtendedLifetime(listener) {}
    }

    @Test func whereItIsInstalledForEverybodyOnlyTheLooksAreOfTheLogin() async throws {
        let folder = try TemporaryFolder()
        let listener = try socket(folder.path + "/wayland-0")
        let own = ["XDG_RUNTIME_DIR": folder.path, "HOME": "/home/ada", "XDG_DATA_DIRS": "/usr/share"]
        let manager = [
            "WAYLAND_DISPLAY": "wayland-0", "HOME": "/tmp", "XDG_DATA_DIRS": "/tmp", "XDG_CONFIG_HOME": "/tmp",
            "XDG_RUNTIME_DIR": "/tmp", "LANG": "de",
        ]
        let display = LoginDisplay(environment: own, isSystemWide: true) { manager }
        #expect(
            await display.variables(in: nil)
                == own.merging(["WAYLAND_DISPLAY": "wayland-0", "LANG": "de"]) { $1 })
        withExtendedLifetime(listener) {}
    }

    @Test func aSessionOnWaylandIsNeverShownOnX() async throws {
        let folder = try TemporaryFolder()
        let listener = try socket(folder.path + "/wayland-1")
        let display = LoginDisplay(environment: ["XDG_RUNTIME_DIR": folder.path]) { ["DISPLAY": ":0"] }
        let variables = try #require(await display.variables(in: session("wayland")))
        #expect(variables["WAYLAND_DISPLAY"] == "wayland-1")
        #expect(variables["DISPLAY"] == nil)
        withExtendedLifetime(listener) {}
    }
}
