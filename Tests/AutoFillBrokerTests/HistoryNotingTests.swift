import AutoFillProtocol
import AutoFillWire
import BrokerTestSupport
import Foundation
import KeywaySystem
import Testing

@testable import AutoFillBroker
@testable import BrokerBase

/// What of a client's requests the history learns.
@Suite(.timeLimit(.minutes(5))) struct HistoryNotingTests {
    private func fixture() async throws -> BrokerFixture {
        let fixture = try BrokerFixture(FakeBundles { _, _ in try password() })
        try await fixture.provide([BrokerFixture.identity()])
        return fixture
    }

    private func entries(_ fixture: BrokerFixture) async throws -> [HistoryEntry] {
        let terminal = try await fixture.client(.terminal)
        return try await terminal.call(ListHistory.self, .init()).entries
    }

    private func fill(_ fixture: BrokerFixture, isPrivate: Bool? = nil) async throws {
        let client = try await fixture.client()
        let handle = try #require(await client.suggestions().first).handle
        _ = try await client.fill(handle, isPrivate: isPrivate)
    }

    @Test func fillIsListedWithWhoWhatAndWhere() async throws {
        let fixture = try await fixture()
        try await fill(fixture)
        let found = try #require(try await entries(fixture).first)
        #expect(found.event == .fill)
        #expect(found.provider?.identifier == BrokerFixture.provider)
        #expect(found.service == "a.example")
        #expect(found.account == "ada")
        #expect(found.kind == .password)
        // Entries of one moment stand in their order.
        #expect((0...3).contains(found.time - fixture.clock.milliseconds))
    }

    @Test func nothingOfAPrivateWindowIsWrittenDown() async throws {
        let fixture = try await fixture()
        try await fill(fixture, isPrivate: true)
        let client = try await fixture.client()
        let handle = try #require(await client.suggestions().first).handle
        // A refusal from a private window names the site too.
        let other = ServiceIdentifier("https://b.example/", kind: .url)
        let refusal = await failure {
            _ = try await client.call(
                Fill.self,
                .init(target: .suggestion(handle: handle), services: [other], presents: false, isPrivate: true))
        }
        #expect(refusal?.code == .refused)
        #expect(try await entries(fixture).allSatisfy { $0.event == .approval })
    }

    @Test(arguments: [true, false]) func whatAPrivatePageReportsIsNotWrittenDown(isPrivate: Bool) async throws {
        let fixture = try await fixture()
        let client = try await fixture.client(.browser)
        let report = ReportCredential.Parameters(
            report: .passwordUnused(domain: "a.example", userName: "ada"), services: [BrokerFixture.page],
            isPrivate: isPrivate)
        #expect(await failure { _ = try await client.call(ReportCredential.self, report) }?.code == .notAllowed)
        #expect(try await entries(fixture).contains { $0.event == .refusal } == !isPrivate)
    }

    /// It may try ten thousand times, and name whatever it likes.
    @Test func aPageThatTriesPasskeysOfOthersFillsNoHistory() async throws {
        let fixture = try await fixture()
        let client = try await fixture.client(.browser)
        let services = [BrokerFixture.page]
        let registration = RegisterPasskey.Parameters(
            registration: Sample.registration("b.example"), provider: nil, isConditional: false, presents: false,
            services: services)
        let report = ReportCredential.Parameters(
            report: .passkeyUnknown(relyingParty: "b.example", credentialID: Data([1])), services: services)
        let sign = Fill.Parameters(
            target: .passkey, services: services, presents: false, passkey: Sample.asked("b.example"))
        let suggest = Suggest.Parameters(services: services, passkeys: PasskeyFilter(relyingParty: "b.example"))
        #expect(await failure { _ = try await client.call(RegisterPasskey.self, registration) }?.code == .refused)
        #expect(await failure { _ = try await client.call(ReportCredential.self, report) }?.code == .refused)
        #expect(await failure { _ = try await client.call(Fill.self, sign) }?.code == .refused)
        #expect(await failure { _ = try await client.call(Suggest.self, suggest) }?.code == .refused)
        #expect(try await entries(fixture).allSatisfy { $0.event == .approval })
    }

    @Test func refusalNamesItsRule() async throws {
        let fixture = try await fixture()
        let client = try await fixture.client()
        let handle = try #require(await client.suggestions().first).handle
        let other = ServiceIdentifier("https://b.example/", kind: .url)
        let refusal = await failure {
            _ = try await client.call(
                Fill.self, .init(target: .suggestion(handle: handle), services: [other], presents: false))
        }
        let found = try #require(try await entries(fixture).first)
        #expect(found.event == .refusal)
        #expect(found.service == "b.example")
        #expect(found.detail == refusal?.message)
        #expect(refusal?.code == .refused)
    }

    /// A provider may say anything in its failures, and what somebody backs out of is nobody's business.
    @Test func failureOfAProviderAndACancelAreNotListed() async throws {
        let fixture = try BrokerFixture(
            FakeBundles { _, _ in .cancelled(domain: "x", code: 7, reason: "the password is canary") })
        try await fixture.provide([BrokerFixture.identity()])
        let client = try await fixture.client()
        let handle = try #require(await client.suggestions().first).handle
        #expect(await failure { _ = try await client.fill(handle) } != nil)
        #expect(try await entries(fixture).allSatisfy { $0.event == .approval })
    }

    @Test func approvalsAndChangesAreListed() async throws {
        let fixture = try await fixture()
        let terminal = try await fixture.client(.terminal)
        _ = try await terminal.call(OrderProviders.self, .init(identifiers: [BrokerFixture.provider]))
        _ = try await terminal.call(
            SetProviderEnabled.self, .init(identifier: BrokerFixture.provider, isEnabled: false))
        let found = try await entries(fixture)
        #expect(found.map(\.event) == [.approval, .change, .approval, .approval])
        #expect(found.map(\.detail) == ["turned off", "order of providers", "turned on", "Allowed."])
        #expect(found.first?.provider?.identifier == BrokerFixture.provider)
    }

    /// It says that it is called `test`.
    @Test func programIsCalledByItsFileAndNotAsItSays() async throws {
        let fixture = try await fixture()
        try await fill(fixture)
        let terminal = try await fixture.client(.terminal)
        let known = try await terminal.call(ListClients.self, Nothing()).clients
        let mine = try #require(known.first { $0.role == .browser })
        let file = try #require(mine.path?.split(separator: "/").last)
        #expect(mine.name == file)
        let first = try #require(try await entries(fixture).first)
        #expect(first.client == "\(file) (\(mine.identifier.prefix(8)))")
        // What the person called it.
        let rename = ChangeClient.Parameters(identifier: mine.identifier, change: .rename("Mine"))
        _ = try await terminal.call(ChangeClient.self, rename)
        try await fill(fixture)
        #expect(try await entries(fixture).first?.client.hasPrefix("Mine (") == true)
    }

    @Test func personIsVerifiedBeforeItIsCleared() async throws {
        let fixture = try await fixture()
        try await fill(fixture)
        let check = FakeCheck.failing(.pin)
        fixture.broker.person.verifier.add(check)
        let terminal = try await fixture.client(.terminal)
        #expect(
            await failure { _ = try await terminal.call(ClearHistory.self, Nothing()) }?.code == .notVerified)
        #expect(check.subjects.withLock { $0.first?.reason } == "to clear the history")
        #expect(try await entries(fixture).contains { $0.event == .fill })
        check.set(isAvailable: false)
        fixture.broker.person.verifier.add(FakeCheck(.fingerprint))
        _ = try await terminal.call(ClearHistory.self, Nothing())
        #expect(try await entries(fixture).map(\.method) == [.fingerprint])
    }

    @Test func onlyATerminalReadsAndClears() async throws {
        let fixture = try await fixture()
        try await fill(fixture)
        let browser = try await fixture.client()
        #expect(await failure { _ = try await browser.call(ListHistory.self, .init()) }?.code == .notAllowed)
        #expect(await failure { _ = try await browser.call(ClearHistory.self, Nothing()) }?.code == .notAllowed)
        let terminal = try await fixture.client(.terminal)
        _ = try await terminal.call(ClearHistory.self, Nothing())
        #expect(try await entries(fixture).map(\.event) == [.change])
    }

    @Test func lockedSessionClosesIt() async throws {
        let fixture = try await fixture()
        try await fill(fixture)
        await fixture.broker.history.write()
        await fixture.broker.handle(.sessionLocked)
        let terminal = try await fixture.client(.terminal)
        #expect(await failure { _ = try await terminal.call(ListHistory.self, .init()) }?.code == .locked)
        await fixture.broker.handle(.sessionUnlocked)
        #expect(try await entries(fixture).contains { $0.event == .fill })
    }

    @Test func whatIsNotedLastIsWrittenWhenTheBrokerEnds() async throws {
        let fixture = try await fixture()
        fixture.broker.history.note(HistoryEntry(time: 1, event: .fill, client: "x", account: "last"))
        await fixture.broker.close()
        let again = try History(
            folder: fixture.folder.path + "/.local/state/keyway/history", clock: fixture.clock, log: EventLog { _ in },
            tell: { _ in }, key: { () async throws(ProtocolError) in ScriptedStoreKey.key(1) })
        #expect(try await again.list(.init()).entries.first?.account == "last")
    }

    @Test func noSecretReachesTheFile() async throws {
        let fixture = try await fixture()
        try await fill(fixture)
        let terminal = try await fixture.client(.terminal)
        let text = "\(try await terminal.call(ListHistory.self, .init()))"
        #expect(!text.contains("s3cret"))
    }
}
