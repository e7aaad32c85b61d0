import AutoFillProtocol
import AutoFillWire
import BrokerTestSupport
import KeywaySystem
import Testing

@testable import AutoFillBroker

@Suite struct ServiceTests {
    private static var always: [String: Any] { ["KeywayService": "service", "KeywayServiceRunsAlways": true] }

    private func services(_ fixture: BrokerFixture) -> [FakeBundles.Process] {
        fixture.bundles.started(.providerService)
    }

    @Test func serviceThatRunsAlwaysStartsWhenItsProviderIsTurnedOn() async throws {
        let fixture = try BrokerFixture(FakeBundles { _, _ in cancelled(0) }, information: Self.always)
        try await fixture.broker.adoptProviders()
        #expect(services(fixture).isEmpty)
        try await fixture.provide([])
        try await eventually { self.services(fixture).count == 1 }
    }

    @Test func otherServicesStartWhenTheyAreNeeded() async throws {
        let fixture = try BrokerFixture(FakeBundles { _, _ in cancelled(0) })
        try await fixture.provide([])
        let terminal = try await fixture.client(.terminal)
        _ = try await terminal.call(ListProviders.self, Nothing())
        #expect(services(fixture).isEmpty)
    }

    @Test func serviceThatRunsAlwaysIsStartedAgainAfterAWhile() async throws {
        let fixture = try BrokerFixture(FakeBundles { _, _ in cancelled(0) }, information: Self.always)
        try await fixture.provide([])
        for count in 1...5 {
            try await eventually {
                // After the first time it waits longer and longer.
                fixture.clock.advance(by: .seconds(10))
                return self.services(fixture).count == count
            }
            services(fixture).last?.exit(1)
        }
    }

    @Test func turnedOffItIsEndedAndNotStartedAgain() async throws {
        let fixture = try BrokerFixture(FakeBundles { _, _ in cancelled(0) }, information: Self.always)
        try await fixture.provide([])
        // The second time it ends, it waits to be started again: that wait must not start what is off.
        for count in 1...2 {
            try await eventually { self.services(fixture).count == count }
            services(fixture).last?.exit(1)
        }
        try await fixture.clock.waitForSleeper(of: .milliseconds(250))
        let terminal = try await fixture.client(.terminal)
        _ = try await terminal.call(
            SetProviderEnabled.self, .init(identifier: BrokerFixture.provider, isEnabled: false))
        fixture.clock.advance(by: .seconds(60))
        for _ in 0..<20 { _ = try await terminal.call(ListProviders.self, Nothing()) }
        #expect(services(fixture).count == 2)
        _ = try await terminal.call(
            SetProviderEnabled.self, .init(identifier: BrokerFixture.provider, isEnabled: true))
        try await eventually { self.services(fixture).count == 3 }
        _ = try await terminal.call(
            SetProviderEnabled.self, .init(identifier: BrokerFixture.provider, isEnabled: false))
        try await eventually { self.services(fixture).last?.hasEnded == true }
        #expect(services(fixture).count == 3)
    }

    @Test func processThatIsNeverCertainKeepsNobodyFromTheStatus() async throws {
        let bundles = FakeBundles(identifies: false) { _, _ in throw ProtocolError(.providerFailed, "No.") }
        let fixture = try BrokerFixture(bundles)
        try await fixture.provide([])
        let client = try await fixture.client(.terminal)
        _ = try await client.call(ConnectService.self, .init(provider: BrokerFixture.provider))
        #expect(try await client.call(BrokerStatus.self, Nothing()).running.count == 1)
    }
}
