import AutoFillProtocol
import AutoFillWire
import BrokerTestSupport
import Foundation
import Synchronization
import Testing

@testable import AutoFillBroker

/// What a client may ask that no credential comes of: reports and setting up.
@Suite(.timeLimit(.minutes(1))) struct ReportTests {
    // MARK: - Reports and configuration

    private static let reports: [CredentialReport] = [
        .passkeyUpdated(relyingParty: "a.example", userHandle: Sample.handle, newName: "eve"),
        .passkeyUnknown(relyingParty: "a.example", credentialID: Sample.credentialID),
        .passkeysAccepted(relyingParty: "a.example", userHandle: Sample.handle, credentialIDs: []),
        .passwordUnused(domain: "a.example", userName: "ada"),
    ]

    @Test(arguments: reports) func reportReachesWhoTakesReports(report: CredentialReport) async throws {
        let script = RequestScript(.reported)
        let fixture = try await script.broker()
        let client = try await fixture.client(.terminal)
        _ = try await client.call(ReportCredential.self, .init(report: report))
        try await eventually { script.asked.withLock { $0 } == [.report(report)] }
    }

    @Test func reportsAnswerTellsNothing() async throws {
        let fixture = try await RequestScript(cancelled(0)).broker(declares: Sample.declares(["ProvidesPasswords"]))
        let client = try await fixture.client(.terminal)
        _ = try await client.call(ReportCredential.self, .init(report: Self.reports[3]))
        _ = try await client.call(BrokerStatus.self, Nothing())
        #expect(fixture.bundles.started.isEmpty)
    }

    @Test(arguments: [
        CredentialReport.passkeyUnknown(relyingParty: "co.uk", credentialID: Data([1])),
        .passkeyUnknown(relyingParty: "a.example", credentialID: Data()),
        .passkeyUpdated(relyingParty: "a.example", userHandle: Data(count: 65), newName: "x"),
        .passwordUnused(domain: "a b", userName: "x"),
    ])
    func reportHasBounds(report: CredentialReport) async throws {
        let fixture = try await RequestScript().broker()
        let client = try await fixture.client()
        let error = await failure { _ = try await client.call(ReportCredential.self, .init(report: report)) }
        #expect(error?.code == .invalidParameters)
    }

    @Test func hangingReportEndsAndHoldsNobodyUp() async throws {
        let fixture = try BrokerFixture(
            FakeBundles { request, _ in
                if case .report = request { return try await hang() }
                return try password()
            }, information: Sample.declares(Sample.keeps))
        try await fixture.provide([BrokerFixture.identity()])
        let client = try await fixture.client()
        _ = try await client.call(
            ReportCredential.self, .init(report: Self.reports[0], services: [BrokerFixture.page]))
        try await fixture.clock.waitForSleeper(of: ProviderRequest.backgroundLimit)
        #expect(try await client.fill(try #require(await client.suggestions().first).handle).user == "ada")
        fixture.clock.advance(by: ProviderRequest.backgroundLimit)
        try await eventually { fixture.bundles.started.contains { $0.signals == [9] } }
    }

    @Test func configurationIsShownUntilItIsDone() async throws {
        let script = RequestScript(.configured, cancelled(1))
        let fixture = try await script.broker()
        let client = try await fixture.client(.terminal)
        let parameters = ConfigureProvider.Parameters(identifier: BrokerFixture.provider)
        _ = try await client.call(ConfigureProvider.self, parameters)
        #expect(await failure { _ = try await client.call(ConfigureProvider.self, parameters) }?.code == .cancelled)
        #expect(script.entries == ["configuration", "configuration"])
    }

    @Test func configurationNeedsItsCapability() async throws {
        let fixture = try await RequestScript().broker(declares: Sample.declares(["ProvidesPasswords"]))
        let client = try await fixture.client(.terminal)
        let error = await failure {
            _ = try await client.call(ConfigureProvider.self, .init(identifier: BrokerFixture.provider))
        }
        #expect(error?.code == .noProvider)
    }
}
