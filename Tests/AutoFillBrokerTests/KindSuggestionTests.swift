import AutoFillProtocol
import Foundation
import Testing

@testable import AutoFillBroker
@testable import ProviderHosting

@Suite(.timeLimit(.minutes(1))) struct KindSuggestionTests {
    private static let all = ["ProvidesPasswords", "ProvidesPasskeys", "ProvidesOneTimeCodes"]

    private func fixture(_ capabilities: [String] = all) async throws -> BrokerFixture {
        let declared = Dictionary(uniqueKeysWithValues: capabilities.map { ($0, true) })
        var information = Sample.declares()
        information["NSExtension"] = [
            "NSExtensionPointIdentifier": InfoPropertyList.extensionPoint,
            "NSExtensionAttributes": ["ASCredentialProviderExtensionCapabilities": declared],
        ]
        let fixture = try BrokerFixture(FakeBundles { _, _ in cancelled(0) }, information: information)
        try await fixture.provide([BrokerFixture.identity(), Sample.passkey(), Sample.code()])
        return fixture
    }

    private func suggest(
        _ fixture: BrokerFixture, _ kinds: [CredentialKind]?, _ page: String = "https://a.example/login"
    ) async throws -> [Suggestion] {
        try await fixture.client().call(
            Suggest.self, .init(services: [ServiceIdentifier(page, kind: .url)], kinds: kinds)
        ).suggestions
    }

    @Test(
        arguments: [
            (nil, [.password]), ([.passkey], [.passkey]), ([.oneTimeCode], [.oneTimeCode]), ([], []),
            ([.passkey, .oneTimeCode, .password], [.oneTimeCode, .password, .passkey]),
        ] as [([CredentialKind]?, Set<CredentialKind>)])
    func onlyTheKindsThatAreWantedAreSuggested(kinds: [CredentialKind]?, expected: Set<CredentialKind>) async throws {
        let kept = try await fixture()
        #expect(Set(try await suggest(kept, kinds).map(\.kind)) == expected)
    }

    @Test(
        arguments: [
            (["ProvidesPasswords"], [.password]), (["ProvidesPasskeys"], [.passkey]),
            (["ProvidesOneTimeCodes"], [.oneTimeCode]), ([], []),
        ] as [([String], Set<CredentialKind>)])
    func kindsThatAProviderDoesNotDeclareAreNeverSuggested(
        declared: [String], expected: Set<CredentialKind>
    ) async throws {
        let kept = try await fixture(declared)
        let suggestions = try await suggest(kept, CredentialKind.allCases)
        #expect(Set(suggestions.map(\.kind)) == expected)
    }

    /// WebAuthn Level 3, section 5.1.2: the page's host, or a registrable suffix of it.
    @Test(arguments: [
        ("example.co.uk", "https://example.co.uk", true), ("example.co.uk", "https://m.example.co.uk/x", true),
        ("m.example.co.uk", "https://m.example.co.uk", true), ("m.example.co.uk", "https://a.m.example.co.uk", true),
        ("m.example.co.uk", "https://example.co.uk", false), ("n.example.co.uk", "https://m.example.co.uk", false),
        ("co.uk", "https://example.co.uk", false), ("example.co.uk", "https://badexample.co.uk", false),
        ("example.co.uk", "http://example.co.uk", false), ("example.co.uk", "https://example.co.uk.", false),
        ("example.co.uk", "https://example.co.uk:8443", true), ("localhost", "http://localhost:8080", true),
        ("127.0.0.1", "https://127.0.0.1", false), ("github.io", "https://ada.github.io", false),
    ])
    func passkeyIsSuggestedWhereItsRelyingPartyIs(party: String, page: String, expected: Bool) async throws {
        let fixture = try await fixture()
        try await fixture.write(.save, [Sample.passkey(party, "eve", id: Data([5]))])
        #expect(try await suggest(fixture, [.passkey], page).contains { $0.user == "eve" } == expected)
    }

    @Test(arguments: [
        // Who has both is offered the passkey first, also where the password fits better.
        (["ada"], ["passkey ada", "password ada", "password eve"]),
        (["eve"], ["password ada", "passkey eve", "password eve"]),
        (["ada", "eve"], ["passkey ada", "password ada", "passkey eve", "password eve"]),
        (["bob"], ["password ada", "password eve", "passkey bob"]),
        ([""], ["password ada", "password eve", "passkey "]),
    ])
    func anAccountsPasskeyIsOfferedAboveItsPassword(users: [String], expected: [String]) async throws {
        let fixture = try await fixture()
        let passwords = [BrokerFixture.identity("ada", rank: 2), BrokerFixture.identity("eve", record: "r2", rank: 1)]
        let passkeys = users.enumerated().map { Sample.passkey("a.example", $1, id: Data([UInt8($0)])) }
        try await fixture.write(.replace, passwords + passkeys)
        let suggestions = try await suggest(fixture, [.password, .passkey])
        #expect(suggestions.map { "\($0.kind.rawValue) \($0.user)" } == expected)
    }

    @Test func passkeyOfTheHostComesBeforeThatOfItsSite() async throws {
        let fixture = try await fixture()
        try await fixture.write(
            .replace,
            [
                Sample.passkey("example.com", "site", id: Data([1])),
                Sample.passkey("m.example.com", "host", id: Data([2])),
            ])
        let suggestions = try await suggest(fixture, [.passkey], "https://m.example.com")
        #expect(suggestions.map(\.user) == ["host", "site"])
        #expect(suggestions.map(\.match) == [.host, .site])
    }

    @Test func severalPasskeysOfOneAccountAreAllSuggestedOnce() async throws {
        let fixture = try await fixture()
        try await fixture.write(.replace, [Sample.passkey(id: Data([1])), Sample.passkey(id: Data([1, 2]))])
        #expect(try await suggest(fixture, [.passkey]).count == 2)
    }

    @Test func codeOfTheHostComesBeforeThatOfTheSite() async throws {
        let fixture = try await fixture()
        try await fixture.write(
            .replace, [Sample.code("site", at: "https://b.a.example"), Sample.code("host", at: "https://a.example")])
        let suggestions = try await suggest(fixture, [.oneTimeCode])
        #expect(suggestions.map(\.user) == ["host", "site"])
    }
}
