import AutoFillProtocol
import Glibc
import Synchronization
import Testing

@testable import AutoFillBroker

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
        let client = try await fixture.client()
        let handle = try #require(await client.suggestions().first).handle
        let fill = Task { await failure { _ = try await client.fill(handle) } }
        for _ in 0..<3 {
            try await fixture.clock.waitForSleeper(of: ProviderRequest.quietLimit)
            fixture.clock.advance(by: ProviderRequest.quietLimit)
        }
        try await fixture.clock.waitForSleeper(of: ProviderRequest.quietLimit)
        #expect(fixture.bundles.running.count == 1)
        terminal.close()
        try await eventually { fixture.bundles.running.isEmpty }
        _ = await fill.value
    }

    @Test func pagesAndTheAuthorsTerminalReachTheDebuggedProcessOnly() async throws {
        try await fixture.provide([])
        let bundle = try await fixture.broker.enabledProvider(BrokerFixture.provider)
        let processes = fixture.broker.processes
        let author = BundleProcesses.Caller.terminal(TerminalSession(identifier: 1, leaderStart: 1, terminal: 1))
        let other = BundleProcesses.Caller.terminal(TerminalSession(identifier: 2, leaderStart: 1, terminal: 1))
        let owner = ObjectIdentifier(fixture)
        let number = try await processes.startDebugging(bundle, .init(caller: author, owner: owner), stopped: false)
        for use in [BundleProcesses.Use.quiet, .interactive, .background] {
            for caller in [author, .browser] {
                let answering = try await processes.withExtension(of: bundle, for: caller, use) { $0.processIdentifier }
                #expect(answering == number)
            }
            let answering = try await processes.withExtension(of: bundle, for: other, use) { $0.processIdentifier }
            #expect(answering != number)
        }
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

    @Test func failuresOfADebuggedProviderTakeNothingAway() async throws {
        let fixture = try BrokerFixture(FakeBundles { _, _ in cancelled(0) })
        try await fixture.provide([BrokerFixture.identity()])
        let terminal = try await fixture.client(.terminal)
        _ = try await debug(terminal)
        let client = try await fixture.client()
        for _ in 0..<5 {
            let handle = try #require(await client.suggestions().first).handle
            #expect(await failure { _ = try await client.fill(handle) }?.code == .providerFailed)
        }
    }

    @Test func nobodyDebugsWithoutATerminal() async throws {
        let fixture = try BrokerFixture(FakeBundles { _, _ in cancelled(0) }, hasTerminal: false)
        try await fixture.provide([])
        let terminal = try await fixture.client(.terminal)
        #expect(await failure { _ = try await debug(terminal) }?.code == .refused)
        #expect(fixture.bundles.started.isEmpty)
    }

    @Test func everyTerminalHearsOfIt() async throws {
        try await fixture.provide([])
        let heard = Mutex<[String]>([])
        var methods = MethodTable()
        methods.on(BrokerNotice.self) { notice, _ in heard.withLock { $0.append(notice.text) } }
        _ = try await fixture.client(.terminal, methods)
        let author = try await fixture.client(.terminal)
        _ = try await debug(author)
        try await eventually { heard.withLock { $0 == ["vault is being debugged now, by process \(getpid())."] } }
        author.close()
        try await eventually { heard.withLock { $0.last == "vault is debugged no more." } }
    }

    @Test func onlyAnEnabledProviderIsDebugged() async throws {
        let terminal = try await fixture.client(.terminal)
        #expect(await failure { _ = try await debug(terminal) }?.code == .noProvider)
    }
}
