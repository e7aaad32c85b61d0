import AutoFillProtocol
import AutoFillWire
import BrokerTestSupport
import Foundation
import Synchronization
import Testing

@testable import AutoFillBroker

/// Sites that a browser's profile fills for the first time: the person confirms each once, outside the page.
@Suite(.timeLimit(.minutes(5))) struct NewSiteTests {
    private struct Stage {
        let fixture: BrokerFixture
        let client: Connection
        var person: ScriptedPerson { fixture.person }

        init(sites: Int = 2) async throws {
            fixture = try BrokerFixture(FakeBundles { _, _ in try password() })
            try await fixture.provide(
                (1...sites).map { BrokerFixture.identity(at: "https://a\($0).example", record: "r\($0)") })
            client = try await fixture.client()
        }

        /// What the person was asked about sites.
        var asked: [AskPerson.NewSite] {
            person.questions.compactMap { if case .newSite(let question) = $0 { question } else { nil } }
        }

        @discardableResult
        func fill(_ site: Int, client: Connection? = nil, isPrivate: Bool? = nil) async throws -> Fill.Result {
            let (client, page) = (client ?? self.client, ServiceIdentifier("https://a\(site).example/", kind: .url))
            let handle = try #require(try await client.suggestions(page).first).handle
            return try await client.call(
                Fill.self,
                .init(target: .suggestion(handle: handle), services: [page], presents: false, isPrivate: isPrivate))
        }
    }

    @Test func aNewSiteIsAskedAboutOnceAndNamed() async throws {
        let stage = try await Stage()
        for _ in 1...3 { try await stage.fill(1) }
        #expect(stage.asked.count == 1)
        #expect(stage.asked[0].service == "a1.example" && stage.asked[0].account == "ada")
        #expect(stage.asked[0].provider?.identifier == BrokerFixture.provider)
        try await stage.fill(2)
        #expect(stage.asked.count == 2)
        // It is remembered, also by another connection, and no name of a site is written down.
        try await stage.fill(1, client: try await stage.fixture.client())
        #expect(stage.asked.count == 2)
        let file = try String(
            contentsOfFile: stage.fixture.folder.path + "/.local/state/keyway/sites.json", encoding: .utf8)
        #expect(!file.contains("a1.example"))
    }

    @Test func aSiteThatThePersonRefusesGetsNothingAndHarvestingStops() async throws {
        let stage = try await Stage(sites: 3)
        try await stage.fill(3)
        stage.person.add(answers: false)
        #expect(await failure { try await stage.fill(1) }?.code == .cancelled)
        // Nobody is asked about the next one for a while; what was confirmed goes on.
        let other = await failure { try await stage.fill(2) }
        #expect(other?.code == .rateLimited && other?.message.contains("keyway clients allow") == true)
        #expect(stage.asked.count == 2)
        try await stage.fill(3)
        stage.fixture.clock.advance(by: AskingPauses.first)
        try await stage.fill(2)
        let entries = try await stage.fixture.client(.terminal).call(ListHistory.self, .init()).entries
        #expect(entries.contains { $0.event == .refusal && $0.service == "a1.example" })
    }

    @Test func aQuestionThatThePersonClosesStopsHarvestingToo() async throws {
        let stage = try await Stage(sites: 3)
        try await stage.fill(3)
        stage.person.set(nextIsClosed: true)
        #expect(await failure { try await stage.fill(1) }?.code == .cancelled)
        #expect(await failure { try await stage.fill(2) }?.code == .rateLimited)
        #expect(stage.asked.count == 2)
        stage.fixture.clock.advance(by: AskingPauses.first)
        try await stage.fill(2)
    }

    @Test func newSitesAreCountedForTheProgramAndThePersonIsTold() async throws {
        let stage = try await Stage(sites: 12)
        let told = Told()
        var methods = MethodTable()
        methods.on(BrokerNotice.self) { notice, _ in told.lines.withLock { $0.append(notice.text) } }
        let terminal = try await stage.fixture.client(.terminal, methods)
        _ = try await terminal.call(ListClients.self, Nothing())
        for site in 1...10 { try await stage.fill(site) }
        #expect(await failure { try await stage.fill(11) }?.code == .rateLimited)
        #expect(stage.asked.count == 10)
        try await eventually { told.lines.withLock { $0.contains { $0.contains("many new sites in a row") } } }
        try await stage.fill(1)
    }

    private final class Told: Sendable {
        let lines = Mutex<[String]>([])
    }

    @Test func whereNobodyCanBeAskedItSaysWhatToType() async throws {
        let stage = try await Stage()
        try await stage.fill(1)
        stage.person.set(isThere: false)
        let error = await failure { try await stage.fill(2) }
        #expect(error?.code == .interactionRequired)
        #expect(
            error?.message.contains("keyway clients allow") == true && error?.message.contains("a2.example") == true)
        try await stage.fill(1)
    }

    @Test func whatIsAllowedInATerminalIsFilledAndThePersonWasAsked() async throws {
        let stage = try await Stage()
        let terminal = try await stage.fixture.client(.terminal)
        let list = { try await terminal.call(ListClients.self, Nothing()).clients }
        let before = await failure { try await stage.fill(1) }
        #expect(before == nil)
        let browser = try #require(try await list().first { $0.role == .browser })
        stage.person.add(answers: false)
        let allow = ChangeClient.Parameters(identifier: browser.identifier, change: .allowSite("login.a2.example"))
        #expect(await failure { _ = try await terminal.call(ChangeClient.self, allow) }?.code == .cancelled)
        _ = try await terminal.call(ChangeClient.self, allow)
        let count = stage.asked.count
        try await stage.fill(2)
        #expect(stage.asked.count == count)
    }

    @Test func nothingOfAPrivateWindowIsRemembered() async throws {
        let stage = try await Stage()
        for count in 1...2 {
            try await stage.fill(1, isPrivate: true)
            #expect(stage.asked.count == count)
        }
    }

    @Test(arguments: [ChangeClient.Change.refuse, .forget]) func sitesGoWithTheApproval(
        change: ChangeClient.Change
    ) async throws {
        let stage = try await Stage()
        try await stage.fill(1)
        let terminal = try await stage.fixture.client(.terminal)
        let browser = try #require(
            try await terminal.call(ListClients.self, Nothing()).clients.first { $0.role == .browser })
        _ = try await terminal.call(ChangeClient.self, .init(identifier: browser.identifier, change: change))
        if change == .refuse {
            _ = try await terminal.call(ChangeClient.self, .init(identifier: browser.identifier, change: .approve))
        }
        try await stage.fill(1, client: try await stage.fixture.client())
        #expect(stage.asked.count == 2)
    }

    @Test func sitesGoWithTheHistory() async throws {
        let stage = try await Stage()
        try await stage.fill(1)
        _ = try await stage.fixture.client(.terminal).call(ClearHistory.self, Nothing())
        try await stage.fill(1)
        #expect(stage.asked.count == 2)
    }

    @Test func profilesAreApartAndTheOldestSitesGo() async throws {
        let stage = try await Stage()
        let sites = stage.fixture.broker.sites
        func profile(_ name: String) -> ClientIdentity {
            ClientIdentity(role: .browser, isKnown: true, path: nil, profile: name, browser: "/usr/bin/browser")
        }
        try sites.add("a.example", of: profile("one"))
        #expect(try sites.contains("a.example", of: profile("one")))
        #expect(try !sites.contains("a.example", of: profile("two")))
        #expect(profile("one").program.identifier == profile("two").program.identifier)
        try sites.forget(profile("two"))
        #expect(try sites.contains("a.example", of: profile("one")))
        try sites.forget(profile("two"), withProfiles: true)
        #expect(try !sites.contains("a.example", of: profile("one")))
    }
}
