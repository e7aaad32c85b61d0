import AutoFillProtocol
import AutoFillWire
import BrokerTestSupport
import Foundation
import KeywayCrypto
import KeywaySystem
import Synchronization
import Testing

@testable import AutoFillBroker

/// What apps get, and what the person is asked before.
@Suite(.timeLimit(.minutes(5))) struct AppRequestTests {
    /// What sites say of their apps, and how often they were asked.
    private final class Sites: AppSiteSource {
        let asked = Mutex<[String]>([])
        private let apps: [String: [String]]

        init(_ apps: [String: [String]]) {
            self.apps = apps
        }

        func apps(of domain: String) async throws(ProtocolError) -> [String] {
            asked.withLock { $0.append(domain) }
            guard let apps = apps[domain] else { throw ProtocolError(.notFound, "none") }
            return apps
        }
    }

    /// What the provider was asked; it signs and makes whatever is asked.
    private final class Script: Sendable {
        let requests = Mutex<[PerformRequest.Request]>([])
        private let secret: SecretFile

        init() throws {
            secret = SecretFile(try SealedMemory(copying: UnsafeRawBufferPointer(start: nil, count: 0)))
        }

        func answer(_ request: PerformRequest.Request) -> PerformRequest.Result {
            requests.withLock { $0.append(request) }
            switch request {
            case .provideWithoutInteraction(let asked), .provideWithInteraction(let asked):
                guard let assertion = asked.assertion else {
                    return .password(user: asked.identity.user, password: secret)
                }
                return Sample.signature(
                    asked.identity.service.identifier, hash: assertion.clientDataHash,
                    id: asked.identity.passkey?.credentialID ?? Data())
            case .list: return .password(user: "ada", password: secret)
            case .registerPasskey(let asked), .registerPasskeyWithoutInteraction(let asked):
                return Sample.made(asked.relyingParty, hash: asked.clientDataHash)
            case .savePassword, .savePasswordWithoutInteraction: return .saved
            default: return .reported
            }
        }

        var count: Int { requests.withLock { $0.count } }
        var last: PerformRequest.Request? { requests.withLock { $0.last } }
    }

    private struct Stage {
        let fixture: BrokerFixture
        let app: Connection
        let sheets: FakeSheets
        let script: Script
        let sites: Sites

        func ask(
            _ requests: [AuthorizeApplication.Wanted], domains: [String] = [], onlyImmediate: Bool = false,
            methods: [String] = []
        ) async throws -> AuthorizeApplication.Result {
            try await app.call(
                AuthorizeApplication.self,
                .init(requests: requests, domains: domains, onlyImmediate: onlyImmediate, methods: methods))
        }

        /// The kinds of questions, in their order.
        var kinds: [String] {
            sheets.questions.map { question in
                switch question {
                case .application: "application"
                case .account: "account"
                case .newAccount: "newAccount"
                default: "other"
                }
            }
        }

        var choices: [AskPerson.AccountChoice.Choice] {
            for case .account(let question) in sheets.questions { return question.choices }
            return []
        }
    }

    private static let program = "program:/usr/bin/example"
    private static var declared: [String: Any] { Sample.declares(Sample.keeps) }

    /// An app that is called `program`, in front of sheets whose person allows and chooses `choice`.
    private static func stage(
        _ identities: [CredentialIdentity] = [Sample.passkey(), BrokerFixture.identity()],
        names: [String] = [program], sites: [String: [String]] = ["a.example": [program]], choice: Int = 0,
        allows: Bool = true, declares: [String: Any] = declared
    ) async throws -> Stage {
        let script = try Script()
        let sheets = FakeSheets(reply: { question in
            switch question {
            case .application: allows ? .allowed : .refused
            case .newAccount: .named(" ada\u{202E}@a.example ")
            default: .chosen(choice)
            }
        })
        let fixture = try BrokerFixture(
            FakeBundles { request, _ in script.answer(request) }, information: declares, sheets: sheets)
        let documents = Sites(sites)
        fixture.broker.appSites.use(documents)
        fixture.broker.appSites.identify { _, _ in
            AppIdentity(name: "Example", path: "/usr/bin/example", names: names)
        }
        try await fixture.provide(identities)
        let app = try await fixture.client(.application)
        return Stage(fixture: fixture, app: app, sheets: sheets, script: script, sites: documents)
    }

    private static let challenge = Data([0xFB, 0xEF, 0xFF, 1])

    private static func signIn(_ party: String = "a.example", allowed: [Data] = []) -> AuthorizeApplication.Wanted {
        .assertion(
            ApplicationAssertion(
                relyingParty: party, challenge: challenge, userVerification: .discouraged,
                allowedCredentials: allowed))
    }

    private static func passkey(
        _ party: String = "a.example", user: String? = "ada", isConditional: Bool = false
    ) -> AuthorizeApplication.Wanted {
        .registration(
            ApplicationRegistration(
                relyingParty: party, userName: user, userHandle: Data([9]), challenge: challenge,
                userVerification: .discouraged, isConditional: isConditional))
    }

    // MARK: - An app that the site names

    @Test func anAppThatTheSiteNamesGetsWhatThePersonChooses() async throws {
        let stage = try await Self.stage()
        let result = try await stage.ask([.password, Self.signIn()], domains: ["a.example"])
        #expect(stage.kinds == ["account"])
        // The passkey comes first, then the password, then all that the provider has.
        #expect(stage.choices.map(\.kind) == [.passkey, .password, nil])
        #expect(result.request == 1)
        guard case .assertion(let credential, let data) = result.credential else {
            Issue.record("no signature")
            return
        }
        #expect(credential.clientDataHash == Data(Digest.sha256(data)))
        #expect(
            String(decoding: data, as: UTF8.self)
                == #"{"type":"webauthn.get","challenge":"--__AQ","origin":"https://a.example","crossOrigin":false}"#)
    }

    @Test func aPasswordGoesToTheRequestForOne() async throws {
        let stage = try await Self.stage(choice: 1)
        let result = try await stage.ask([Self.signIn(), .password], domains: ["a.example"])
        guard case .password(let user, _) = result.credential else {
            Issue.record("no password")
            return
        }
        #expect((result.request, user) == (1, "ada"))
    }

    @Test func aListIsAskedWithTheCheckedDomainsMostSpecificFirst() async throws {
        let domains = ["b.example", "example.org", "login.a.example", "a.example"]
        let stage = try await Self.stage(
            [], sites: ["a.example": [Self.program], "login.a.example": [Self.program], "example.org": ["other"]])
        let result = try await stage.ask([.password, Self.signIn()], domains: domains)
        #expect(result.request == 0)
        guard case .list(let services, let passkeys) = stage.script.last else {
            Issue.record("no list")
            return
        }
        #expect(services.map(\.identifier) == ["login.a.example", "a.example"])
        #expect(services.allSatisfy { $0.kind == .domain })
        #expect(passkeys?.relyingParty == "a.example")
        #expect(stage.sites.asked.withLock { Set($0) } == Set(domains))
    }

    @Test func theAnswerOfASiteIsBelievedForMinutes() async throws {
        let stage = try await Self.stage()
        for _ in 0..<3 { _ = try await stage.ask([Self.signIn()]) }
        #expect(stage.sites.asked.withLock { $0.count } == 1)
        stage.fixture.clock.advance(by: SiteDocuments.lifetime)
        _ = try await stage.ask([Self.signIn()])
        #expect(stage.sites.asked.withLock { $0.count } == 2)
    }

    // MARK: - An app that it does not name

    @Test(arguments: [
        [], ["program:/usr/bin/other"], ["program:/usr/bin/example "], ["Program:/usr/bin/example"],
    ])
    func thePersonIsAskedAboutAnotherAppAtEachRequest(named: [String]) async throws {
        let stage = try await Self.stage(sites: ["a.example": named])
        for _ in 0..<2 { _ = try await stage.ask([Self.signIn()]) }
        #expect(stage.kinds == ["application", "account", "application", "account"])
        guard case .application(let question) = stage.sheets.questions.first else { return }
        #expect((question.program, question.path) == ("Example", "/usr/bin/example"))
        #expect((question.service, question.purpose) == ("a.example", .signIn))
    }

    @Test func anAppThatNobodyCanNameIsNotLookedFor() async throws {
        let stage = try await Self.stage(names: [])
        _ = try await stage.ask([Self.signIn()])
        #expect(stage.kinds == ["application", "account"])
        #expect(stage.sites.asked.withLock { $0.isEmpty })
    }

    @Test func withoutThePersonsYesNothingIsToldAndNobodyAsked() async throws {
        let stage = try await Self.stage(sites: [:], allows: false)
        let requests: [[AuthorizeApplication.Wanted]] = [[Self.signIn()], [.password], [Self.passkey()]]
        for request in requests {
            let error = await failure { _ = try await stage.ask(request, domains: ["a.example"]) }
            #expect(error?.code == .cancelled)
        }
        #expect(stage.kinds == ["application", "application", "application"])
        #expect(stage.script.count == 0)
        let terminal = try await stage.fixture.client(.terminal)
        let entries = try await terminal.call(ListHistory.self, .init()).entries.filter { $0.event == .refusal }
        #expect(entries.count == 3)
        #expect(
            entries.allSatisfy {
                $0.detail == "You didn't allow it to ask for a.example, which doesn't list it as its own."
            })
    }

    @Test func ofSeveralSitesThatDoNotNameItAnAppGetsOneAtMost() async throws {
        let other = Sample.passkey("b.example", "eve", id: Data([5, 6]))
        let stage = try await Self.stage([Sample.passkey(), other], sites: [:])
        _ = try await stage.ask([Self.signIn(), Self.signIn("b.example")], domains: ["c.example"])
        #expect(stage.choices.compactMap(\.account) == ["ada"])
        #expect(stage.kinds == ["application", "account"])
    }

    @Test func anAppWithoutASiteIsRefused() async throws {
        let stage = try await Self.stage()
        for domains in [[], ["com"], ["127.0.0.1"], ["https://a.example"]] {
            #expect(await failure { _ = try await stage.ask([.password], domains: domains) }?.code == .refused)
        }
        #expect(stage.kinds.isEmpty)
    }

    @Test func aProcessOfAProviderSignsInNowhere() async throws {
        let stage = try await Self.stage()
        let browser = try await stage.fixture.client(.browser)
        let error = await failure {
            _ = try await browser.call(AuthorizeApplication.self, .init(requests: [Self.signIn()]))
        }
        #expect(error?.code == .notAllowed)
    }

    // MARK: - Options

    @Test func whatIsImmediatelyThereIsAllThereIs() async throws {
        let empty = try await Self.stage([])
        let error = await failure { _ = try await empty.ask([Self.signIn()], onlyImmediate: true, methods: ["other"]) }
        #expect(error?.code == .elsewhere)
        #expect(empty.kinds.isEmpty)
        let stage = try await Self.stage()
        _ = try await stage.ask([Self.signIn()], onlyImmediate: true)
        #expect(stage.choices.map(\.account) == ["ada"])
    }

    @Test func whatIsThereIsNotToldToAnAppThatIsNotNamed() async throws {
        let stage = try await Self.stage([], sites: [:])
        let error = await failure { _ = try await stage.ask([Self.signIn()], onlyImmediate: true) }
        #expect(error?.code == .elsewhere)
        #expect(stage.kinds == ["application"])
    }

    @Test func theAppsOwnWaysStandLast() async throws {
        let stage = try await Self.stage(choice: 3)
        let result = try await stage.ask([.password, Self.signIn()], domains: ["a.example"], methods: ["other"])
        #expect(stage.choices.last?.method == "other")
        #expect((result.request, result.credential) == (nil, .method("other")))
        #expect(stage.script.count == 0)
    }

    @Test func onlyPasskeysThatTheServerTakesAreOffered() async throws {
        let eve = Sample.passkey("a.example", "eve", id: Data([5, 6]))
        let stage = try await Self.stage([Sample.passkey(), eve])
        _ = try await stage.ask([Self.signIn(allowed: [Data([5, 6])])], onlyImmediate: true)
        #expect(stage.choices.map(\.account) == ["eve"])
    }

    @Test func aPasswordFromAListIsNoAnswerToARequestForAPasskey() async throws {
        let stage = try await Self.stage([])
        #expect(await failure { _ = try await stage.ask([Self.signIn()]) }?.code == .cancelled)
        #expect(stage.script.count == 1)
    }

    // MARK: - New passkeys

    @Test func thePersonChoosesWhoKeepsANewPasskey() async throws {
        let stage = try await Self.stage()
        let result = try await stage.ask([Self.passkey()])
        guard case .registration(_, let data) = result.credential else {
            Issue.record("no passkey")
            return
        }
        #expect(String(decoding: data, as: UTF8.self).hasPrefix(#"{"type":"webauthn.create","#))
        #expect(stage.choices.map(\.isNew) == [true])
        #expect(result.userName == nil)
    }

    @Test func thePersonNamesANewAccount() async throws {
        let stage = try await Self.stage()
        let result = try await stage.ask([Self.passkey(user: nil)])
        #expect(stage.kinds == ["account", "newAccount"])
        #expect(result.userName == "ada@a.example")
        guard case .registerPasskey(let asked) = stage.script.last else {
            Issue.record("no passkey")
            return
        }
        #expect((asked.userName, asked.algorithms) == ("ada@a.example", [-7]))
    }

    /// Asks for a passkey in the background, and lets the time of a refusal pass.
    private static func upgrade(_ stage: Stage) async throws -> AuthorizeApplication.Result {
        let turning = Task {
            while !Task.isCancelled {
                guard (try? await stage.fixture.clock.waitForSleeper(of: Upgrades.patience)) != nil else { continue }
                stage.fixture.clock.advance(by: Upgrades.patience)
            }
        }
        defer { turning.cancel() }
        return try await stage.ask([passkey(isConditional: true)])
    }

    @Test func anAccountThatJustSignedInIsUpgradedAndNobodyAsked() async throws {
        let stage = try await Self.stage([BrokerFixture.identity()])
        stage.fixture.broker.person.verifier.add(FakeCheck())
        #expect(await failure { _ = try await Self.upgrade(stage) }?.code == .notAllowed)
        _ = try await stage.ask([.password], domains: ["a.example"])
        let asked = stage.kinds.count
        let result = try await Self.upgrade(stage)
        guard case .registration(let credential, let data) = result.credential else {
            Issue.record("no passkey")
            return
        }
        #expect(credential.clientDataHash == Data(Digest.sha256(data)))
        #expect(stage.kinds.count == asked)
        guard case .registerPasskeyWithoutInteraction(let wanted) = stage.script.last else {
            Issue.record("asked with an interface")
            return
        }
        #expect((wanted.userName, wanted.relyingParty) == ("ada", "a.example"))
    }

    @Test func anAppThatTheSiteDoesNotNameIsUpgradedNever() async throws {
        let stage = try await Self.stage([BrokerFixture.identity()], sites: [:])
        stage.fixture.broker.person.verifier.add(FakeCheck())
        _ = try await stage.ask([.password], domains: ["a.example"])
        let (asked, count) = (stage.kinds.count, stage.script.count)
        let error = await failure { _ = try await Self.upgrade(stage) }
        #expect((error?.code, error?.message) == (.notAllowed, Upgrades.refusal.message))
        #expect((stage.kinds.count, stage.script.count) == (asked, count))
    }

    @Test func anUpgradeComesAlone() async throws {
        let stage = try await Self.stage()
        let error = await failure { _ = try await stage.ask([.password, Self.passkey(isConditional: true)]) }
        #expect(error?.code == .invalidParameters)
    }

    // MARK: - Telling and keeping

    @Test(arguments: [true, false])
    func aReportGoesOnWhereTheSiteNamesTheAppOrThePersonAllowsIt(isNamed: Bool) async throws {
        let stage = try await Self.stage(sites: isNamed ? ["a.example": [Self.program]] : [:], allows: false)
        let report = CredentialReport.passkeyUnknown(relyingParty: "a.example", credentialID: Data([1]))
        let error = await failure { _ = try await stage.app.call(ReportCredential.self, .init(report: report)) }
        #expect(error?.code == (isNamed ? nil : .cancelled))
        #expect(stage.kinds == (isNamed ? [] : ["application"]))
    }

    @Test(arguments: [true, false])
    func aPasswordIsKeptForASiteThatNamesTheAppOrWhereThePersonAllowsIt(isNamed: Bool) async throws {
        let stage = try await Self.stage(sites: isNamed ? ["a.example": [Self.program]] : [:], allows: false)
        let password = PasswordToSave(
            service: ServiceIdentifier("https://a.example/join", kind: .url), user: "ada",
            password: SecretFile(try SealedMemory(copying: UnsafeRawBufferPointer(start: nil, count: 0))),
            session: "s", event: .formDidDisappear)
        let error = await failure {
            _ = try await stage.app.call(
                SavePassword.self, .init(password: password, provider: nil, presents: false))
        }
        #expect(error?.code == (isNamed ? nil : .cancelled))
        #expect(stage.script.count == (isNamed ? 1 : 0))
    }
}
