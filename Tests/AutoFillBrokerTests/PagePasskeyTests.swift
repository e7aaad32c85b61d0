import AutoFillProtocol
import AutoFillWire
import BrokerTestSupport
import Foundation
import KeywaySystem
import Synchronization
import Testing

@testable import AutoFillBroker

/// What pages may do with passkeys.
@Suite(.timeLimit(.minutes(5))) struct PagePasskeyTests {
    private static var declared: [String: Any] { Sample.declares("ProvidesPasskeys", "SupportsCredentialUpdate") }
    private static let other = Data([5, 6])

    /// A browser in front of a provider that signs and makes whatever is asked; the person answers in the sheets.
    private static func browser(
        _ identities: [CredentialIdentity] = [Sample.passkey()], answer: AskPerson.Answer? = .chosen(0),
        declares: [String: Any] = declared, related: (any RelatedOriginSource)? = nil
    ) async throws -> (fixture: BrokerFixture, client: Connection, sheets: FakeSheets, asked: Script) {
        let sheets = FakeSheets(answer: answer)
        let script = Script()
        let fixture = try BrokerFixture(
            FakeBundles { request, _ in script.answer(request) }, information: declares, sheets: sheets)
        if let related { fixture.broker.relatedOrigins.use(related) }
        try await fixture.provide(identities)
        return (fixture, try await fixture.client(.browser), sheets, script)
    }

    /// What the provider was asked.
    private final class Script: Sendable {
        let requests = Mutex<[PerformRequest.Request]>([])

        func answer(_ request: PerformRequest.Request) -> PerformRequest.Result {
            requests.withLock { $0.append(request) }
            switch request {
            case .provideWithoutInteraction(let asked), .provideWithInteraction(let asked):
                return Sample.signature(
                    asked.identity.service.identifier, id: asked.identity.passkey?.credentialID ?? Data())
            case .registerPasskey(let asked), .registerPasskeyWithoutInteraction(let asked):
                return Sample.made(asked.relyingParty)
            default: return .reported
            }
        }

        var count: Int { requests.withLock { $0.count } }
    }

    private static func page(_ url: String) -> ServiceIdentifier { ServiceIdentifier(url, kind: .url) }

    private static func get(
        _ client: Connection, _ asked: PasskeyRequestParameters = Sample.asked(),
        on url: String = "https://a.example/login"
    ) async throws -> PasskeyAssertionCredential? {
        let result = try await client.call(
            Fill.self, .init(target: .passkey, services: [page(url)], presents: false, passkey: asked))
        if case .passkey(let credential) = result.credential { return credential }
        return nil
    }

    private static func create(
        _ client: Connection, _ asked: PasskeyRegistration = Sample.registration(),
        on url: String? = "https://a.example/account"
    ) async throws -> RegisterPasskey.Result {
        try await client.call(
            RegisterPasskey.self,
            .init(
                registration: asked, provider: nil, isConditional: false, presents: false,
                services: url.map { [page($0)] }))
    }

    // MARK: - Signing in

    @Test func nobodyIsAskedWhereNobodyHasThePasskey() async throws {
        let stage = try await Self.browser([Sample.passkey(), Sample.passkey("b.example", id: Self.other)])
        for asked in [Sample.asked(allowed: [Data([99])]), Sample.asked("a.example", allowed: [Self.other])] {
            #expect(await failure { _ = try await Self.get(stage.client, asked) }?.code == .elsewhere)
        }
        #expect(stage.sheets.questions.isEmpty)
        #expect(stage.asked.count == 0)
    }

    @Test func thePersonChoosesBeforeAnythingIsSigned() async throws {
        let eve = Sample.passkey("a.example", "eve", id: Self.other)
        let stage = try await Self.browser([Sample.passkey(), eve], answer: .chosen(1))
        let credential = try await Self.get(stage.client)
        #expect(credential?.credentialID == Self.other)
        guard case .passkey(let question) = stage.sheets.questions.first else {
            Issue.record("no question")
            return
        }
        #expect(question.choices.map(\.account) == ["ada", "eve"])
        #expect(question.service == "a.example")
        #expect(question.relyingParty == nil)
        #expect(question.purpose == .signIn)
    }

    @Test func onlyPasskeysThatTheSiteTakesAreOffered() async throws {
        let eve = Sample.passkey("a.example", "eve", id: Self.other)
        let stage = try await Self.browser([Sample.passkey(), eve])
        let credential = try await Self.get(stage.client, Sample.asked(allowed: [Self.other]))
        #expect(credential?.credentialID == Self.other)
        guard case .passkey(let question) = stage.sheets.questions.first else {
            Issue.record("no question")
            return
        }
        #expect(question.choices.map(\.account) == ["eve"])
    }

    @Test(arguments: [
        (AskPerson.Answer.elsewhere, ProtocolError.Code.elsewhere), (.refused, .cancelled), (.cancelled, .cancelled),
        (.chosen(7), .cancelled), (.chosen(-1), .cancelled), (.allowed, .cancelled),
    ])
    func whatThePersonDoesNotChooseIsNotSigned(answer: AskPerson.Answer, expected: ProtocolError.Code) async throws {
        let stage = try await Self.browser(answer: answer)
        #expect(await failure { _ = try await Self.get(stage.client) }?.code == expected)
        #expect(await failure { _ = try await Self.create(stage.client) }?.code == expected)
        #expect(stage.asked.count == 0)
    }

    /// A window with a thousand rows is none; what it does not show is not chosen.
    @Test func fiftyAreShownAndNoOtherIsChosen() async throws {
        let many = (0..<60).map { Sample.passkey("a.example", "user\($0)", id: Data([1, UInt8($0)])) }
        let stage = try await Self.browser(many, answer: .chosen(50))
        #expect(await failure { _ = try await Self.get(stage.client) }?.code == .cancelled)
        guard case .passkey(let question) = stage.sheets.questions.first else {
            Issue.record("no question")
            return
        }
        #expect(question.choices.count == 50)
        #expect(stage.asked.count == 0)
    }

    @Test func withoutAChallengeNothingIsSigned() async throws {
        let stage = try await Self.browser()
        let error = await failure {
            _ = try await stage.client.call(
                Fill.self, .init(target: .passkey, services: [BrokerFixture.page], presents: false))
        }
        #expect(error?.code == .invalidParameters)
        #expect(stage.sheets.questions.isEmpty)
    }

    @Test func withoutADesktopTheBrowserIsLeftToItself() async throws {
        let fixture = try BrokerFixture(FakeBundles { _, _ in Sample.signature() }, information: Self.declared)
        try await fixture.provide([Sample.passkey()])
        let client = try await fixture.client(.browser)
        #expect(await failure { _ = try await Self.get(client) }?.code == .elsewhere)
        #expect(await failure { _ = try await Self.create(client) }?.code == .elsewhere)
        #expect(fixture.bundles.started(.providerExtension).isEmpty)
    }

    // MARK: - Which relying party a page may use

    @Test(arguments: [
        ("https://a.example/", "a.example", true), ("https://login.a.example/", "a.example", true),
        ("https://a.example:8443/", "a.example", true), ("https://a.example/", "login.a.example", false),
        ("https://b.example/", "a.example", false), ("https://xa.example/", "a.example", false),
        ("https://a.example.evil.test/", "a.example", false), ("http://a.example/", "a.example", false),
        ("https://a.example./", "a.example", false), ("https://192.0.2.1/", "a.example", false),
        ("http://localhost:8080/", "localhost", true), ("https://localhost/", "localhost", true),
        ("http://x.localhost/", "localhost", true), ("http://127.0.0.1/", "localhost", false),
        ("https://a.example@evil.test/", "a.example", false), ("https://evil.test\\@a.example/", "a.example", false),
    ])
    func aPageUsesThePasskeysOfItsOwnDomain(url: String, party: String, isCovered: Bool) async throws {
        let stage = try await Self.browser([Sample.passkey(party)])
        let asked = Sample.asked(party)
        let filter = PasskeyFilter(relyingParty: party)
        let suggest = Suggest.Parameters(
            services: [Self.page(url)], kinds: [.password, .passkey], passkeys: filter)
        let report = ReportCredential.Parameters(
            report: .passkeyUnknown(relyingParty: party, credentialID: Data([1])), services: [Self.page(url)])
        let errors = [
            await failure { _ = try await Self.get(stage.client, asked, on: url) },
            await failure { _ = try await Self.create(stage.client, Sample.registration(party), on: url) },
            await failure { _ = try await stage.client.call(Suggest.self, suggest) },
            await failure { _ = try await stage.client.call(ReportCredential.self, report) },
        ]
        if isCovered {
            #expect(errors.allSatisfy { $0 == nil })
        } else {
            #expect(errors.allSatisfy { [.refused, .invalidParameters].contains($0?.code) })
            #expect(stage.asked.count == 0)
            #expect(stage.sheets.questions.isEmpty)
        }
    }

    @Test(arguments: [
        "com", "co.uk", "github.io", "example", "192.0.2.1", "[::1]", "A.example", "a.example.", "", "ä.de",
    ])
    func whatNobodyOwnsIsNoRelyingParty(party: String) async throws {
        let stage = try await Self.browser()
        let url = "https://login.\(party)/"
        #expect(
            [.invalidParameters, .refused].contains(
                await failure { _ = try await Self.get(stage.client, Sample.asked(party), on: url) }?.code))
        #expect(
            await failure { _ = try await Self.create(stage.client, Sample.registration(party), on: url) }?.code
                == .invalidParameters)
        #expect(stage.sheets.questions.isEmpty)
    }

    @Test func aBrowserThatDoesNotSayWhichPageAsksGetsNothing() async throws {
        let stage = try await Self.browser()
        #expect(await failure { _ = try await Self.create(stage.client, on: nil) }?.code == .invalidParameters)
        let domain = RegisterPasskey.Parameters(
            registration: Sample.registration(), provider: nil, isConditional: false, presents: false,
            services: [ServiceIdentifier("a.example", kind: .domain)])
        #expect(
            await failure { _ = try await stage.client.call(RegisterPasskey.self, domain) }?.code == .invalidParameters)
        let report = ReportCredential.Parameters(
            report: .passkeyUnknown(relyingParty: "a.example", credentialID: Data([1])))
        #expect(
            await failure { _ = try await stage.client.call(ReportCredential.self, report) }?.code == .invalidParameters
        )
        let password = ReportCredential.Parameters(
            report: .passwordUnused(domain: "a.example", userName: "ada"), services: [BrokerFixture.page])
        #expect(await failure { _ = try await stage.client.call(ReportCredential.self, password) }?.code == .notAllowed)
    }

    // MARK: - Making one

    @Test func thePersonChoosesWhoKeepsIt() async throws {
        let stage = try await Self.browser([])
        let result = try await Self.create(stage.client)
        #expect(result.provider.identifier == BrokerFixture.provider)
        guard case .passkey(let question) = stage.sheets.questions.first else {
            Issue.record("no question")
            return
        }
        #expect(question.purpose == .creation)
        #expect(question.choices.map(\.provider.identifier) == [BrokerFixture.provider])
        #expect(question.choices.map(\.account) == ["ada"])
    }

    @Test func whereNobodyKeepsPasskeysNobodyIsAsked() async throws {
        let stage = try await Self.browser([], declares: Sample.declares("ProvidesPasswords"))
        #expect(await failure { _ = try await Self.create(stage.client) }?.code == .elsewhere)
        #expect(stage.sheets.questions.isEmpty)
        let support = try await stage.client.call(PasskeySupport.self, Nothing())
        #expect(support == .init(isAvailable: false, canVerify: false, makesInBackground: false))
    }

    // MARK: - A second provider, without passkeys

    /// A browser in front of two providers: the first in the person's order keeps passwords alone, and names passkeys
    /// all the same; the second keeps passkeys.
    private static func beside(
        _ identities: [CredentialIdentity]
    ) async throws -> (fixture: BrokerFixture, client: Connection, sheets: FakeSheets, asked: Script) {
        let stage = try await browser(identities)
        try TestBundle.install(in: stage.fixture.folder, Sample.declares("ProvidesPasswords"), name: "other")
        let terminal = try await stage.fixture.client(.terminal)
        _ = try await terminal.call(SetProviderEnabled.self, .init(identifier: "test.other", isEnabled: true))
        _ = try await terminal.call(OrderProviders.self, .init(identifiers: ["test.other", BrokerFixture.provider]))
        terminal.close()
        let now = stage.fixture.clock.now
        _ = try await stage.fixture.broker.stores.use("test.other") { [fixture = stage.fixture] in
            try await $0.writer.write(
                .init(operation: .save, identities: [Sample.passkey("a.example", "eve", id: other)]),
                owner: ObjectIdentifier(fixture), now: now)
        }
        return stage
    }

    /// The programs of providers that were started.
    private static func started(_ fixture: BrokerFixture) -> [String] {
        fixture.bundles.started(.providerExtension).map(\.program.path)
    }

    @Test func whoKeepsNoPasskeysIsNotAskedToMakeOne() async throws {
        let stage = try await Self.beside([])
        let result = try await Self.create(stage.client)
        #expect(result.provider.identifier == BrokerFixture.provider)
        guard case .passkey(let question) = stage.sheets.questions.first else {
            Issue.record("no question")
            return
        }
        #expect(question.choices.map(\.provider.identifier) == [BrokerFixture.provider])
        let named = RegisterPasskey.Parameters(
            registration: Sample.registration(), provider: "test.other", isConditional: false, presents: false,
            services: [BrokerFixture.page])
        #expect(await failure { _ = try await stage.client.call(RegisterPasskey.self, named) }?.code != nil)
        #expect(stage.asked.count == 1)
    }

    @Test func whoKeepsNoPasskeysIsNotAskedToSign() async throws {
        let stage = try await Self.beside([Sample.passkey()])
        let credential = try await Self.get(stage.client)
        #expect(credential?.credentialID == Sample.credentialID)
        guard case .passkey(let question) = stage.sheets.questions.first else {
            Issue.record("no question")
            return
        }
        #expect(question.choices.map(\.provider.identifier) == [BrokerFixture.provider])
        #expect(Self.started(stage.fixture).allSatisfy { $0.contains("/vault.appex/") })
    }

    @Test func whoKeepsNoPasskeysHasNoListOfThem() async throws {
        let stage = try await Self.beside([Sample.passkey()])
        let result = try await stage.client.call(
            Suggest.self,
            .init(
                services: [BrokerFixture.page], kinds: [.password, .passkey],
                passkeys: PasskeyFilter(relyingParty: "a.example")))
        #expect(result.suggestions.map(\.provider.identifier) == [BrokerFixture.provider])
        let lists = Dictionary(
            (result.lists ?? []).map { ($0.provider.identifier, $0.kinds) }, uniquingKeysWith: { first, _ in first })
        #expect(lists == [BrokerFixture.provider: [.passkey], "test.other": [.password]])
    }

    @Test func whoKeepsNoPasskeysHearsNoReports() async throws {
        let stage = try await Self.beside([Sample.passkey()])
        let report = ReportCredential.Parameters(
            report: .passkeyUnknown(relyingParty: "a.example", credentialID: Sample.credentialID),
            services: [BrokerFixture.page])
        _ = try await stage.client.call(ReportCredential.self, report)
        #expect(Self.started(stage.fixture).allSatisfy { $0.contains("/vault.appex/") })
    }

    // MARK: - Suggestions

    @Test func aPageThatWaitsForAPasskeyIsToldOfThoseItTakes() async throws {
        let eve = Sample.passkey("a.example", "eve", id: Self.other)
        let stage = try await Self.browser([Sample.passkey(), eve])
        let result = try await stage.client.call(
            Suggest.self,
            .init(
                services: [BrokerFixture.page], kinds: [.password, .passkey],
                passkeys: PasskeyFilter(relyingParty: "a.example", allowedCredentials: [Self.other])))
        #expect(result.suggestions.map(\.user) == ["eve"])
        #expect(result.lists?.map(\.isSilent) == [false])
        let handle = try #require(result.suggestions.first?.handle)
        let filled = try await stage.client.call(
            Fill.self,
            .init(
                target: .suggestion(handle: handle), services: [BrokerFixture.page], presents: false,
                passkey: Sample.asked(allowed: [Self.other])))
        guard case .passkey(let credential) = filled.credential else {
            Issue.record("no passkey")
            return
        }
        #expect(credential.credentialID == Self.other)
        #expect(stage.sheets.questions.isEmpty)
    }

    @Test func aProviderThatNamedNothingIsSilent() async throws {
        let stage = try await Self.browser([])
        let result = try await stage.client.call(
            Suggest.self,
            .init(
                services: [BrokerFixture.page], kinds: [.passkey],
                passkeys: PasskeyFilter(relyingParty: "a.example")))
        #expect(result.lists?.map(\.isSilent) == [true])
        #expect(result.lists?.map(\.kinds) == [[.passkey]])
    }
}
