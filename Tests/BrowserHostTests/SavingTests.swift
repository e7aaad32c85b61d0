import AutoFillProtocol
import AutoFillWire
import ClockTestSupport
import FoundationEssentials
import KeywaySystem
import Synchronization
import Testing

@testable import BrowserHost

/// Passwords of forms between the extension and the broker.
@Suite struct SavingTests {
    private static let page = #""url":"https://example.org/login","private":false"#
    private static let session = "1f0c2b6a-9d0e-4c0d-8a52-7a1d0c9a4f11"

    private func form(
        _ session: String = session, password: String = "s3cret", isPrivate: Bool = false
    ) throws -> SubmittedForm {
        let json = """
            {"url":"https://example.org/login","private":\(isPrivate),"session":"\(session)","user":"ada",
             "password":"\(password)","isGenerated":false}
            """
        return try JSONDecoder().decode(SubmittedForm.self, from: Data(json.utf8))
    }

    private func text(_ secret: AutoFillWire.Attachment) throws -> String {
        try secret.sealedMemory().withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }

    // MARK: What is held

    @Test func aFormIsHeldUntilItIsSettledOnce() throws {
        let held = HeldPasswords()
        held.hold(try form())
        #expect(try text(#require(held.take(Self.session)).password) == "s3cret")
        #expect(held.take(Self.session) == nil)
    }

    @Test func aFormThatIsSentAgainTakesThePlaceOfTheFirst() throws {
        let held = HeldPasswords()
        held.hold(try form(password: "one"))
        held.hold(try form(password: "two"))
        #expect(held.count == 1)
        #expect(try text(#require(held.take(Self.session)).password) == "two")
    }

    @Test func nothingIsHeldForLong() throws {
        let clock = ManualClock()
        let held = HeldPasswords(clock: clock)
        held.hold(try form())
        clock.advance(by: HeldPasswords.longest)
        #expect(held.take(Self.session) == nil)
        // Not even while nobody asks for it.
        held.hold(try form())
        clock.advance(by: HeldPasswords.longest)
        held.hold(try form("another-session-of-this"))
        #expect(held.count == 1)
    }

    @Test func fewAreHeldAtATime() throws {
        let clock = ManualClock()
        let held = HeldPasswords(clock: clock)
        for number in 0..<40 {
            held.hold(try form("session-of-form-\(number)-number"))
            clock.advance(by: .seconds(1))
        }
        #expect(held.count == HeldPasswords.most)
        #expect(held.take("session-of-form-0-number") == nil && held.take("session-of-form-39-number") != nil)
        held.removeAll()
        #expect(held.count == 0)
    }

    // MARK: What the extension may say

    @Test(arguments: [
        #""user":"ada","password":"","isGenerated":false"#, #""user":"ada","isGenerated":false"#,
        #""user":"ada","password":"x""#, #""user":"ada","password":"x","isGenerated":false,"more":1"#,
        #""user":5,"password":"x","isGenerated":false"#,
    ])
    func aFormOfAnotherShapeIsRefused(members: String) {
        let json = "{\(Self.page),\"session\":\"\(Self.session)\",\(members)}"
        #expect(throws: (any Error).self) { try JSONDecoder().decode(SubmittedForm.self, from: Data(json.utf8)) }
    }

    @Test func theLengthsOfTheFieldsStandBeforeWhatThePageStates() throws {
        let json =
            #"{\#(Self.page),"rules":"required: [abc","minLength":8,"maxLength":12,"confirmation":"allowed: lower"}"#
        let asked = try JSONDecoder().decode(GenerateParameters.self, from: Data(json.utf8))
        #expect(asked.rules == "minlength: 8; maxlength: 12; required: [abc")
        #expect(asked.wanted.request.confirmationRules == "allowed: lower")
        #expect(asked.wanted.request.quirkRules == nil, "what is known of the site, the broker says")
        let none = try JSONDecoder().decode(GenerateParameters.self, from: Data("{\(Self.page)}".utf8))
        #expect(none.rules == nil && none.confirmationRules == nil)
        for wrong in [#""minLength":-1"#, #""maxLength":1000000"#, #""quirks":"x""#] {
            #expect(throws: (any Error).self) {
                try JSONDecoder().decode(GenerateParameters.self, from: Data("{\(Self.page),\(wrong)}".utf8))
            }
        }
    }

    @Test func theBrokerIsOfferedTheOriginOfTheBrowser() throws {
        let offered = try form().offered(.formDidDisappear)
        #expect(offered.password.service == ServiceIdentifier("https://example.org/login", kind: .url))
        #expect(offered.password.event == .formDidDisappear && offered.isPrivate == false && !offered.presents)
        #expect(offered.password.generatedKind == nil)
    }

    // MARK: Between browser and broker

    private static func request(_ isPrivate: Bool = false, password: String = "s3cret") -> String {
        """
        {"url":"https://example.org/login","private":\(isPrivate),"session":"\(session)","user":"ada",\
        "password":"\(password)","isGenerated":false}
        """
    }

    private static func settle(worked: Bool) -> String { #"{"session":"\#(session)","worked":\#(worked)}"# }

    /// A broker that keeps what it is offered, and the passwords of the offers.
    private final class Keeper: Sendable {
        let offers = Mutex<[SavePassword.Parameters]>([])
        func broker() -> FakeBroker {
            FakeBroker(others: { table in
                table.on(SavePassword.self) { parameters, _ in
                    self.offers.withLock { $0.append(parameters) }
                    return .init(provider: FakeBroker.provider, outcome: .saved)
                }
                table.on(GeneratePasswords.self) { _, _ in
                    .init(
                        passwords: [.init(kind: "STRONG", value: Attachment(try SealedMemory(text: #"a"b\c"#)))],
                        provider: FakeBroker.provider)
                }
            })
        }
    }

    @Test func theBrokerHearsOfAFormThatWorkedAndOfNoOther() async throws {
        let keeper = Keeper()
        let browser = try await Browser.greeted(broker: keeper.broker())
        browser.request(2, "passwords.submit", Self.request(password: "wrong"))
        #expect(try await browser.answer().result?.names == [])
        browser.request(3, "passwords.settle", Self.settle(worked: false))
        #expect(try await browser.answer().result == ["outcome": "declined"])
        browser.request(4, "passwords.settle", Self.settle(worked: true))
        #expect(try await browser.answer().result == ["outcome": "declined"])
        #expect(keeper.offers.withLock { $0.isEmpty }, "what did not work is forgotten")
        browser.request(5, "passwords.submit", Self.request())
        _ = try await browser.answer()
        browser.request(6, "passwords.settle", Self.settle(worked: true))
        #expect(try await browser.answer().result == ["outcome": "saved"])
        let offers = keeper.offers.withLock { $0 }
        #expect(offers.map(\.password.event) == [.formDidDisappear] && offers.map(\.password.user) == ["ada"])
        #expect(try text(offers[0].password.password) == "s3cret")
    }

    @Test(arguments: ["passwords.submit", "passwords.keep"])
    func nothingOfAPrivateWindowIsHeldOrKept(method: String) async throws {
        let keeper = Keeper()
        let browser = try await Browser.greeted(broker: keeper.broker())
        browser.request(2, method, Self.request(true))
        #expect(try await browser.answer().kind == "notAllowed")
        #expect(browser.session.held.count == 0 && keeper.offers.withLock { $0.isEmpty })
    }

    @Test func aGeneratedPasswordIsKeptAtOnce() async throws {
        let keeper = Keeper()
        let browser = try await Browser.greeted(broker: keeper.broker())
        browser.request(2, "passwords.generate", "{\(Self.page)}")
        #expect(try await browser.answer().result?["passwords"]?.list?.first == #"a"b\c"#)
        browser.request(3, "passwords.keep", Self.request())
        _ = try await browser.answer()
        #expect(keeper.offers.withLock { $0.map(\.password.event) } == [.generatedPasswordFilled])
    }

    // MARK: What was filled

    private static let fill =
        #"{"url":"https://example.org/login","private":false,"handle":"h","fields":["username","password"]}"#

    private func page(_ url: String = "https://example.org/login", isPrivate: Bool = false) -> Page {
        Page(url: url, isPrivate: isPrivate)
    }

    private func filled(_ user: String = "ada", _ password: String = "s3cret") throws -> Fill.Result {
        try FakeBroker.credential(user: user, password: Array(password.utf8))
    }

    @Test func whatWasFilledIsNoQuestionWhoeverIsLocked() async throws {
        let keeper = Keeper()
        let broker = FakeBroker(
            fill: { _, _ in try FakeBroker.credential(user: "ada", password: Array("s3cret".utf8)) },
            others: { table in
                table.on(SavePassword.self) { parameters, _ in
                    keeper.offers.withLock { $0.append(parameters) }
                    return .init(provider: FakeBroker.provider, outcome: .saved)
                }
            })
        let browser = try await Browser.greeted(broker: broker)
        browser.request(2, "fill", Self.fill)
        _ = try await browser.answer()
        func sendAndSettle(_ id: Int, _ password: String) async throws -> JSON? {
            browser.request(id, "passwords.submit", Self.request(password: password))
            _ = try await browser.answer()
            browser.request(id + 1, "passwords.settle", Self.settle(worked: true))
            return try await browser.answer().result
        }
        #expect(try await sendAndSettle(3, "s3cret") == ["outcome": "unchanged"])
        #expect(keeper.offers.withLock { $0.isEmpty })
        // Another one is a question; and once it is saved, the one before is one, too.
        #expect(try await sendAndSettle(5, "other") == ["outcome": "saved"])
        #expect(try await sendAndSettle(7, "s3cret") == ["outcome": "saved"])
    }

    @Test func whatWasFilledCountsForItsSiteAccountAndPasswordAlone() throws {
        let remembered = FilledPasswords()
        remembered.note(try filled(), on: page())
        #expect(remembered.contains(try form()))
        #expect(try !remembered.contains(form(password: "s3cre")))
        func sent(_ url: String, _ user: String) throws -> SubmittedForm {
            try JSONDecoder().decode(
                SubmittedForm.self,
                from: Data(
                    Self.request().replacing("https://example.org/login", with: url).replacing(
                        #""user":"ada""#, with: #""user":"\#(user)""#
                    ).utf8))
        }
        #expect(try remembered.contains(sent("https://example.org/other/page", "ada")))
        #expect(try remembered.contains(sent("https://example.org/login", "")), "the form names nobody")
        #expect(try !remembered.contains(sent("https://example.org/login", "grace")))
        for url in ["http://example.org/login", "https://www.example.org/", "https://example.org:8443/"] {
            #expect(try !remembered.contains(sent(url, "ada")))
        }
    }

    @Test func nothingOfAPrivateWindowIsRememberedAsFilled() throws {
        let remembered = FilledPasswords()
        remembered.note(try filled(), on: page(isPrivate: true))
        #expect(remembered.count == 0)
        #expect(try !remembered.contains(form()))
    }

    @Test func littleIsRememberedAndNothingOnceItEnds() throws {
        let remembered = FilledPasswords()
        for number in 0..<300 { remembered.note(try filled("u\(number)"), on: page()) }
        remembered.note(try filled("u299"), on: page())
        #expect(remembered.count == FilledPasswords.most)
        remembered.removeAll()
        #expect(remembered.count == 0)
    }

    @Test func thePageWhereAPasswordIsChangedIsPassedOn() async throws {
        let broker = FakeBroker(others: { table in
            table.on(ChangePasswordPage.self) { parameters, _ in
                .init(address: parameters.service.identifier + "/change", isKnown: true)
            }
        })
        let browser = try await Browser.greeted(broker: broker)
        browser.request(2, "passwords.changePage", #"{"url":"https://example.org/a","private":false}"#)
        let result = try await browser.answer().result
        #expect(result?["url"] == "https://example.org/a/change" && result?["isKnown"] == .bool(true))
    }

    @Test(arguments: [(0, nil), (1, true)] as [(Int, Bool?)])
    func accountsOfOtherSitesAreAskedForByWhoKnowsThem(minor: Int, asked: Bool?) async throws {
        let included = Mutex<[Bool?]>([])
        let broker = FakeBroker(suggest: { parameters in
            included.withLock { $0.append(parameters.includesShared) }
            return FakeBroker.nothing
        })
        let browser = try Browser(broker: broker)
        browser.send(Browser.hello.replacing(#""minor":0"#, with: #""minor":\#(minor)"#))
        _ = try await browser.answer()
        browser.request(2, "suggest", #"{"url":"https://a.example/","private":false}"#)
        _ = try await browser.answer()
        #expect(included.withLock { $0 } == [asked])
    }

    @Test func nothingIsHeldOnceTheBrowserIsGone() async throws {
        let browser = try await Browser.greeted(broker: Keeper().broker())
        browser.request(2, "passwords.submit", Self.request())
        _ = try await browser.answer()
        #expect(browser.session.held.count == 1)
        browser.session.end()
        #expect(browser.session.held.count == 0)
    }
}

extension SealedMemory {
    init(text: String) throws {
        self = try Array(text.utf8).withUnsafeBytes { try SealedMemory(copying: $0) }
    }
}
