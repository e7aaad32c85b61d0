import AutoFillProtocol
import AutoFillWire
import BrokerTestSupport
import Synchronization
import Testing

@testable import AutoFillBroker
@testable import ProviderHosting

@Suite(.timeLimit(.minutes(5))) struct InterfaceTests {
    static let form = ProviderInterface.form(
        InterfaceForm(title: "Unlock", fields: [.init(id: "w", label: "Word", kind: .secure)], submitTitle: "Go"))

    /// A terminal, and what it was shown.
    final class Terminal: Sendable {
        let shown = Mutex<[PresentationShow.Parameters]>([])

        var table: MethodTable {
            var table = MethodTable()
            table.on(PresentationShow.self) { [self] parameters, _ in shown.withLock { $0.append(parameters) } }
            return table
        }
    }

    @Test func carriesInterfacesAndEventsBetweenTheRightRequests() async throws {
        let answers = Mutex<[CheckedContinuation<Void, Never>]>([])
        let bundles = FakeBundles { request, context in
            if case .provideWithoutInteraction = request { return cancelled(100) }
            context.connection.notify(
                ExtensionPresent.self, .init(request: context.requestID ?? 0, interface: Self.form))
            await withCheckedContinuation { continuation in answers.withLock { $0.append(continuation) } }
            return try password()
        }
        let fixture = try BrokerFixture(bundles)
        try await fixture.provide([BrokerFixture.identity()])
        let terminal = Terminal()
        let client = try await fixture.client(.terminal, terminal.table)
        let handle = try #require(await client.suggestions().first).handle
        let number = Mutex(0)
        let fill = Task { try await client.fill(handle, presents: true) { id in number.withLock { $0 = id } } }
        try await eventually { !terminal.shown.withLock { $0 }.isEmpty }
        let shown = try #require(terminal.shown.withLock { $0 }.first)
        #expect(shown.request == number.withLock { $0 })
        #expect(shown.interface == Self.form)
        #expect(shown.service == "a.example")
        client.notify(PresentationEvent.self, .init(request: shown.request + 1, event: .cancelled))
        for text in ["a", "ab", "abc"] {
            client.notify(PresentationEvent.self, .init(request: shown.request, event: .searched(text)))
        }
        try await eventually { bundles.events.withLock { $0 }.count == 3 }
        let events = bundles.events.withLock { $0 }
        #expect(events == ["searched(\"a\")", "searched(\"ab\")", "searched(\"abc\")"])
        answers.withLock { $0 }.forEach { $0.resume() }
        #expect(try await fill.value.user == "ada")
    }

    @Test func textOfTheProviderIsMadeHarmless() async throws {
        let bundles = FakeBundles { _, context in
            let message = InterfaceMessage(title: "\u{1B}]0;own\u{7}ed", text: "x\u{202E}y")
            context.connection.notify(
                ExtensionPresent.self, .init(request: context.requestID ?? 0, interface: .message(message)))
            return try await hang()
        }
        let fixture = try BrokerFixture(bundles)
        try await fixture.provide([])
        let terminal = Terminal()
        let client = try await fixture.client(.terminal, terminal.table)
        let fill = Task {
            try await client.call(Fill.self, .init(target: .list(provider: nil), services: [], presents: true))
        }
        try await eventually { !terminal.shown.withLock { $0 }.isEmpty }
        #expect(
            terminal.shown.withLock { $0 }.first?.interface == .message(InterfaceMessage(title: "]0;owned", text: "xy"))
        )
        fill.cancel()
        _ = await fill.result
    }

    @Test func interfaceDuringAQuietRequestIsDropped() async throws {
        let bundles = FakeBundles { _, context in
            context.connection.notify(
                ExtensionPresent.self, .init(request: context.requestID ?? 0, interface: Self.form))
            return try password()
        }
        let fixture = try BrokerFixture(bundles)
        try await fixture.provide([BrokerFixture.identity()])
        let terminal = Terminal()
        let client = try await fixture.client(.terminal, terminal.table)
        let handle = try #require(await client.suggestions().first).handle
        #expect(try await client.fill(handle, presents: true).user == "ada")
        #expect(terminal.shown.withLock { $0 }.isEmpty)
    }

    /// The answer comes behind more interfaces than anybody can look at, and is none any more.
    @Test func floodDuringItsOwnRequestEndsTheExtension() async throws {
        let bundles = FakeBundles { request, context in
            if case .provideWithoutInteraction = request { return cancelled(100) }
            for _ in 0...Int(BundleProcess.interfaces.atOnce) {
                context.connection.notify(
                    ExtensionPresent.self, .init(request: context.requestID ?? 0, interface: Self.form))
            }
            return try password()
        }
        let fixture = try BrokerFixture(bundles)
        try await fixture.provide([BrokerFixture.identity()])
        let client = try await fixture.client(.terminal, Terminal().table)
        let handle = try #require(await client.suggestions().first).handle
        let error = await failure { _ = try await client.fill(handle, presents: true) }
        #expect(error?.code == .providerFailed)
    }

    @Test func listGetsItsServicesExpanded() async throws {
        let asked = Mutex<[PerformRequest.Request]>([])
        let bundles = FakeBundles { request, _ in
            asked.withLock { $0.append(request) }
            return try password()
        }
        let fixture = try BrokerFixture(bundles)
        try await fixture.provide([])
        let client = try await fixture.client(.terminal)
        let page = ServiceIdentifier("https://m.example.com:8443/x", kind: .url)
        _ = try await client.call(Fill.self, .init(target: .list(provider: nil), services: [page], presents: true))
        #expect(
            asked.withLock { $0 } == [
                .list(
                    [
                        page, ServiceIdentifier("m.example.com", kind: .domain),
                        ServiceIdentifier("example.com", kind: .domain),
                    ], passkeys: nil)
            ])
    }

    @Test func cancellingTheFillCancelsTheExtensionsRequest() async throws {
        let wasCancelled = Mutex(false)
        let wasAsked = Mutex(false)
        let bundles = FakeBundles { _, _ in
            wasAsked.withLock { $0 = true }
            do { return try await hang() } catch {
                wasCancelled.withLock { $0 = true }
                throw error
            }
        }
        let fixture = try BrokerFixture(bundles)
        try await fixture.provide([])
        let client = try await fixture.client(.terminal)
        let fill = Task {
            try await client.call(Fill.self, .init(target: .list(provider: nil), services: [], presents: true))
        }
        try await eventually { wasAsked.withLock { $0 } }
        client.close()
        try await eventually { wasCancelled.withLock { $0 } }
        _ = await fill.result
        #expect(bundles.running.count == 1)
    }
}
