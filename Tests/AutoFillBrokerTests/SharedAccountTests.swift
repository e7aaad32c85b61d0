import AutoFillProtocol
import AutoFillWire
import BrokerTestSupport
import FoundationEssentials
import Testing

@testable import AutoFillBroker

/// Sites that share their accounts: what is suggested of the other one, and what it takes to be filled.
@Suite(.timeLimit(.minutes(2))) struct SharedAccountTests {
    /// `videohive.net` and `envato.com` are of one group; `hosting.com` has taken the place of `a2hosting.com`.
    private static let identities = [
        BrokerFixture.identity("vera", at: "https://videohive.net", record: "v"),
        BrokerFixture.identity("own", at: "https://envato.com", record: "o"),
        BrokerFixture.identity("old", at: "https://my.a2hosting.com", record: "a2"),
        BrokerFixture.identity("stranger", at: "https://bank.example", record: "b"),
    ]

    private struct Stage {
        let fixture: BrokerFixture
        let client: Connection
        var person: ScriptedPerson { fixture.person }

        init(
            _ identities: [CredentialIdentity] = SharedAccountTests.identities,
            sheets: FakeSheets? = FakeSheets(answer: .allowed)
        ) async throws {
            fixture = try BrokerFixture(FakeBundles { _, _ in try password() }, sheets: sheets)
            try await fixture.provide(identities)
            client = try await fixture.client()
        }

        func suggest(
            _ page: String, includesShared: Bool? = true, kinds: [CredentialKind]? = nil, realm: String? = nil
        ) async throws -> [Suggestion] {
            try await client.call(
                Suggest.self,
                .init(
                    services: [ServiceIdentifier(page, kind: .url, realm: realm)], kinds: kinds,
                    includesShared: includesShared)
            ).suggestions
        }

        func fill(_ suggestion: Suggestion, on page: String) async throws -> Fill.Result {
            try await client.call(
                Fill.self,
                .init(
                    target: .suggestion(handle: suggestion.handle), services: [ServiceIdentifier(page, kind: .url)],
                    presents: false))
        }
    }

    private func otherSites(_ sheets: FakeSheets) -> [AskPerson.OtherSite] {
        sheets.questions.compactMap { if case .otherSite(let question) = $0 { question } else { nil } }
    }

    // MARK: What is suggested

    @Test func accountsOfTheGroupComeLastAndSaySo() async throws {
        let stage = try await Stage()
        let found = try await stage.suggest("https://envato.com/sign-in")
        #expect(found.map(\.user) == ["own", "vera"])
        #expect(found.map(\.match) == [.origin, .shared] && found[1].service == "https://videohive.net")
        #expect(try await stage.suggest("https://www.envato.com/").map(\.match) == [.site, .shared])
    }

    @Test func whoDoesNotKnowThemGetsNone() async throws {
        let stage = try await Stage()
        #expect(try await stage.suggest("https://envato.com/", includesShared: nil).map(\.user) == ["own"])
    }

    @Test func anAccountOfTheNewSiteIsNotOfferedAtTheOldOne() async throws {
        let stage = try await Stage([
            BrokerFixture.identity("old", at: "https://my.a2hosting.com", record: "1"),
            BrokerFixture.identity("new", at: "https://hosting.com", record: "2"),
        ])
        #expect(try await stage.suggest("https://hosting.com/").map(\.user) == ["new", "old"])
        #expect(try await stage.suggest("https://a2hosting.com/").map(\.user) == ["old"])
    }

    @Test(arguments: [
        "http://envato.com/", "https://envato.com./", "https://envato.com.evil.example/", "https://notenvato.com/",
        "https://bank.example/", "https://xn--envto-5ve.com/",
    ])
    func noOtherPageGetsThem(page: String) async throws {
        let stage = try await Stage()
        #expect(try await stage.suggest(page).allSatisfy { $0.match != .shared })
    }

    @Test func whatAsksByHTTPItselfGetsNone() async throws {
        let stage = try await Stage()
        #expect(try await stage.suggest("https://envato.com/", realm: "Staff").map(\.user) == ["own"])
    }

    @Test func neitherCodesNorPasskeysNorInsecureAccountsAreShared() async throws {
        let stage = try await Stage([
            CredentialIdentity(
                kind: .oneTimeCode, service: ServiceIdentifier("https://videohive.net", kind: .url), user: "code",
                recordIdentifier: "c"),
            CredentialIdentity(
                kind: .passkey, service: ServiceIdentifier("videohive.net", kind: .domain), user: "key",
                recordIdentifier: "k", passkey: PasskeyReference(credentialID: Data([1]), userHandle: Data([2]))),
            BrokerFixture.identity("insecure", at: "http://videohive.net", record: "i"),
        ])
        #expect(try await stage.suggest("https://envato.com/", kinds: [.password, .passkey, .oneTimeCode]).isEmpty)
    }

    // MARK: What is filled

    @Test func nothingIsFilledWithoutAYesThatNamesBothSites() async throws {
        let sheets = FakeSheets(answer: .refused)
        let stage = try await Stage(sheets: sheets)
        let page = "https://envato.com/sign-in"
        let shared = try #require(try await stage.suggest(page).first { $0.match == .shared })
        let before = stage.fixture.bundles.started.count
        #expect(await failure { _ = try await stage.fill(shared, on: page) }?.code == .cancelled)
        let question = try #require(otherSites(sheets).first)
        #expect(question.accountService == "videohive.net" && question.service == "envato.com")
        #expect(question.account == "vera")
        #expect(stage.fixture.bundles.started.count == before, "the provider was asked before the person was")
    }

    /// Whoever poses as a browser could have many asked at once, and the person would refuse one after the other.
    @Test func oneQuestionStandsThereAtATime() async throws {
        let sheets = FakeSheets(answer: nil)
        let stage = try await Stage(sheets: sheets)
        let page = "https://envato.com/sign-in"
        let shared = try #require(try await stage.suggest(page).first { $0.match == .shared })
        let first = Task { try await stage.fill(shared, on: page) }
        try await eventually { !sheets.questions.isEmpty }
        #expect(await failure { _ = try await stage.fill(shared, on: page) }?.code == .rateLimited)
        #expect(otherSites(sheets).count == 1)
        first.cancel()
    }

    @Test func thePersonIsAskedEachTimeAndNotAboutTheSiteAgain() async throws {
        let sheets = FakeSheets(answer: .allowed)
        let stage = try await Stage(sheets: sheets)
        let page = "https://envato.com/sign-in"
        for count in 1...2 {
            let shared = try #require(try await stage.suggest(page).first { $0.match == .shared })
            #expect(try await stage.fill(shared, on: page).user == "ada")
            #expect(otherSites(sheets).count == count)
        }
        #expect(
            !stage.person.questions.contains { if case .newSite = $0 { true } else { false } },
            "the question named the site")
        // The site's own account is not asked about in this way.
        let own = try #require(try await stage.suggest(page).first { $0.match == .origin })
        _ = try await stage.fill(own, on: page)
        #expect(otherSites(sheets).count == 2)
    }

    @Test func whoRefusedIsNotAskedAgainForAWhile() async throws {
        let sheets = FakeSheets(answer: .refused)
        let stage = try await Stage(sheets: sheets)
        let page = "https://envato.com/"
        let shared = try #require(try await stage.suggest(page).first { $0.match == .shared })
        #expect(await failure { _ = try await stage.fill(shared, on: page) }?.code == .cancelled)
        #expect(await failure { _ = try await stage.fill(shared, on: page) }?.code == .rateLimited)
        #expect(otherSites(sheets).count == 1)
    }

    @Test func whoClosesTheQuestionIsNotAskedAgainForAWhileEither() async throws {
        let sheets = FakeSheets(answer: .cancelled)
        let stage = try await Stage(sheets: sheets)
        let page = "https://envato.com/"
        let shared = try #require(try await stage.suggest(page).first { $0.match == .shared })
        // However often it is closed, the pause is the first one: only a no makes it longer.
        for count in 1...2 {
            #expect(await failure { _ = try await stage.fill(shared, on: page) }?.code == .cancelled)
            #expect(await failure { _ = try await stage.fill(shared, on: page) }?.code == .rateLimited)
            #expect(otherSites(sheets).count == count)
            stage.fixture.clock.advance(by: AskingPauses.first)
        }
    }

    /// The two questions are about different things: a no to one says nothing of the other.
    @Test func aNoToAnAccountOfAnotherSiteDoesNotPauseNewSites() async throws {
        let stage = try await Stage(sheets: FakeSheets(answer: .refused))
        let page = "https://envato.com/"
        let found = try await stage.suggest(page)
        let shared = try #require(found.first { $0.match == .shared })
        #expect(await failure { _ = try await stage.fill(shared, on: page) }?.code == .cancelled)
        let own = try #require(found.first { $0.match == .origin })
        _ = try await stage.fill(own, on: page)
        #expect(stage.person.questions.contains { if case .newSite = $0 { true } else { false } })
    }

    /// A group would else be a way to learn of dozens of sites with one question.
    @Test func eachSiteOfAGroupThatAccountsAreToldOfCounts() async throws {
        let countries: [String] = ["ae", "at", "be", "ca", "ch", "cl", "cz", "de"]
        let stage = try await Stage(
            countries.map { country in
                BrokerFixture.identity("u", at: "https://airbnb.\(country)", record: country)
            })
        // 30 at once: with the page's own site, and the group's eight as far as it has them, few others are left.
        let told = try await stage.suggest("https://airbnb.com/").filter { $0.match == .shared }.count
        #expect(told > 3)
        var asked = 0
        while asked < 30, (try? await stage.suggest("https://site\(asked).example/")) != nil { asked += 1 }
        #expect(asked == 30 - 1 - told)
    }

    @Test func whereNobodyCanBeAskedNothingIsFilled() async throws {
        let stage = try await Stage(sheets: nil)
        let page = "https://envato.com/"
        let shared = try #require(try await stage.suggest(page).first { $0.match == .shared })
        let error = await failure { _ = try await stage.fill(shared, on: page) }
        #expect(error?.code == .interactionRequired)
        #expect(error?.message.contains("videohive.net") == true && error?.message.contains("envato.com") == true)
    }
}
