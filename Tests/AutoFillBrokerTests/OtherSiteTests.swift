import AutoFillProtocol
import AutoFillWire
import BrokerTestSupport
import KeywaySystem
import Synchronization
import Testing

@testable import AutoFillBroker

/// What is picked from a whole list, and the site that it is for.
@Suite(.timeLimit(.minutes(5))) struct OtherSiteTests {
    /// A terminal that picks one row after the other, and says to each question what the test says.
    private final class Person: Sendable {
        let questions = Mutex<[AskPerson.Question]>([])
        private let answer: AskPerson.Answer?
        private let rows: Mutex<[String]>

        init(_ answer: AskPerson.Answer?, picks rows: [String]) {
            self.answer = answer
            self.rows = Mutex(rows)
        }

        var otherSites: [AskPerson.OtherSite] {
            questions.withLock { $0 }.compactMap { if case .otherSite(let question) = $0 { question } else { nil } }
        }

        var table: MethodTable {
            var table = MethodTable()
            table.on(PresentationShow.self) { [self] shown, context in
                guard let row = rows.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { return }
                context.connection.notify(
                    PresentationEvent.self, .init(request: shown.request, event: .chose(row: row)))
            }
            table.on(AskPerson.self) { [self] parameters, _ in
                questions.withLock { $0.append(parameters.question) }
                guard let answer else { throw ProtocolError(.cancelled, "Taken back.") }
                return AskPerson.Result(answer)
            }
            return table
        }
    }

    /// A provider that shows `lists`, and after each but the last `hasty` ones waits for the person; then it gives the
    /// password, or the code, of `ada`.
    private static func provider(_ lists: [[InterfaceList.Row]], hasty: Int) -> FakeBundles {
        let itself = Mutex<FakeBundles?>(nil)
        let bundles = FakeBundles { request, context in
            for (index, rows) in lists.enumerated() {
                context.connection.notify(
                    ExtensionPresent.self,
                    .init(
                        request: context.requestID ?? 0,
                        interface: .list(InterfaceList(title: "All", sections: [.init(rows: rows)]))))
                guard index < lists.count - hasty else { continue }
                try await eventually { itself.withLock { $0?.events.withLock { $0.count } ?? 0 } > index }
            }
            if case .oneTimeCodeList = request { return .oneTimeCode(try Sample.sealed("123456")) }
            return try password()
        }
        itself.withLock { $0 = bundles }
        return bundles
    }

    private static func row(_ service: String?, id: String = "1") -> InterfaceList.Row {
        InterfaceList.Row(id: id, title: "Ada’s account", service: service)
    }

    /// What a list ends in, for a page.
    private func pick(
        _ lists: [[InterfaceList.Row]], for page: String?, by person: Person,
        target: Fill.Target = .list(provider: nil),
        knowing identities: [CredentialIdentity] = [], hasty: Int = 0
    ) async throws -> Result<Fill.Result, ProtocolError> {
        let fixture = try BrokerFixture(
            Self.provider(lists, hasty: hasty),
            information: Sample.declares("ProvidesPasswords", "ProvidesOneTimeCodes", "ProvidesTextToInsert"))
        try await fixture.provide(identities)
        let client = try await fixture.client(.terminal, person.table)
        let services = page.map { [ServiceIdentifier($0, kind: .url)] } ?? []
        do throws(ProtocolError) {
            return .success(
                try await client.call(Fill.self, .init(target: target, services: services, presents: true)))
        } catch {
            return .failure(error)
        }
    }

    @Test(arguments: [
        ("https://bank.example", "https://evil.example/login"), ("bank.example", "https://evil.example/"),
        ("https://bank.co.uk", "https://evil.co.uk/"), ("bank.example", "https://bank.example.evil.example/"),
        ("https://bank.example", "https://192.0.2.1/"), ("no host at all", "https://evil.example/"),
        ("https://bank.example", "http://bank.example/"), ("http://bank.example", "https://www.bank.example/"),
    ])
    func theAccountOfAnotherSiteIsGivenToNobodyWhoWasNotNamed(service: String, page: String) async throws {
        let person = Person(.refused, picks: ["1"])
        let result = try await pick([[Self.row(service)]], for: page, by: person)
        #expect(throws: ProtocolError(.cancelled, "")) { try result.get() }
        let question = try #require(person.otherSites.first)
        #expect(person.otherSites.count == 1)
        #expect(question.account == "ada")
        #expect(question.provider.identifier == BrokerFixture.provider)
        #expect(question.accountService != question.service)
    }

    @Test func theQuestionNamesBothSites() async throws {
        let person = Person(.allowed, picks: ["1"])
        let result = try await pick(
            [[Self.row("https://login.bank.example/x?y")]], for: "https://evil.example/login", by: person)
        #expect(try result.get().user == "ada")
        let question = try #require(person.otherSites.first)
        #expect(question.accountService == "login.bank.example")
        #expect(question.service == "evil.example")
    }

    @Test func ofOneHostTheQuestionNamesTheWayToo() async throws {
        let person = Person(.refused, picks: ["1"])
        _ = try await pick([[Self.row("https://bank.example")]], for: "http://bank.example:8080/", by: person)
        let question = try #require(person.otherSites.first)
        #expect(question.accountService == "https://bank.example")
        #expect(question.service == "http://bank.example:8080")
    }

    @Test(arguments: [
        ("https://bank.example", "https://bank.example/login"), ("bank.example", "https://www.bank.example/"),
        ("https://login.bank.example/x", "https://www.bank.example:8443/"), ("localhost", "http://localhost:8000/"),
        ("http://printer.example", "http://printer.example/"),
    ])
    func theAccountOfTheSameSiteIsGivenWithoutAQuestion(service: String, page: String) async throws {
        let person = Person(.refused, picks: ["1"])
        let result = try await pick([[Self.row(service)]], for: page, by: person)
        #expect(try result.get().user == "ada")
        #expect(person.otherSites.isEmpty)
    }

    @Test func whoNamedNoServiceIsAskedNothing() async throws {
        let person = Person(.refused, picks: ["1"])
        #expect(try await pick([[Self.row("bank.example")]], for: nil, by: person).get().user == "ada")
        #expect(person.otherSites.isEmpty)
    }

    @Test func theRowThatWasChosenLastCounts() async throws {
        let lists = [
            [Self.row("evil.example", id: "own"), Self.row("bank.example", id: "other")],
            [Self.row("evil.example", id: "own"), Self.row("bank.example", id: "other")],
        ]
        let person = Person(.refused, picks: ["own", "other"])
        let result = try await pick(lists, for: "https://evil.example/", by: person)
        #expect(throws: ProtocolError(.cancelled, "")) { try result.get() }
        let other = Person(.refused, picks: ["other", "own"])
        #expect(try await pick(lists, for: "https://evil.example/", by: other).get().user == "ada")
    }

    @Test func aListThatComesAfterTheChoiceChangesNothing() async throws {
        // The row is what it was when the person saw it, whatever the provider shows under its name later.
        let person = Person(.refused, picks: ["1"])
        let result = try await pick(
            [[Self.row("bank.example")], [Self.row("evil.example")]], for: "https://evil.example/", by: person, hasty: 1
        )
        #expect(throws: ProtocolError(.cancelled, "")) { try result.get() }
    }

    @Test func aRowThatWasNeverShownSaysNothing() async throws {
        let person = Person(.refused, picks: ["2"])
        let result = try await pick(
            [[Self.row("evil.example")]], for: "https://evil.example/", by: person,
            knowing: [BrokerFixture.identity(at: "bank.example")])
        #expect(throws: ProtocolError(.cancelled, "")) { try result.get() }
    }

    @Test(arguments: [
        // What the store knows of the user, and whether that is asked about.
        ([String](), false), (["https://evil.example"], false), (["https://bank.example"], true),
        (["https://bank.example", "evil.example"], true), (["bank.example", "shop.example"], true),
    ])
    func aRowThatSaysNothingIsLookedForAmongTheIdentities(known: [String], asks: Bool) async throws {
        let person = Person(.refused, picks: ["1"])
        let identities = known.enumerated().map { BrokerFixture.identity(at: $1, record: "r\($0)") }
        let result = try await pick(
            [[Self.row(nil)]], for: "https://evil.example/login", by: person,
            knowing: identities + [BrokerFixture.identity("eve", at: "third.example", record: "e")])
        #expect((try? result.get().user) == (asks ? nil : "ada"))
        #expect(person.otherSites.map(\.accountService) == (asks ? ["bank.example"] : []))
    }

    @Test(arguments: [("https://bank.example", true), ("evil.example", false)])
    func aCodeOfAnotherSiteIsAskedAboutToo(service: String, asks: Bool) async throws {
        let person = Person(.refused, picks: ["1"])
        let result = try await pick(
            [[Self.row(service)]], for: "https://evil.example/", by: person, target: .oneTimeCodes(provider: nil))
        #expect((try? result.get()) == nil || !asks)
        #expect(person.otherSites.map(\.account) == (asks ? ["Ada’s account"] : []))
    }

    private static func code(at service: String, _ label: String = "Ada’s account", record: String)
        -> CredentialIdentity
    {
        CredentialIdentity(
            kind: .oneTimeCode, service: ServiceIdentifier(service, kind: .domain), user: label,
            recordIdentifier: record)
    }

    @Test(arguments: [
        // What the store knows of codes, and the site that is asked about; nil for no question, empty for a site that
        // nobody knows.
        ([CredentialIdentity](), ""), ([code(at: "evil.example", record: "1")], nil),
        ([code(at: "evil.example", record: "r")], nil), ([code(at: "evil.example", "another", record: "1")], ""),
        ([code(at: "bank.example", record: "1")], "bank.example"),
        ([code(at: "bank.example", record: "1"), code(at: "evil.example", record: "r")], "bank.example"),
        ([code(at: "bank.example", record: "r"), code(at: "evil.example", record: "1")], nil),
        ([BrokerFixture.identity("Ada’s account", at: "evil.example", record: "1")], ""),
    ])
    func aCodeWhoseRowSaysNothingIsGivenWhereItIsKnown(known: [CredentialIdentity], asked: String?) async throws {
        let person = Person(.refused, picks: ["1"])
        let result = try await pick(
            [[Self.row(nil)]], for: "https://evil.example/", by: person, target: .oneTimeCodes(provider: nil),
            knowing: known)
        #expect(person.otherSites.map(\.accountService) == (asked.map { [$0] } ?? []))
        #expect((try? result.get()) == nil || asked == nil)
    }

    @Test func theVeryRowThatIsKnownForThePageNeedsNoQuestionWhateverElseHasItsName() async throws {
        let identities = [
            BrokerFixture.identity(at: "bank.example", record: "r"),
            BrokerFixture.identity(at: "evil.example", record: "1"),
        ]
        let person = Person(.refused, picks: ["1"])
        let result = try await pick(
            [[Self.row(nil)]], for: "https://evil.example/", by: person, knowing: identities)
        #expect(try result.get().user == "ada")
        #expect(person.otherSites.isEmpty)
        // Another user under that identifier is not what the row stands for.
        let other = Person(.refused, picks: ["1"])
        _ = try await pick(
            [[Self.row(nil)]], for: "https://evil.example/", by: other,
            knowing: [identities[0], BrokerFixture.identity("eve", at: "evil.example", record: "1")])
        #expect(other.otherSites.map(\.accountService) == ["bank.example"])
    }

    @Test func aQuestionThatIsTakenBackGivesNothing() async throws {
        let person = Person(nil, picks: ["1"])
        let result = try await pick([[Self.row("bank.example")]], for: "https://evil.example/", by: person)
        #expect(throws: ProtocolError(.cancelled, "")) { try result.get() }
    }

    @Test func whereNobodyCanBeAskedNothingIsGiven() async throws {
        let fixture = try BrokerFixture(FakeBundles { _, _ in try password() })
        try await fixture.provide([])
        let check = OtherSiteCheck(
            stores: fixture.broker.stores, suffixes: fixture.broker.suggester.suffixes, presenter: NoPresenter())
        let error = await failure {
            try await check.pass(
                try password(), of: ProviderReference(identifier: BrokerFixture.provider, name: "vault"),
                from: Self.row("bank.example"), to: [BrokerFixture.page])
        }
        #expect(error?.code == .interactionRequired)
        #expect(error?.message.contains("bank.example") == true)
    }
}
