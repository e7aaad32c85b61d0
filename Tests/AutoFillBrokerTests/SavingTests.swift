import AutoFillProtocol
import AutoFillWire
import BrokerTestSupport
import Foundation
import KeywaySystem
import Synchronization
import Testing

@testable import AutoFillBroker

/// Passwords that pages were sent with: kept where the person says so in a window, asked once, and never in silence.
@Suite(.timeLimit(.minutes(2))) struct SavingTests {
    private struct Stage {
        let fixture: BrokerFixture
        let client: Connection
        let requests = Told()
        var person: ScriptedPerson { fixture.person }

        /// A provider that saves; `stored` is what it has for `ada` at `https://a.example`, if it gives it.
        init(stored: String? = nil, isLocked: Bool = false, information: [String: Any] = Sample.declares(Sample.keeps))
            async throws
        {
            let requests = requests
            fixture = try BrokerFixture(
                FakeBundles { request, _ in
                    requests.add(request)
                    switch request {
                    case .provideWithoutInteraction:
                        guard let stored, !isLocked else { return cancelled(100) }
                        return .password(user: "ada", password: try Sample.sealed(stored))
                    case .generatePasswordsWithoutInteraction:
                        return .generated([.init(kind: "STRONG", value: try Sample.sealed("made"))])
                    default: return .saved
                    }
                }, information: information)
            try await fixture.provide(stored == nil ? [] : [BrokerFixture.identity()])
            client = try await fixture.client()
            // The person lets the browser ask; what they answer from here on is about passwords.
            _ = try await client.call(SavingSupport.self, Nothing())
        }

        var asked: [AskPerson.SavingPassword] {
            person.questions.compactMap { if case .saving(let question) = $0 { question } else { nil } }
        }

        /// What the provider was asked to keep, without and with an interface.
        var kept: [PasswordToSave] {
            requests.all.compactMap {
                switch $0 {
                case .savePasswordWithoutInteraction(let password), .savePassword(let password): password
                default: nil
                }
            }
        }

        @discardableResult
        func save(
            _ user: String = "ada", at page: String = "https://a.example/login", password: String = "new",
            event: PasswordToSave.Event = .formDidDisappear, isPrivate: Bool = false
        ) async throws -> SavePassword.Outcome? {
            let password = PasswordToSave(
                service: ServiceIdentifier(page, kind: .url), user: user, password: try Sample.sealed(password),
                session: "s", event: event)
            return try await client.call(
                SavePassword.self, .init(password: password, provider: nil, presents: false, isPrivate: isPrivate)
            ).outcome
        }
    }

    private final class Told: Sendable {
        private let requests = Mutex<[PerformRequest.Request]>([])
        func add(_ request: PerformRequest.Request) { requests.withLock { $0.append(request) } }
        var all: [PerformRequest.Request] { requests.withLock { $0 } }
    }

    // MARK: The question

    @Test func aNewPasswordIsKeptWhenThePersonSaysSo() async throws {
        let stage = try await Stage()
        #expect(try await stage.save() == .saved)
        let question = try #require(stage.asked.first)
        #expect(stage.asked.count == 1)
        #expect(question.account == "ada" && question.service == "https://a.example" && question.isEncrypted)
        #expect(!question.replaces && question.stored == nil && question.password == nil)
        // They were not asked about another password, so none goes for it.
        #expect(stage.kept.map(\.event) == [.formDidDisappear] && stage.kept.map(\.user) == ["ada"])
    }

    @Test func nothingIsKeptWithoutAYes() async throws {
        let stage = try await Stage()
        stage.person.add(answers: false)
        #expect(try await stage.save() == .declined)
        #expect(stage.kept.isEmpty)
        let entries = try await stage.fixture.client(.terminal).call(ListHistory.self, .init()).entries
        #expect(!entries.contains { $0.event == .save })
    }

    /// A page that submits a sign-in of its own making, to have a password overwritten: both facts are named, and what
    /// stands there is what the broker knows, not what the page says.
    @Test func anotherPasswordOfAnAccountIsAskedAboutWithBothFacts() async throws {
        let stage = try await Stage(stored: "old")
        #expect(try await stage.save() == .saved)
        let question = try #require(stage.asked.first)
        #expect(question.replaces && question.account == "ada" && question.service == "https://a.example")
        #expect(question.storedFor == nil)
        // It was asked about here, so that nobody asks again.
        #expect(stage.kept.map(\.event) == [.userInitiated])
        // Compared where it would be drawn; the broker reads neither.
        #expect(try Sample.text(question.stored) == "old" && Sample.text(question.password) == "new")
        #expect(question.provider.identifier == BrokerFixture.provider)
    }

    /// A page has an account of another host of its site in its vault replaced: what goes is named where it is.
    @Test func anAccountOfAnotherHostIsNamedWhereItIs() async throws {
        let stage = try await Stage(stored: "old")
        try await stage.save(at: "https://mail.a.example/")
        let question = try #require(stage.asked.first)
        #expect(question.replaces && question.service == "https://mail.a.example")
        #expect(question.storedFor == "https://a.example")
    }

    /// A page appends what nobody sees, so that the window would show the same name and not say that it replaces.
    @Test(arguments: ["ada\u{200B}", " ada", "\u{202E}ada\u{2069}"])
    func aNameWithMarksThatNobodySeesIsTheSameAccount(user: String) async throws {
        let stage = try await Stage(stored: "old")
        try await stage.save(user)
        #expect(stage.asked.map(\.replaces) == [true] && stage.kept.map(\.user) == ["ada"])
    }

    /// Two tabs are sent before the first question is answered.
    @Test func whatIsSaidToOneFormCountsForThoseThatWait() async throws {
        let stage = try await Stage()
        stage.person.set(waits: true)
        stage.person.set(next: .never)
        let first = Task { try await stage.save("one") }
        try await eventually { !stage.asked.isEmpty }
        let connections = stage.fixture.broker.connections
        let before = connections.use(countsStrangers: true).count
        let second = Task { try await stage.save("two") }
        try await eventually { connections.use(countsStrangers: true).count > before }
        stage.person.set(waits: false)
        #expect(try await first.value == .never)
        #expect(try await second.value == .never)
        #expect(stage.asked.count == 1)
    }

    @Test func whatNeedsNoQuestionWaitsForNoneAboutAnotherSite() async throws {
        let stage = try await Stage()
        stage.person.set(next: .never)
        #expect(try await stage.save(at: "https://never.example/") == .never)
        stage.person.add(answers: false)
        #expect(try await stage.save(at: "https://declined.example/") == .declined)
        stage.person.set(waits: true)
        let open = Task { try await stage.save() }
        try await eventually { stage.asked.count == 3 }
        #expect(try await stage.save(at: "https://never.example/") == .never)
        #expect(try await stage.save(at: "https://declined.example/") == .declined)
        stage.person.set(waits: false)
        #expect(try await open.value == .saved)
    }

    @Test func whatIsKeptAlreadyIsNoQuestion() async throws {
        let stage = try await Stage(stored: "old")
        stage.person.set(next: .unchanged)
        #expect(try await stage.save(password: "old") == .unchanged)
        #expect(stage.kept.isEmpty)
    }

    /// "Unchanged" is an answer only where there was something to compare.
    @Test func nothingIsUnchangedThatIsNotKept() async throws {
        let stage = try await Stage()
        stage.person.set(next: .unchanged)
        #expect(try await stage.save() == .declined)
    }

    @Test func aLockedProviderIsAskedAboutAllTheSame() async throws {
        let stage = try await Stage(stored: "old", isLocked: true)
        #expect(try await stage.save() == .saved)
        #expect(stage.asked.map(\.replaces) == [true] && stage.asked[0].stored == nil)
        #expect(stage.kept.map(\.event) == [.userInitiated])
    }

    @Test func theOnlyAccountIsMeantWhereAPageNamesNone() async throws {
        let stage = try await Stage(stored: "old")
        try await stage.save("")
        #expect(stage.asked.map(\.account) == ["ada"] && stage.kept.map(\.user) == ["ada"])
    }

    @Test func aNameOfAPageIsNoAccountOfAnotherSite() async throws {
        let stage = try await Stage(stored: "old")
        try await stage.save(at: "https://evil.example/")
        #expect(stage.asked.map(\.replaces) == [false] && stage.asked[0].service == "https://evil.example")
        #expect(!stage.requests.all.contains { if case .provideWithoutInteraction = $0 { true } else { false } })
    }

    /// T9: who sends where others can read it is told so.
    @Test func anUnencryptedPageIsNamedAsOne() async throws {
        let stage = try await Stage()
        try await stage.save(at: "http://a.example/")
        #expect(stage.asked.map(\.isEncrypted) == [false] && stage.asked[0].service == "http://a.example")
    }

    /// What is for HTTP's own sign-in is another account than that of a form, and its password is not replaced.
    @Test func anAccountForHTTPAloneIsNoneOfAForm() async throws {
        let stage = try await Stage()
        try await stage.fixture.write(
            .save,
            [
                CredentialIdentity(
                    kind: .password, service: ServiceIdentifier("https://a.example", kind: .url, realm: ""),
                    user: "ada",
                    recordIdentifier: "r1")
            ])
        #expect(try await stage.save() == .saved)
        #expect(stage.asked.map(\.replaces) == [false])
    }

    // MARK: Not asked

    @Test func aPrivateWindowSavesNothing() async throws {
        let stage = try await Stage()
        #expect(await failure { try await stage.save(isPrivate: true) }?.code == .notAllowed)
        #expect(stage.asked.isEmpty && stage.kept.isEmpty)
    }

    @Test func neverIsKeptAndCanBeTakenBack() async throws {
        let stage = try await Stage()
        stage.person.set(next: .never)
        #expect(try await stage.save() == .never)
        #expect(try await stage.save("grace", at: "https://login.a.example/") == .never)
        #expect(stage.asked.count == 1 && stage.kept.isEmpty)
        let terminal = try await stage.fixture.client(.terminal)
        #expect(try await terminal.call(ListUnsavedSites.self, Nothing()).sites == ["a.example"])
        _ = try await terminal.call(AskAboutSite.self, .init(site: "www.a.example"))
        #expect(try await terminal.call(ListUnsavedSites.self, Nothing()).sites == [])
        #expect(
            await failure { _ = try await terminal.call(AskAboutSite.self, .init(site: "a.example")) }?.code
                == .notFound)
        #expect(try await stage.save() == .saved)
    }

    /// A page can send a form every second.
    @Test(arguments: [true, false])
    func whoDeclinedIsNotAskedAgainForAWhile(closes: Bool) async throws {
        let stage = try await Stage()
        if closes { stage.person.set(nextIsClosed: true) } else { stage.person.add(answers: false) }
        #expect(try await stage.save() == .declined)
        #expect(try await stage.save("grace", at: "https://www.a.example/") == .declined)
        #expect(stage.asked.count == 1)
        #expect(try await stage.save(at: "https://b.example/") == .saved)
        stage.fixture.clock.advance(by: SavingPauses.first)
        #expect(try await stage.save() == .saved)
        #expect(stage.kept.count == 2)
    }

    @Test func whereNobodyCanBeAskedTheCommandIsNamed() async throws {
        let stage = try await Stage()
        stage.person.set(isThere: false)
        let error = await failure { try await stage.save("ada@a.example") }
        #expect(error?.code == .interactionRequired)
        #expect(error?.message.contains("keyway save --user ada@a.example https://a.example") == true)
        let other = await failure { try await stage.save("x; rm -rf ~") }
        #expect(
            other?.message.contains("--user NAME https://a.example") == true, "a name of a page is no word for a shell")
        #expect(stage.kept.isEmpty)
    }

    @Test func whereACodeFollowsThePasswordNothingIsSaved() async throws {
        let stage = try await Stage()
        #expect(try await stage.save(at: "https://us.etrade.com/") == .declined)
        #expect(stage.asked.isEmpty && stage.kept.isEmpty)
    }

    // MARK: Where a password is changed

    @Test(arguments: [
        ("https://247sports.com/x?y", "https://247sports.com/my/settings/password/", true),
        ("https://www.a.example:8443/login", "https://www.a.example:8443/.well-known/change-password", false),
    ])
    func thePageWhereAPasswordIsChangedIsTold(page: String, address: String, isKnown: Bool) async throws {
        let stage = try await Stage()
        let asked = ChangePasswordPage.Parameters(service: ServiceIdentifier(page, kind: .url))
        let found = try await stage.client.call(ChangePasswordPage.self, asked)
        #expect(found == .init(address: address, isKnown: isKnown))
    }

    @Test(arguments: ["http://247sports.com/", "https://247sports.com./", "ftp://a.example/", "a.example"])
    func whereOthersReadAlongNoPasswordIsChanged(page: String) async throws {
        let stage = try await Stage()
        let asked = ChangePasswordPage.Parameters(service: ServiceIdentifier(page, kind: .url))
        #expect(
            await failure { _ = try await stage.client.call(ChangePasswordPage.self, asked) }?.code
                == .invalidParameters)
    }

    // MARK: Generated passwords

    @Test func aGeneratedPasswordIsKeptBeforeItsFormIsSent() async throws {
        let stage = try await Stage()
        #expect(try await stage.save("", event: .generatedPasswordFilled) == .saved)
        #expect(stage.asked.isEmpty && stage.kept.map(\.event) == [.generatedPasswordFilled])
    }

    /// It was not asked about, so that it takes no other password's place.
    @Test func aGeneratedPasswordThatIsKeptAlreadyReplacesNothing() async throws {
        let stage = try await Stage(stored: "old")
        stage.person.set(next: .unchanged)
        let password = PasswordToSave(
            service: ServiceIdentifier("https://a.example/", kind: .url), user: "ada",
            password: try Sample.sealed("old"), session: "s", event: .formDidDisappear, generatedKind: "STRONG")
        _ = try await stage.client.call(
            SavePassword.self, .init(password: password, provider: nil, presents: false, isPrivate: false))
        #expect(stage.kept.map(\.event) == [.formDidDisappear])
    }

    @Test(arguments: [("https://mail.163.com/", "minlength: 6; maxlength: 16;"), ("https://a.example/", nil)])
    func theProviderLearnsWhatIsKnownOfTheSite(page: String, rules: String?) async throws {
        let stage = try await Stage()
        let wanted = PasswordsToGenerate(service: ServiceIdentifier(page, kind: .url))
        _ = try await stage.client.call(
            GeneratePasswords.self, .init(request: wanted, provider: nil, presents: false))
        guard case .generatePasswordsWithoutInteraction(let asked)? = stage.requests.all.last else {
            Issue.record("nothing was asked")
            return
        }
        #expect(asked.quirkRules == rules)
    }
}
