import AutoFillProtocol
import AutoFillWire
import BrokerTestSupport
import Testing

@testable import AutoFillBroker
@testable import IdentityIndex

/// Sign-in by HTTP itself: an account of another area, and one that is for forms, is not suggested.
@Suite(.timeLimit(.minutes(1))) struct RealmTests {
    private static let page = "https://a.example/login"

    private static func identity(
        _ user: String, realm: String? = nil, use: CredentialUse? = nil
    ) -> CredentialIdentity {
        CredentialIdentity(
            kind: .password, service: ServiceIdentifier(page, kind: .url, realm: realm), user: user,
            recordIdentifier: user, use: use)
    }

    private func fixture() async throws -> BrokerFixture {
        let fixture = try BrokerFixture(FakeBundles { _, _ in cancelled(0) })
        try await fixture.provide([
            Self.identity("anywhere"), Self.identity("forms", use: .forms), Self.identity("staff", realm: "Staff"),
            Self.identity("guests", realm: "Guests"), Self.identity("server", realm: ""),
        ])
        return fixture
    }

    @Test(
        arguments: [
            (nil, ["anywhere", "forms"]), ("Staff", ["anywhere", "server", "staff"]),
            ("Guests", ["anywhere", "guests", "server"]), ("staff", ["anywhere", "server"]),
            ("", ["anywhere", "server"]),
        ] as [(String?, [String])])
    func anotherRealmIsAnotherAccount(realm: String?, expected: [String]) async throws {
        let kept = try await fixture()
        defer { withExtendedLifetime(kept) {} }
        let client = try await kept.client()
        let answer = try await client.call(
            Suggest.self, .init(services: [ServiceIdentifier(Self.page, kind: .url, realm: realm)]))
        #expect(answer.suggestions.map(\.user).sorted() == expected)
        #expect(answer.more == 0)
    }

    @Test func aSuggestionForARealmIsGoodForNoOther() async throws {
        let kept = try await fixture()
        defer { withExtendedLifetime(kept) {} }
        let client = try await kept.client()
        let staff = ServiceIdentifier(Self.page, kind: .url, realm: "Staff")
        let answer = try await client.call(Suggest.self, .init(services: [staff]))
        let handle = try #require(answer.suggestions.first).handle
        for realm in [nil, "Guests"] {
            let service = ServiceIdentifier(Self.page, kind: .url, realm: realm)
            let refusal = await failure {
                _ = try await client.call(
                    Fill.self, .init(target: .suggestion(handle: handle), services: [service], presents: false))
            }
            #expect(refusal?.code == .refused)
        }
    }

    @Test(arguments: [
        Self.identity("both", realm: "Staff", use: .forms), Self.identity("none", use: .http),
        Self.identity("long", realm: String(repeating: "x", count: 1025)),
        CredentialIdentity(
            kind: .oneTimeCode, service: ServiceIdentifier(page, kind: .url), user: "code", recordIdentifier: nil,
            use: .forms),
    ])
    func onlyAPasswordForHTTPHasARealm(identity: CredentialIdentity) async throws {
        let fixture = try BrokerFixture(FakeBundles { _, _ in cancelled(0) })
        #expect(await failure { try await fixture.provide([identity]) }?.code == .invalidParameters)
    }

    @Test(arguments: [(.oneTimeCode, 0), (.oneTimeCode, 86_401), (.password, 30)] as [(CredentialKind, Int)])
    func onlyACodeHasAPeriodOfADayAtMost(kind: CredentialKind, period: Int) async throws {
        let fixture = try BrokerFixture(FakeBundles { _, _ in cancelled(0) })
        let identity = CredentialIdentity(
            kind: kind, service: ServiceIdentifier(Self.page, kind: .url), user: "ada", recordIdentifier: nil,
            period: period)
        #expect(await failure { try await fixture.provide([identity]) }?.code == .invalidParameters)
    }

    @Test(arguments: [
        Self.identity("a"), Self.identity("b", use: .forms),
        Self.identity("d", realm: "Staff"), Self.identity("e", realm: ""),
    ])
    func whatAnIdentityIsForIsKept(identity: CredentialIdentity) throws {
        let bytes = IdentityRecord(identity, used: 7).encoded()
        let read = bytes.withUnsafeBytes { IdentityRecord(decoding: $0) }
        #expect(read?.identity == identity)
        var both = bytes
        both[3] |= 12
        #expect(both.withUnsafeBytes { IdentityRecord(decoding: $0) } == nil)
    }
}
