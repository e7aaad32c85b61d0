import AutoFillProtocol
import AutoFillWire
import BrokerTestSupport
import ClockTestSupport
import Foundation
import KeywaySystem
import Synchronization
import Testing

@testable import AutoFillBroker
@testable import ProviderHosting

/// One-time codes for a page: never one that is over before the page has sent it, and first that of the account before.
@Suite(.timeLimit(.minutes(1))) struct CodeFillTests {
    private static var everything: [String: Any] { Sample.declares("ProvidesOneTimeCodes", "ProvidesPasswords") }

    private static func page(_ address: String) -> [ServiceIdentifier] { [ServiceIdentifier(address, kind: .url)] }

    private static func codes(
        _ client: Connection, _ address: String, isPrivate: Bool? = nil
    ) async throws -> [Suggestion] {
        try await client.call(
            Suggest.self, .init(services: page(address), isPrivate: isPrivate, kinds: [.oneTimeCode])
        ).suggestions
    }

    private static func code(_ user: String, at service: String, record: String) -> CredentialIdentity {
        CredentialIdentity(
            kind: .oneTimeCode, service: ServiceIdentifier(service, kind: .url), user: user, recordIdentifier: record,
            rank: 0)
    }

    // MARK: - About to end

    /// How often a provider was asked, and the clock that its codes go by.
    private final class Asked: Sendable {
        private let state = Mutex((count: 0, clock: ManualClock?.none))

        var count: Int { state.withLock { $0.count } }

        func follow(_ clock: ManualClock) { state.withLock { $0.clock = clock } }

        /// The number of one more question, and what time it is, in seconds.
        func next() -> (number: Int, now: Double) {
            state.withLock { state in
                state.count += 1
                return (state.count, Double(state.clock?.milliseconds ?? 0) / 1000)
            }
        }
    }

    /// The codes of a provider, one after the other, each with the seconds that it is still good for.
    private static func fixture(_ left: [Double?]) async throws -> (fixture: BrokerFixture, asked: Asked) {
        let asked = Asked()
        let bundles = FakeBundles { _, _ in
            let (number, now) = asked.next()
            return .oneTimeCode(try Sample.sealed("code \(number)"), validUntil: left[number - 1].map { now + $0 })
        }
        let fixture = try BrokerFixture(bundles, information: everything)
        asked.follow(fixture.clock)
        try await fixture.provide([Sample.code()])
        return (fixture, asked)
    }

    @Test(arguments: [(Role.browser, 6.0 as Double?), (.browser, nil), (.terminal, 2), (.browser, -1), (.browser, 1e9)])
    func anyOtherCodeIsGivenAtOnce(role: Role, left: Double?) async throws {
        let (fixture, asked) = try await Self.fixture([left])
        let client = try await fixture.client(role)
        let handle = try #require(try await Self.codes(client, BrokerFixture.page.identifier).first).handle
        guard case .oneTimeCode(let code, let end) = try await client.fill(handle).credential else {
            Issue.record("no code")
            return
        }
        #expect(try code.text == "code 1")
        #expect((end == nil) == (left == nil))
        #expect(asked.count == 1)
    }

    // MARK: - The account before

    private static func filled(_ fixture: BrokerFixture, _ client: Connection, _ user: String) async throws {
        let accounts = try await client.suggestions()
        _ = try await client.fill(try #require(accounts.first { $0.user == user }).handle)
    }

    private static func fixtureWithPasswords() async throws -> BrokerFixture {
        let fixture = try BrokerFixture(
            FakeBundles { request, _ in
                guard case .provideWithoutInteraction(let asked) = request else { return cancelled(0) }
                return .password(user: asked.identity.user, password: try Sample.sealed("s3cret"))
            }, information: everything)
        try await fixture.provide(
            ["ada", "bob", "eve"].flatMap { user in
                [
                    BrokerFixture.identity(user, record: "password of \(user)"),
                    code(user, at: "https://a.example", record: "code of \(user)"),
                ]
            } + [code("eve", at: "https://b.example", record: "elsewhere")])
        return fixture
    }

    @Test(arguments: ["ada", "bob", "eve"]) func theCodeOfTheAccountJustFilledComesFirst(user: String) async throws {
        let fixture = try await Self.fixtureWithPasswords()
        let client = try await fixture.client(.browser)
        try await Self.filled(fixture, client, user)
        let codes = try await Self.codes(client, "https://a.example/second-step")
        #expect(codes.first?.user == user)
        #expect(Set(codes.map(\.user)) == ["ada", "bob", "eve"])
    }

    /// Each of several codes says behind the account's name which it is.
    @Test func theSeveralCodesOfTheAccountJustFilledComeFirst() async throws {
        let fixture = try await Self.fixtureWithPasswords()
        let bob = ["bob (Work)", "bob (Home)"]
        try await fixture.provide(
            [BrokerFixture.identity("bob", record: "password of bob")]
                + (["ada", "bobby", "bob (", "eve (bob)"] + bob).map {
                    Self.code($0, at: "https://a.example", record: $0)
                })
        let client = try await fixture.client(.browser)
        try await Self.filled(fixture, client, "bob")
        let codes = try await Self.codes(client, "https://a.example/second-step")
        #expect(codes.first?.user == "bob")
        #expect(Set(codes.dropFirst().prefix(2).map(\.user)) == Set(bob))
    }

    /// Not on another site, on another connection, in a window of another kind, or long after.
    @Test func whatWasFilledOnOneSiteSaysNothingElsewhere() async throws {
        let fixture = try await Self.fixtureWithPasswords()
        let client = try await fixture.client(.browser)
        let before = try await Self.codes(client, "https://a.example/").map(\.user)
        let last = try #require(before.last)
        try await Self.filled(fixture, client, last)
        #expect(try await Self.codes(client, "https://a.example/").first?.user == last)
        #expect(try await Self.codes(client, "https://b.example/").map(\.service) == ["https://b.example"])
        #expect(try await Self.codes(try await fixture.client(.browser), "https://a.example/").map(\.user) == before)
        #expect(try await Self.codes(client, "https://a.example/", isPrivate: true).map(\.user) == before)
        fixture.clock.advance(by: .seconds(601))
        #expect(try await Self.codes(client, "https://a.example/").map(\.user) == before)
    }
}
