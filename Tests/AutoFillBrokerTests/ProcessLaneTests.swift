import BrokerTestSupport
import Synchronization
import Testing

@testable import AutoFillBroker
@testable import AutoFillProtocol
@testable import AutoFillWire
@testable import KeywaySystem
@testable import ProviderHosting

@Suite(.timeLimit(.minutes(1))) struct ProcessLaneTests {
    typealias Caller = BundleProcesses.Caller

    private let fixture: BrokerFixture
    private let gate = Gate()

    /// Where work waits until the test lets it go on.
    private final class Gate: Sendable {
        private let waiting = Mutex<[String: CheckedContinuation<Void, Never>]>([:])

        func wait(_ name: String) async {
            await withCheckedContinuation { continuation in waiting.withLock { $0[name] = continuation } }
        }

        var names: Set<String> { Set(waiting.withLock { $0.keys }) }

        func open(_ name: String) {
            waiting.withLock { $0.removeValue(forKey: name) }?.resume()
        }
    }

    init() throws {
        fixture = try BrokerFixture(FakeBundles { _, _ in try password() })
    }

    private static func terminal(_ number: Int32) -> Caller {
        .terminal(TerminalSession(identifier: number, leaderStart: 1, terminal: 1))
    }

    private var processes: BundleProcesses { fixture.broker.processes }

    private func bundle(_ name: String = "vault") async throws -> ProviderBundle {
        let terminal = try await fixture.client(.terminal)
        _ = try await terminal.call(SetProviderEnabled.self, .init(identifier: "test.\(name)", isEnabled: true))
        return try await fixture.broker.directory.provider("test.\(name)")
    }

    /// The process that answers such a request.
    private func process(
        _ bundle: ProviderBundle, _ caller: Caller, _ use: BundleProcesses.Use = .quiet
    ) async throws -> Int32 {
        try await processes.withExtension(of: bundle, for: caller, use) { $0.processIdentifier }
    }

    // MARK: - Callers

    @Test func eachTerminalSessionHasAnExtensionOfItsOwn() async throws {
        let bundle = try await bundle()
        let first = try await process(bundle, Self.terminal(1))
        #expect(try await process(bundle, Self.terminal(1)) == first)
        #expect(try await process(bundle, Self.terminal(2)) != first)
        #expect(try await process(bundle, .browser) != first)
        let later = TerminalSession(identifier: 1, leaderStart: 2, terminal: 1)
        #expect(try await process(bundle, .terminal(later)) != first)
    }

    @Test(arguments: [
        (Caller.browser, "providerExtension"), (terminal(7), "extensionForTerminal"),
    ]) func serviceIsToldForWhomAnExtensionAnswers(caller: Caller, expected: String) async throws {
        let bundle = try await bundle()
        let number = try await process(bundle, caller)
        let started = try #require(fixture.bundles.started.first { $0.processIdentifier == number })
        await started.say()
        _ = try await started.connection.call(ConnectService.self, .init(provider: nil))
        #expect(fixture.bundles.events.withLock { $0 }.first?.hasPrefix(expected) == true)
    }

    @Test func manyTerminalsShareTheRoomForExtensions() async throws {
        let bundle = try await bundle()
        for number in 0..<Int32(BundleProcesses.maximumExtensions + 5) {
            _ = try await process(bundle, Self.terminal(number))
        }
        try await eventually { fixture.bundles.running.count == BundleProcesses.maximumExtensions }
    }

    @Test func noMoreExtensionsThanThatWorkAtATime() async throws {
        let bundle = try await bundle()
        let processes = processes
        let gate = gate
        let tasks = (0..<BundleProcesses.maximumExtensions).map { number in
            Task {
                try await processes.withExtension(of: bundle, for: Self.terminal(Int32(number)), .quiet) { _ in
                    await gate.wait("\(number)")
                }
            }
        }
        try await eventually { gate.names.count == BundleProcesses.maximumExtensions }
        #expect(await failure { _ = try await self.process(bundle, .browser) }?.code == .busy)
        for name in gate.names { gate.open(name) }
        for task in tasks { try await task.value }
    }

    // MARK: - Interfaces

    /// Begins to show an interface, and shows it until the gate of that name is opened.
    private func show(_ name: String, _ bundle: ProviderBundle, _ caller: Caller) -> Task<Void, any Error> {
        Task { [processes, gate] in
            try await processes.withExtension(of: bundle, for: caller, .interactive) { _ in await gate.wait(name) }
        }
    }

    @Test func oneInterfaceAtATimeInOneTerminal() async throws {
        try TestBundle.install(in: fixture.folder, name: "other")
        let (one, other) = (try await bundle(), try await bundle("other"))
        let first = show("first", one, Self.terminal(1))
        try await eventually { gate.names == ["first"] }
        let second = show("second", other, Self.terminal(1))
        let elsewhere = show("elsewhere", other, Self.terminal(2))
        try await eventually { gate.names == ["first", "elsewhere"] }
        gate.open("elsewhere")
        try await elsewhere.value
        #expect(gate.names == ["first"])
        gate.open("first")
        try await eventually { gate.names == ["second"] }
        gate.open("second")
        for task in [first, second] { try await task.value }
        #expect(processes.turns.count == 0)
    }

    @Test func oneInterfaceAtATimeOfOneProvider() async throws {
        let bundle = try await bundle()
        let first = show("first", bundle, Self.terminal(1))
        try await eventually { gate.names == ["first"] }
        let second = show("second", bundle, Self.terminal(2))
        // What needs no interface does not wait.
        _ = try await process(bundle, Self.terminal(2))
        #expect(gate.names == ["first"])
        gate.open("first")
        try await eventually { gate.names == ["second"] }
        gate.open("second")
        for task in [first, second] { try await task.value }
    }

    @Test func whoGivesUpLeavesTheQueue() async throws {
        let bundle = try await bundle()
        let first = show("first", bundle, Self.terminal(1))
        try await eventually { gate.names == ["first"] }
        let second = show("second", bundle, Self.terminal(1))
        try await eventually { processes.turns.count > 0 }
        second.cancel()
        #expect(await second.result.error.map { $0 as? ProtocolError }??.code == .cancelled)
        let third = show("third", bundle, Self.terminal(1))
        gate.open("first")
        try await eventually { gate.names == ["third"] }
        gate.open("third")
        for task in [first, third] { try await task.value }
        #expect(processes.turns.count == 0)
    }

    // MARK: - Answers that nobody waits for

    @Test func answersThatNobodyWaitsForAreCounted() async throws {
        let bundle = try await bundle()
        let number = try await process(bundle, .browser)
        let started = try #require(fixture.bundles.started.first { $0.processIdentifier == number })
        #expect(await processes.droppedAnswers() == 0)
        // An answer to a request that was never made.
        started.connection.send(error: ProtocolError(.internalError, "x"), id: 4000)
        started.connection.send(error: ProtocolError(.internalError, "x"), id: 4001)
        try await eventually { await processes.droppedAnswers() == 2 }
        started.exit(0)
        try await eventually { fixture.bundles.running.isEmpty }
        let terminal = try await fixture.client(.terminal)
        try await eventually { try await terminal.call(BrokerStatus.self, Nothing()).droppedAnswers == 2 }
    }

    @Test func confirmationOfACancelIsNoDroppedAnswer() async throws {
        let isHanging = Mutex(true)
        let asked = Mutex(0)
        let fixture = try BrokerFixture(
            FakeBundles { _, _ in
                asked.withLock { $0 += 1 }
                return isHanging.withLock { $0 } ? try await hang() : try password()
            })
        try await fixture.provide([BrokerFixture.identity()])
        let client = try await fixture.client()
        let handle = try #require(await client.suggestions().first).handle
        let fill = Task { try await client.fill(handle) }
        try await eventually { asked.withLock { $0 } == 1 }
        isHanging.withLock { $0 = false }
        fill.cancel()
        _ = await fill.result
        // It is answered by the same process, after the confirmation.
        #expect(try await client.fill(handle).user == "ada")
        #expect(await fixture.broker.processes.droppedAnswers() == 0)
    }

    @Test(arguments: [true, false]) func floodOfInterfacesEndsTheExtension(isAsked: Bool) async throws {
        let bundle = try await bundle()
        let number = try await process(bundle, .browser)
        let started = try #require(fixture.bundles.started.first { $0.processIdentifier == number })
        await started.say()
        let message = ProviderInterface.message(InterfaceMessage(title: "x", text: "y"))
        for _ in 0...Int(BundleProcess.interfaces.atOnce) {
            started.connection.notify(ExtensionPresent.self, .init(request: isAsked ? 1 : 99, interface: message))
        }
        try await eventually { started.signals == [9] }
    }

    @Test func whatAProcessTookTooMuchOfIsToldToWhoeverAsked() async throws {
        let bundles = FakeBundles(excess: "took too much") { _, _ in
            try await Task.sleep(for: .seconds(3600))
            throw ProtocolError(.providerFailed, "No.")
        }
        let fixture = try BrokerFixture(bundles)
        try await fixture.provide([BrokerFixture.identity()])
        let client = try await fixture.client()
        let handle = try #require(await client.suggestions().first).handle
        async let error = failure { _ = try await client.fill(handle) }
        try await eventually { !bundles.started(.providerExtension).isEmpty }
        bundles.started(.providerExtension).first?.exit(9)
        let message = try #require(await error?.message)
        #expect(message.contains("ended before it answered"))
        #expect(message.hasSuffix(": it took too much."))
    }
}

extension Result {
    fileprivate var error: Failure? { if case .failure(let error) = self { error } else { nil } }
}
