import AutoFillProtocol
import AutoFillWire
import BrokerTestSupport
import Glibc
import KeywaySystem
import Synchronization
import Testing

@testable import AutoFillBroker
@testable import ProviderHosting

@Suite(.timeLimit(.minutes(1))) struct DebuggingTests {
    private let fixture: BrokerFixture

    init() throws {
        fixture = try BrokerFixture(FakeBundles { _, _ in try await hang() })
    }

    private func debug(_ terminal: Connection, waits: Bool = false) async throws -> DebugProvider.Result {
        try await terminal.call(DebugProvider.self, .init(identifier: BrokerFixture.provider, waits: waits))
    }

    @Test(arguments: [(false, BundleProgram.Debugging.allowed), (true, .stopped)])
    func extensionIsStartedForItsAuthor(waits: Bool, expected: BundleProgram.Debugging) async throws {
        try await fixture.provide([])
        let terminal = try await fixture.client(.terminal)
        let result = try await debug(terminal, waits: waits)
        let started = try #require(fixture.bundles.started.first)
        #expect(started.processIdentifier == result.processIdentifier)
        #expect(started.program.path == result.path)
        #expect(started.program.debugging == expected)
    }

    @Test func nothingHasADeadlineWhileItLasts() async throws {
        try await fixture.provide([BrokerFixture.identity()])
        let terminal = try await fixture.client(.terminal)
        _ = try await debug(terminal)
        let handle = try #require(await terminal.suggestions().first).handle
        let asking = Task { await failure { _ = try await terminal.fill(handle) } }
        for _ in 0..<3 {
            try await fixture.clock.waitForSleeper(of: ProviderRequest.quietLimit)
            fixture.clock.advance(by: ProviderRequest.quietLimit)
        }
        try await fixture.clock.waitForSleeper(of: ProviderRequest.quietLimit)
        #expect(fixture.bundles.running.count == 1)
        terminal.close()
        try await eventually { fixture.bundles.running.isEmpty }
        _ = await asking.value
    }

    private static func terminal(_ number: Int32) -> BundleProcesses.Caller {
        .terminal(TerminalSession(identifier: number, leaderStart: 1, terminal: 1))
    }

    private func start(
        _ fixture: BrokerFixture, for author: BundleProcesses.Caller = terminal(1)
    ) async throws -> (ProviderBundle, Int32) {
        try await fixture.provide([])
        let bundle = try await fixture.broker.directory.provider(BrokerFixture.provider)
        let session = BundleProcesses.Debugging(bundle: bundle, caller: author, owner: ObjectIdentifier(fixture))
        return (bundle, try await fixture.broker.processes.startDebugging(session, stopped: false))
    }

    @Test(arguments: [BundleProcesses.Use.quiet, .interactive, .background])
    func itAnswersTheTerminalThatDebugsItAndNobodyElse(use: BundleProcesses.Use) async throws {
        let (bundle, number) = try await start(fixture)
        let processes = fixture.broker.processes
        for (caller, isDebugged) in [(Self.terminal(1), true), (Self.terminal(2), false), (.browser, false)] {
            let answering = try await processes.withExtension(of: bundle, for: caller, use) { $0.processIdentifier }
            #expect((answering == number) == isDebugged)
        }
        let launched = fixture.bundles.started.filter { $0.program.debugging != .none }
        #expect(launched.map(\.processIdentifier) == [number])
    }

    /// What is unlocked for the terminal opens nothing to whoever looks into the process, nor the other way round.
    @Test func toItsServiceItIsASessionOfItsOwn() async throws {
        let fixture = try BrokerFixture(FakeBundles(firstNumber: getpid()) { _, _ in cancelled(0) })
        let (_, number) = try await start(fixture)
        let started = try #require(fixture.bundles.started.first { $0.processIdentifier == number })
        await started.say()
        _ = try await started.connection.call(ConnectService.self, .init(provider: nil))
        let own = try #require(TerminalSession(of: getpid()))
        #expect(fixture.bundles.events.withLock { $0 } == ["\(ServiceClient.extensionForTerminal(own))"])
    }

    @Test func itsInterfacesAreMarked() async throws {
        let fixture = try BrokerFixture(
            FakeBundles { request, context in
                guard let number = context.requestID else { return cancelled(0) }
                let form = ProviderInterface.progress(.init(title: "Unlock"))
                context.connection.notify(ExtensionPresent.self, .init(request: number, interface: form))
                return cancelled(1)
            },
            information: [
                "NSExtension": [
                    "NSExtensionPointIdentifier": InfoPropertyList.extensionPoint,
                    "NSExtensionAttributes": ["ASCredentialProviderExtensionShowsConfigurationUI": true],
                ]
            ])
        try await fixture.provide([])
        let marks = Mutex<[Bool?]>([])
        var methods = MethodTable()
        methods.on(PresentationShow.self) { message, _ in marks.withLock { $0.append(message.isDebugged) } }
        let terminal = try await fixture.client(.terminal, methods)
        for _ in 0..<2 {
            _ = await failure {
                _ = try await terminal.call(ConfigureProvider.self, .init(identifier: BrokerFixture.provider))
            }
            if !fixture.broker.processes.isDebugged(BrokerFixture.provider) { _ = try await debug(terminal) }
        }
        #expect(marks.withLock { $0 } == [nil, true])
    }

    // MARK: - Who decides

    @Test func aBundleOfTheSystemIsNotDebugged() async throws {
        let path = fixture.folder.path + "/.local/share/keyway/providers/vault.appex"
        try DebuggingDoor.checkIsNoSystems(ProviderBundle(path: path, scope: .user))
        #expect(throws: ProtocolError.self) {
            try DebuggingDoor.checkIsNoSystems(ProviderBundle(path: path, scope: .system))
        }
    }

    @Test func thePersonDecidesOutsideTheTerminal() async throws {
        try await fixture.provide([])
        let terminal = try await fixture.client(.terminal)
        fixture.person.add(answers: false)
        #expect(await failure { _ = try await debug(terminal) }?.code == .cancelled)
        #expect(fixture.bundles.started.isEmpty)
        guard case .debugging(let question)? = fixture.person.questions.last else {
            Issue.record("nothing was asked")
            return
        }
        #expect(question.provider.identifier == BrokerFixture.provider)
        #expect(question.path.hasSuffix("vault.appex"))
        #expect(!question.program.isEmpty)
        _ = try await debug(terminal)
        #expect(fixture.bundles.started.count == 1)
    }

    @Test func whereNobodyCanBeAskedNothingIsDebugged() async throws {
        try await fixture.provide([])
        let terminal = try await fixture.client(.terminal)
        fixture.person.set(isThere: false)
        #expect(await failure { _ = try await debug(terminal) }?.code == .notVerified)
        #expect(fixture.bundles.started.isEmpty)
    }

    @Test func whoAllowedItIsVerifiedToo() async throws {
        try await fixture.provide([])
        let check = FakeCheck.failing()
        fixture.broker.person.verifier.add(check)
        let terminal = try await fixture.client(.terminal)
        #expect(await failure { _ = try await debug(terminal) }?.code == .notVerified)
        #expect(check.count == 1)
        #expect(fixture.bundles.started.isEmpty)
    }

    @Test func aBundleThatChangesIsDebuggedNoMore() async throws {
        let (_, number) = try await start(fixture)
        let terminal = try await fixture.client(.terminal)
        for isEnabled in [false, true] {
            _ = try await terminal.call(
                SetProviderEnabled.self, .init(identifier: BrokerFixture.provider, isEnabled: isEnabled))
        }
        #expect(!fixture.broker.processes.isDebugged(BrokerFixture.provider))
        try await eventually { fixture.bundles.running.allSatisfy { $0.processIdentifier != number } }
    }

    @Test func endsWithTheConnectionAndIsShownInTheList() async throws {
        try await fixture.provide([])
        let author = try await fixture.client(.terminal)
        let terminal = try await fixture.client(.terminal)
        @Sendable func isDebugged() async throws -> Bool? {
            try await terminal.call(ListProviders.self, Nothing()).providers.first?.isDebugged
        }
        #expect(try await isDebugged() == false)
        _ = try await debug(author)
        #expect(try await isDebugged() == true)
        #expect(await failure { _ = try await debug(terminal) }?.code == .busy)
        author.close()
        try await eventually { try await isDebugged() == false }
        try await eventually { fixture.bundles.running.isEmpty }
        _ = try await debug(terminal)
    }

    @Test func failuresOfADebuggedProcessTakeNothingAwayAndThoseOfOthersDo() async throws {
        let fixture = try BrokerFixture(FakeBundles { _, _ in cancelled(0) })
        try await fixture.provide([BrokerFixture.identity()])
        let terminal = try await fixture.client(.terminal)
        _ = try await debug(terminal)
        for _ in 0..<Deliveries.patience + 2 {
            let handle = try #require(await terminal.suggestions().first).handle
            #expect(await failure { _ = try await terminal.fill(handle) }?.code == .providerFailed)
        }
        let page = try await fixture.client()
        for _ in 0..<Deliveries.patience {
            let handle = try #require(await page.suggestions().first).handle
            #expect(await failure { _ = try await page.fill(handle) }?.code == .providerFailed)
        }
        try await eventually { try await page.suggestions().isEmpty }
    }

    @Test func nobodyDebugsWithoutATerminal() async throws {
        let fixture = try BrokerFixture(FakeBundles { _, _ in cancelled(0) }, hasTerminal: false)
        try await fixture.provide([])
        let terminal = try await fixture.client(.terminal)
        #expect(await failure { _ = try await debug(terminal) }?.code == .refused)
        #expect(fixture.bundles.started.isEmpty)
    }

    // MARK: - Who hears of it

    @Test func everyTerminalHearsOfIt() async throws {
        try await fixture.provide([])
        let heard = Mutex<[String]>([])
        var methods = MethodTable()
        methods.on(BrokerNotice.self) { notice, _ in heard.withLock { $0.append(notice.text) } }
        let other = try await fixture.client(.terminal, methods)
        _ = try await other.call(ListClients.self, Nothing())
        let author = try await fixture.client(.terminal)
        _ = try await debug(author)
        try await eventually { heard.withLock { $0 == ["vault is being debugged by process \(getpid())."] } }
        author.close()
        try await eventually { heard.withLock { $0.last == "vault is no longer being debugged." } }
    }

    /// The terminal that asked for it would take away what the person should hear.
    @Test func theTerminalThatCausedANoticeIsNotTheOneThatIsTold() async throws {
        let own = try #require(TerminalSession(of: getpid()))
        let board = NoticeBoard()
        let ends = try LocalSocket.pair()
        let heard = Mutex<[String]>([])
        var methods = MethodTable()
        methods.on(BrokerNotice.self) { notice, _ in heard.withLock { $0.append(notice.text) } }
        let here = Connection(descriptor: ends.0, peer: .known(.terminal), methods: MethodTable())
        let there = Connection(descriptor: ends.1, peer: .known(.broker), methods: methods)
        here.start()
        there.start()
        defer { there.close() }
        board.add(here)
        board.post(nil, "from here", from: own)
        board.post(nil, "from elsewhere", from: TerminalSession(identifier: 1, leaderStart: 1, terminal: 1))
        try await eventually { heard.withLock { $0 } == ["from here", "from elsewhere"] }
        #expect(board.waitingTexts == ["from here"])
    }

    @Test func theDesktopHearsOfItAndEndsIt() async throws {
        let notifier = FakeNotifier()
        fixture.broker.upgrades.use(notifier)
        try await fixture.provide([])
        let author = try await fixture.client(.terminal)
        _ = try await debug(author)
        try await eventually { notifier.notes.first?.text.contains("vault is being debugged") == true }
        notifier.undo()
        try await eventually { author.isClosed && fixture.bundles.running.isEmpty }
    }

    @Test func theHistoryHasItsBeginningAndItsEnd() async throws {
        fixture.broker.person.verifier.add(FakeCheck())
        try await fixture.provide([])
        let author = try await fixture.client(.terminal)
        _ = try await debug(author)
        author.close()
        let terminal = try await fixture.client(.terminal)
        @Sendable func entries() async throws -> [HistoryEntry] {
            let all = try await terminal.call(ListHistory.self, .init()).entries
            return all.filter { $0.detail?.hasPrefix("Debugging is") == true }
        }
        try await eventually { try await entries().count == 2 }
        let found = try await entries()
        #expect(
            found.map(\.detail) == ["Debugging is no longer allowed.", "Debugging is allowed."])
        #expect(found.map(\.method) == [nil, .pin])
        #expect(found.allSatisfy { $0.event == .approval && $0.provider?.identifier == BrokerFixture.provider })
    }

    @Test func onlyAnEnabledProviderIsDebugged() async throws {
        let terminal = try await fixture.client(.terminal)
        #expect(await failure { _ = try await debug(terminal) }?.code == .noProvider)
    }
}
