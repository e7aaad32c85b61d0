import AutoFillProtocol
import AutoFillWire
import BrokerTestSupport
import Foundation
import KeywaySystem
import Testing

@testable import AutoFillBroker
@testable import IdentityIndex

@Suite(.timeLimit(.minutes(5))) struct SuggestTests {
    private let fixture: BrokerFixture

    init() throws {
        fixture = try BrokerFixture(FakeBundles { _, _ in try password() })
    }

    private func suggest(
        _ services: [ServiceIdentifier], limit: Int? = nil, role: Role = .terminal
    ) async throws -> Suggest.Result {
        try await fixture.client(role).call(Suggest.self, .init(services: services, limit: limit))
    }

    @Test func bestMatchesComeFirst() async throws {
        try await fixture.provide([
            BrokerFixture.identity("site", at: "www.a.example", record: "1", rank: 99),
            BrokerFixture.identity("host", at: "https://a.example:8443", record: "2", rank: 50),
            BrokerFixture.identity("origin", at: "https://a.example", record: "3"),
            BrokerFixture.identity("stranger", at: "https://b.example", record: "4", rank: 100),
        ])
        let result = try await suggest([BrokerFixture.page])
        #expect(result.suggestions.map(\.user) == ["origin", "host", "site"])
        #expect(result.suggestions.map(\.match) == [.origin, .host, .site])
        #expect(result.more == 0)
    }

    @Test func laterServicesComeLaterAndNothingTwice() async throws {
        try await fixture.provide([
            BrokerFixture.identity("m", at: "m.example.com", record: "1"),
            BrokerFixture.identity("plain", at: "example.com", record: "2"),
            BrokerFixture.identity("old", at: "http://example.com", record: "3"),
        ])
        let services = ["m.example.com", "example.com"].map { ServiceIdentifier($0, kind: .domain) }
        let result = try await suggest([ServiceIdentifier("https://m.example.com/x", kind: .url)] + services)
        #expect(result.suggestions.map(\.user) == ["m", "plain", "old"])
        #expect(result.suggestions.map(\.match) == [.origin, .site, .host])
        #expect(result.more == 0)
    }

    @Test func accountWithSeveralAddressesIsOfferedOnce() async throws {
        try await fixture.provide([
            BrokerFixture.identity(at: "https://a.example"), BrokerFixture.identity(at: "a.example"),
            BrokerFixture.identity(at: "www.a.example"), BrokerFixture.identity("bob", record: "r2"),
        ])
        let result = try await suggest([BrokerFixture.page])
        #expect(result.suggestions.map(\.user) == ["ada", "bob"])
        #expect(result.more == 0)
    }

    @Test func limitIsKeptAndTheRestCounted() async throws {
        try await fixture.provide((0..<80).map { BrokerFixture.identity("user\($0)", record: "\($0)") })
        let byDefault = try await suggest([BrokerFixture.page])
        #expect(byDefault.suggestions.count == 50)
        #expect(byDefault.more == 30)
        let three = try await suggest([BrokerFixture.page], limit: 3)
        #expect(three.suggestions.count == 3)
        #expect(three.more == 77)
        #expect(try await suggest([BrokerFixture.page], limit: 0).more == 80)
    }

    @Test(arguments: [(Role.terminal, "r1" as String?), (.browser, nil)])
    func recordsAreNamedToTerminalsOnly(role: Role, record: String?) async throws {
        try await fixture.provide([BrokerFixture.identity()])
        #expect(try await suggest([BrokerFixture.page], role: role).suggestions.map(\.record) == [record])
    }

    @Test(arguments: [-1, 1001])
    func oddLimitsAreRefused(limit: Int) async {
        #expect(await failure { _ = try await suggest([BrokerFixture.page], limit: limit) }?.code == .invalidParameters)
    }

    @Test func handlesMeanNothingOnAnotherConnectionOrForOtherServices() async throws {
        try await fixture.provide([BrokerFixture.identity()])
        let one = try await fixture.client()
        let handle = try #require(await one.suggestions().first).handle
        #expect(handle.count >= 22)
        let other = try await fixture.client()
        #expect(await failure { _ = try await other.fill(handle) }?.code == .notFound)
        let elsewhere = Fill.Parameters(
            target: .suggestion(handle: handle), services: [ServiceIdentifier("https://b.example", kind: .url)],
            presents: false)
        #expect(await failure { _ = try await one.call(Fill.self, elsewhere) }?.code == .refused)
    }

    @Test(arguments: [1, 3, 50])
    func newestHandlesAreKept(each: Int) {
        let handles = SuggestionHandles()
        let offers = (0..<each).map { SuggestionHandles.Offer(provider: "p\($0)", identity: BrokerFixture.identity()) }
        let limits = SuggestionHandles.Limits(connections: 1)
        let all = (0..<5000).flatMap { _ in handles.add(offers, for: [BrokerFixture.page], limits: limits) }
        #expect(Set(all).count == all.count)
        #expect(handles.count == min(limits.answers, limits.handles / each) * each)
        #expect(handles.offer(all[0]) == nil)
        for (index, handle) in all.enumerated().suffix(handles.count) {
            #expect(handles.offer(handle)?.offer == offers[index % each])
        }
    }

    @Test func anAnswerLargerThanTheLimitIsKeptWhileItIsTheNewest() {
        let handles = SuggestionHandles()
        let offers = (0..<100).map { SuggestionHandles.Offer(provider: "p\($0)", identity: BrokerFixture.identity()) }
        let limits = SuggestionHandles.Limits(connections: 100_000)
        let first = handles.add(offers, for: [], limits: limits)
        #expect(first.allSatisfy { handles.offer($0) != nil })
        _ = handles.add(offers, for: [], limits: limits)
        #expect(first.allSatisfy { handles.offer($0) == nil })
    }

    @Test(arguments: ["", ".", "x", "x.0", ".0"])
    func inventedHandlesMeanNothing(handle: String) {
        let handles = SuggestionHandles()
        let real = handles.add(
            [.init(provider: "p", identity: BrokerFixture.identity())], for: [], limits: .init(connections: 1))
        #expect(handles.offer(handle) == nil)
        for ending in ["", ".", ".1", ".-1", ".99999999999999999999"] {
            #expect(handles.offer(String(real[0].dropLast(2)) + ending) == nil)
        }
    }

    @Test func useIsRememberedButNotInPrivate() async throws {
        try await fixture.provide(["ada", "bob", "eve"].map { BrokerFixture.identity($0, record: $0) })
        let client = try await fixture.client()
        func fill(_ user: String, isPrivate: Bool) async throws {
            let suggestion = try #require(await client.suggestions().first { $0.user == user })
            _ = try await client.fill(suggestion.handle, isPrivate: isPrivate)
        }
        try await fill("eve", isPrivate: false)
        try await eventually { try await client.suggestions().first?.user == "eve" }
        try await fill("bob", isPrivate: true)
        try await fill("ada", isPrivate: false)
        try await eventually { try await client.suggestions().first?.user == "ada" }
        #expect(try await client.suggestions().map(\.user) == ["ada", "eve", "bob"])
    }

    @Test func startsNoProcess() async throws {
        try await fixture.provide([BrokerFixture.identity()])
        _ = try await suggest([BrokerFixture.page])
        #expect(fixture.bundles.started.isEmpty)
    }

    @Test func providersMixByFitThenRank() async throws {
        try TestBundle.install(in: fixture.folder, name: "other")
        try await fixture.provide([BrokerFixture.identity("low", rank: 1), BrokerFixture.identity("high", rank: 3)])
        let terminal = try await fixture.client(.terminal)
        _ = try await terminal.call(SetProviderEnabled.self, .init(identifier: "test.other", isEnabled: true))
        let now = fixture.clock.now
        _ = try await fixture.broker.stores.use("test.other") { [fixture] in
            try await $0.writer.write(
                .init(operation: .save, identities: [BrokerFixture.identity("middle", rank: 2)]),
                owner: ObjectIdentifier(fixture), now: now)
        }
        let result = try await suggest([BrokerFixture.page])
        #expect(result.suggestions.map(\.user) == ["high", "middle", "low"])
        #expect(result.providers.map(\.identifier) == ["test.vault", "test.other"])
    }
}
