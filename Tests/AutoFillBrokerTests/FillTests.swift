import AutoFillProtocol
import AutoFillWire
import BrokerTestSupport
import KeywaySystem
import Synchronization
import Testing

@testable import AutoFillBroker
@testable import ProviderHosting

@Suite(.timeLimit(.minutes(5))) struct FillTests {
    @Test func forwardsTheSecretUnread() async throws {
        let fixture = try BrokerFixture(FakeBundles { _, _ in try password() })
        try await fixture.provide([BrokerFixture.identity()])
        let client = try await fixture.client()
        let result = try await client.fill(try #require(await client.suggestions().first).handle)
        #expect(result.user == "ada")
        #expect(try result.password?.text == "s3cret")
        #expect(result.provider.identifier == BrokerFixture.provider)
    }

    @Test(arguments: [
        [ServiceIdentifier("https://a.example/" + String(repeating: "x", count: 5000), kind: .url)],
        [ServiceIdentifier](repeating: BrokerFixture.page, count: 17),
    ])
    func servicesOfAListAreBoundedToo(services: [ServiceIdentifier]) async throws {
        let fixture = try BrokerFixture(FakeBundles { _, _ in try password() })
        try await fixture.provide([])
        let client = try await fixture.client(.terminal)
        let error = await failure {
            _ = try await client.call(
                Fill.self, .init(target: .list(provider: nil), services: services, presents: true))
        }
        #expect(error?.code == .invalidParameters)
        #expect(fixture.bundles.started.isEmpty)
    }

    @Test func extensionsGoWithAServiceThatDiesWhileItIsOpen() async throws {
        let fixture = try BrokerFixture(FakeBundles { _, _ in try password() })
        try await fixture.provide([BrokerFixture.identity()])
        let client = try await fixture.client(.terminal)
        _ = try await client.call(ConnectService.self, .init(provider: nil))
        let service = try #require(fixture.bundles.started(.providerService).first)
        await service.say(.ready)
        try await eventually { fixture.broker.processes.states.current(BrokerFixture.provider) == .ready }
        _ = try await client.fill(try #require(await client.suggestions().first).handle)
        #expect(fixture.bundles.running.count == 2)
        service.exit(9)
        try await eventually { fixture.bundles.running.isEmpty }
    }

    @Test func aClientThatNeverGreetsIsEnded() async throws {
        let fixture = try BrokerFixture(FakeBundles { _, _ in try password() })
        let (ours, theirs) = try LocalSocket.pair()
        fixture.broker.serve(theirs)
        let silent = Connection(descriptor: ours, peer: .known(.broker))
        silent.start()
        let greeted = try await fixture.client()
        try await fixture.clock.waitForSleeper(of: GreetingWatch.limit)
        fixture.clock.advance(by: GreetingWatch.limit)
        try await eventually { silent.isClosed }
        _ = try await greeted.suggestions()
    }

    @Test func asksForTheIdentityAsItWasStored() async throws {
        let asked = Mutex<[PerformRequest.Request]>([])
        let bundles = FakeBundles { request, _ in
            asked.withLock { $0.append(request) }
            return try password()
        }
        let fixture = try BrokerFixture(bundles)
        let identity = BrokerFixture.identity("eve", at: "a.example", record: "row 7", rank: 9)
        try await fixture.provide([identity])
        let client = try await fixture.client()
        _ = try await client.fill(try #require(await client.suggestions().first).handle)
        #expect(asked.withLock { $0 } == [.provideWithoutInteraction(.init(identity: identity))])
    }

    @Test func cutsOffAnExtensionAtTheDeadline() async throws {
        let fixture = try BrokerFixture(FakeBundles { _, _ in try await hang() })
        try await fixture.provide([BrokerFixture.identity()])
        let client = try await fixture.client()
        let handle = try #require(await client.suggestions().first).handle
        let fill = Task { await failure { _ = try await client.fill(handle) } }
        try await fixture.clock.waitForSleeper(of: ProviderRequest.quietLimit)
        fixture.clock.advance(by: ProviderRequest.quietLimit)
        let error = try #require(await fill.value)
        #expect(error.code == .timedOut)
        #expect(error.provider == BrokerFixture.provider)
        try await eventually { fixture.bundles.started.first?.signals == [9] }
    }

    @Test func keepsAnExtensionWarmAndEndsItWhenIdle() async throws {
        let fixture = try BrokerFixture(FakeBundles { _, _ in try password() })
        try await fixture.provide([BrokerFixture.identity()])
        let client = try await fixture.client()
        let handle = try #require(await client.suggestions().first).handle
        for _ in 0..<3 { _ = try await client.fill(handle) }
        #expect(fixture.bundles.started.count == 1)
        try await fixture.clock.waitForSleeper(of: BundleProcesses.idleLimit)
        fixture.clock.advance(by: BundleProcesses.idleLimit)
        try await eventually { fixture.bundles.running.isEmpty }
        _ = try await client.fill(handle)
        #expect(fixture.bundles.started.count == 2)
    }

    @Test func useWithinTheIdleTimeKeepsTheExtension() async throws {
        let fixture = try BrokerFixture(FakeBundles { _, _ in try password() })
        try await fixture.provide([BrokerFixture.identity()])
        let client = try await fixture.client()
        let handle = try #require(await client.suggestions().first).handle
        _ = try await client.fill(handle)
        try await fixture.clock.waitForSleeper(of: BundleProcesses.idleLimit)
        fixture.clock.advance(by: .seconds(40))
        _ = try await client.fill(handle)
        try await fixture.clock.waitForSleeper(of: BundleProcesses.idleLimit)
        fixture.clock.advance(by: .seconds(40))
        #expect(fixture.bundles.running.count == 1)
    }

    @Test(arguments: [
        (0, ProtocolError.Code.providerFailed), (1, .cancelled), (101, .notFound), (102, .providerFailed),
        (-7, .providerFailed),
    ])
    func translatesHowAnExtensionCancels(code: Int, expected: ProtocolError.Code) async throws {
        let fixture = try BrokerFixture(FakeBundles { _, _ in cancelled(code, reason: "no\u{1B}[2J luck") })
        try await fixture.provide([BrokerFixture.identity()])
        let client = try await fixture.client()
        let handle = try #require(await client.suggestions().first).handle
        let error = await failure { _ = try await client.fill(handle) }
        #expect(error?.code == expected)
        #expect(error?.message.contains("vault") == true)
        #expect(error?.message.contains("\u{1B}") == false)
    }

    @Test func takesAwayWhatTheProviderLacks() async throws {
        let fixture = try BrokerFixture(FakeBundles { _, _ in cancelled(101) })
        try await fixture.provide([BrokerFixture.identity("ada"), BrokerFixture.identity("bob", record: "r2")])
        let client = try await fixture.client()
        let first = try #require(await client.suggestions().first)
        _ = await failure { _ = try await client.fill(first.handle) }
        let users = try await client.suggestions().map(\.user)
        #expect(users == ["ada", "bob"].filter { $0 != first.user })
    }

    @Test func waitsUntilTheServiceIsReadyWhenTheCallerShowsNothing() async throws {
        let isOpen = Mutex(false)
        let bundles = FakeBundles { _, _ in isOpen.withLock { $0 } ? try password() : cancelled(100) }
        let fixture = try BrokerFixture(
            bundles, information: ["KeywayService": "service", "KeywayInteractionCommand": "keyway vault unlock"])
        try await fixture.provide([BrokerFixture.identity()])
        let notices = Mutex<[FillWaiting.Parameters]>([])
        var table = MethodTable()
        table.on(FillWaiting.self) { notice, _ in notices.withLock { $0.append(notice) } }
        let client = try await fixture.client(.browser, table)
        let handle = try #require(await client.suggestions().first).handle
        let fill = Task { try await client.fill(handle) }
        try await eventually { bundles.started(.providerService).count == 1 }
        let service = try #require(bundles.started(.providerService).first)
        try await eventually { !notices.withLock { $0 }.isEmpty }
        #expect(notices.withLock { $0 }.first?.command == "keyway vault unlock")
        isOpen.withLock { $0 = true }
        await service.say(.ready)
        #expect(try await fill.value.user == "ada")
    }

    @Test func givesUpWaitingForThePersonAfterTenMinutes() async throws {
        let fixture = try BrokerFixture(FakeBundles { _, _ in cancelled(100) })
        try await fixture.provide([BrokerFixture.identity()])
        let client = try await fixture.client()
        let handle = try #require(await client.suggestions().first).handle
        let fill = Task { await failure { _ = try await client.fill(handle) } }
        try await fixture.clock.waitForSleeper(of: ProviderRequest.personLimit)
        fixture.clock.advance(by: ProviderRequest.personLimit)
        #expect(await fill.value?.code == .timedOut)
    }

    @Test func lockEndsTheExtensionOnlyWhenItWasOpen() async throws {
        let fixture = try BrokerFixture(FakeBundles { _, _ in try password() })
        try await fixture.provide([BrokerFixture.identity()])
        let client = try await fixture.client()
        let terminal = try await fixture.client(.terminal)
        _ = try await terminal.call(ConnectService.self, .init(provider: nil))
        let service = try #require(fixture.bundles.started(.providerService).first)
        let handle = try #require(await client.suggestions().first).handle
        _ = try await client.fill(handle)
        let states = fixture.broker.processes.states
        await service.say(.locked)
        try await eventually { states.current(BrokerFixture.provider) == .locked }
        _ = try await client.fill(handle)
        #expect(fixture.bundles.started(.providerExtension).count == 1)
        await service.say(.ready, .locked)
        try await eventually { fixture.bundles.started(.providerExtension).first?.hasEnded == true }
    }

    @Test func aBrowserLocksAProviderByLettingGoOfItsServiceAndItsExtensions() async throws {
        let fixture = try BrokerFixture(FakeBundles { _, _ in try password() })
        try await fixture.provide([BrokerFixture.identity()])
        let client = try await fixture.client()
        _ = try await fixture.client(.terminal).call(ConnectService.self, .init(provider: nil))
        let service = try #require(fixture.bundles.started(.providerService).first)
        await service.say(.ready)
        _ = try await client.fill(try #require(await client.suggestions().first).handle)
        let refusal = await failure { _ = try await client.call(LockProvider.self, .init(identifier: "x")) }
        #expect(refusal?.code == .noProvider)
        #expect(!service.hasEnded)
        _ = try await client.call(LockProvider.self, .init(identifier: BrokerFixture.provider))
        #expect(service.hasEnded)
        try await eventually { fixture.bundles.started(.providerExtension).first?.hasEnded == true }
        #expect(fixture.broker.processes.states.current(BrokerFixture.provider) == nil)
    }

    @Test func startsAFailingExtensionLessAndLessOften() async throws {
        let bundles = FakeBundles { _, _ in cancelled(0) }
        let fixture = try BrokerFixture(bundles)
        try await fixture.provide([BrokerFixture.identity()])
        let client = try await fixture.client()
        let handle = try #require(await client.suggestions().first).handle
        for pause in [Duration.zero, .zero, .milliseconds(250), .milliseconds(500), .seconds(1)] {
            let fill = Task { await failure { _ = try await client.fill(handle) } }
            if pause > .zero {
                try await fixture.clock.waitForSleeper(of: pause)
                fixture.clock.advance(by: pause)
            }
            #expect(await fill.value?.code == .providerFailed)
            for process in bundles.running { process.exit(9) }
            try await eventually { await fixture.broker.processes.running().isEmpty }
        }
    }

    @Test func extensionThatNeverGreetsIsAskedNothing() async throws {
        let asked = Mutex(0)
        let fixture = try BrokerFixture(
            FakeBundles(greets: false) { _, _ in
                asked.withLock { $0 += 1 }
                return try password()
            })
        try await fixture.provide([BrokerFixture.identity()])
        let client = try await fixture.client()
        let handle = try #require(await client.suggestions().first).handle
        let fill = Task { await failure { _ = try await client.fill(handle) } }
        try await fixture.clock.waitForSleeper(of: ProviderRequest.startLimit)
        // That it starts slowly is not held against its answers.
        fixture.clock.advance(by: ProviderRequest.quietLimit)
        #expect(fixture.bundles.running.count == 1)
        fixture.clock.advance(by: ProviderRequest.startLimit)
        #expect(await fill.value?.code == .timedOut)
        #expect(asked.withLock { $0 } == 0)
        try await eventually { fixture.bundles.started.first?.signals == [9] }
    }

    @Test func processThatStaysAfterItsEndIsKilled() async throws {
        let fixture = try BrokerFixture(FakeBundles(endsWithBroker: false) { _, _ in try password() })
        try await fixture.provide([BrokerFixture.identity()])
        let client = try await fixture.client()
        _ = try await client.fill(try #require(await client.suggestions().first).handle)
        let terminal = try await fixture.client(.terminal)
        _ = try await terminal.call(
            SetProviderEnabled.self, .init(identifier: BrokerFixture.provider, isEnabled: false))
        try await fixture.clock.waitForSleeper(of: .seconds(2))
        #expect(fixture.bundles.running.count == 1)
        fixture.clock.advance(by: .seconds(2))
        try await eventually { fixture.bundles.running.isEmpty }
    }
}

/// Never answers, until the request is cancelled.
func hang() async throws -> PerformRequest.Result {
    try await Task.sleep(for: .seconds(3600))
    return cancelled(0)
}
