import AutoFillProtocol
import AutoFillWire
import BrokerTestSupport
import Foundation
import Synchronization
import Testing

@testable import AutoFillBroker

/// What services hand out to programs in terminals, which is judged as a fill is.
@Suite(.timeLimit(.minutes(5))) struct ServicePermitTests {
    /// A service that asks, a terminal that is connected to it, and the service's end of the conversation with the broker.
    private struct Stage {
        let fixture: BrokerFixture
        let client: Connection

        init(check: FakeCheck? = nil, asks: Bool = true) async throws {
            let background = Background()
            fixture = try BrokerFixture(
                FakeBundles { _, _ in try password() },
                information: ["KeywayService": "service", "KeywayServiceAsksPermission": asks],
                isInBackground: { _ in background.isOn })
            self.background = background
            if let check { fixture.broker.person.verifier.add(check) }
            try await fixture.provide([BrokerFixture.identity()])
            client = try await fixture.client(.terminal)
        }

        let background: Background

        func set(_ rule: VerificationSettings.Rule, grace: Int = 0) async throws {
            try await fixture.broker.person.choices.change {
                $0.settings = VerificationSettings(rule: rule, grace: grace)
            }
        }

        /// Connects to the service; its number there.
        func connect() async throws -> Int? {
            _ = try await client.call(ConnectService.self, .init(provider: BrokerFixture.provider))
            return fixture.bundles.numbers.withLock { $0.last ?? nil }
        }

        func ask(_ purpose: PermitService.Purpose, _ number: Int) async throws {
            let service = try #require(fixture.bundles.started(.providerService).last).connection
            _ = try await service.call(PermitService.self, .init(number: number, purpose: purpose))
        }

        func entries() async throws -> [HistoryEntry] {
            try await fixture.client(.terminal).call(ListHistory.self, .init()).entries
        }
    }

    /// Whether programs are in the background.
    final class Background: Sendable {
        private let state = Mutex(false)
        var isOn: Bool { state.withLock { $0 } }
        func set(_ isOn: Bool) { state.withLock { $0 = isOn } }
    }

    private static func account(_ record: String = "r1") -> PermitService.Purpose {
        .account(.init(record: record, user: "ada", service: "a.example", kind: .password))
    }

    @Test func namesAndSecretsAreVerifiedAndWrittenDown() async throws {
        let check = FakeCheck()
        let stage = try await Stage(check: check)
        try await stage.set(.always)
        let number = try #require(try await stage.connect())
        #expect(check.count == 0)
        try await stage.ask(.names, number)
        try await stage.ask(Self.account(), number)
        #expect(check.count == 2)
        let entries = try await stage.entries()
        #expect(entries.prefix(2).map(\.event) == [.show, .list])
        #expect(entries.prefix(2).map(\.method) == [.pin, .pin])
        #expect(entries[0].account == "ada" && entries[0].service == "a.example" && entries[0].kind == .password)
        #expect(entries[0].provider?.identifier == BrokerFixture.provider)
        #expect(entries[1].account == nil)
    }

    @Test func whoCannotBeVerifiedGetsNeither() async throws {
        let stage = try await Stage(check: .failing())
        try await stage.set(.always)
        let number = try #require(try await stage.connect())
        #expect(await failure { try await stage.ask(.names, number) }?.code == .notVerified)
        #expect(await failure { try await stage.ask(Self.account(), number) }?.code == .notVerified)
        #expect(try await stage.entries().prefix(2).map(\.event) == [.refusal, .refusal])
    }

    @Test func replacingEverythingIsVerifiedWhateverIsSetAndWrittenDown() async throws {
        let check = FakeCheck()
        let stage = try await Stage(check: check)
        try await stage.set(.never, grace: 600)
        let number = try #require(try await stage.connect())
        try await stage.ask(.replacement, number)
        try await stage.ask(.replacement, number)
        #expect(check.count == 2)
        let entries = try await stage.entries()
        #expect(entries.first?.event == .change && entries.first?.method == .pin)
        stage.background.set(true)
        #expect(await failure { try await stage.ask(.replacement, number) }?.code == .interactionRequired)
    }

    @Test func anExportIsWrittenDownEachTimeAndNeverForTheBackground() async throws {
        let stage = try await Stage(check: FakeCheck())
        let number = try #require(try await stage.connect())
        try await stage.ask(.export, number)
        try await stage.ask(.export, number)
        let entries = try await stage.entries()
        #expect(entries.prefix(2).map(\.event) == [.show, .show])
        #expect(entries.first?.detail == "everything, as an export")
        stage.background.set(true)
        #expect(await failure { try await stage.ask(.export, number) }?.code == .interactionRequired)
    }

    @Test func whoCannotBeVerifiedReplacesNothing() async throws {
        let stage = try await Stage(check: .failing())
        try await stage.set(.never)
        let number = try #require(try await stage.connect())
        #expect(await failure { try await stage.ask(.replacement, number) }?.code == .notVerified)
    }

    @Test func aLongListIsOneLook() async throws {
        let check = FakeCheck()
        let stage = try await Stage(check: check)
        try await stage.set(.always)
        let number = try #require(try await stage.connect())
        for _ in 1...5 { try await stage.ask(.names, number) }
        #expect(check.count == 1)
        #expect(try await stage.entries().count { $0.event == .list } == 1)
        // It ends with time, with the session, and is nobody else's.
        stage.fixture.clock.advance(by: ServiceConversations.Conversation.lookLimit)
        try await stage.ask(.names, number)
        #expect(check.count == 2)
        await stage.fixture.broker.handle(.sessionLocked)
        try await stage.ask(.names, number)
        #expect(check.count == 3)
        try await stage.ask(.names, try #require(try await stage.connect()))
        #expect(check.count == 4)
    }

    @Test func accountsAreCountedAsThoseOfFills() async throws {
        let stage = try await Stage()
        try await stage.set(.never)
        let number = try #require(try await stage.connect())
        for index in 1...20 { try await stage.ask(Self.account("r\(index)"), number) }
        #expect(await failure { try await stage.ask(Self.account("r21"), number) }?.code == .rateLimited)
        // What was asked for lately is free, and so is another look at the names.
        try await stage.ask(Self.account("r20"), number)
        for _ in 1...40 { try await stage.ask(.names, try #require(try await stage.connect())) }
        let client = try await stage.fixture.client(.terminal)
        let handle = try #require(try await client.suggestions().first).handle
        #expect(await failure { _ = try await client.fill(handle) }?.code == .rateLimited)
    }

    private static func comparison(_ numbers: ClosedRange<Int>) -> PermitService.Purpose {
        .comparison(.init(records: numbers.map { "r\($0)" }, count: numbers.count))
    }

    @Test func comparedAccountsCountAsThoseThatAreGiven() async throws {
        let stage = try await Stage()
        try await stage.set(.never)
        let number = try #require(try await stage.connect())
        try await stage.ask(Self.comparison(1...15), number)
        #expect(await failure { try await stage.ask(Self.comparison(16...30), number) }?.code == .rateLimited)
        // The same ones again are free, and so is the secret of one of them.
        try await stage.ask(Self.comparison(1...15), number)
        try await stage.ask(Self.account("r15"), number)
        // Of more than may be given at once, as many are counted.
        stage.fixture.clock.advance(by: .seconds(60))
        try await stage.ask(Self.comparison(101...400), number)
        #expect(await failure { try await stage.ask(Self.account("r500"), number) }?.code == .rateLimited)
    }

    @Test func aComparisonIsVerifiedAndWrittenDownEachTime() async throws {
        let check = FakeCheck()
        let stage = try await Stage(check: check)
        try await stage.set(.always)
        let number = try #require(try await stage.connect())
        for _ in 1...2 { try await stage.ask(Self.comparison(1...2), number) }
        #expect(check.count == 2)
        let entries = try await stage.entries().filter { $0.event == .show }
        #expect(entries.count == 2 && entries.allSatisfy { $0.detail?.contains("compared with a document") == true })
    }

    @Test func backgroundGetsNothingThoughTheForegroundWasVerified() async throws {
        let stage = try await Stage(check: FakeCheck())
        try await stage.set(.always, grace: 300)
        let number = try #require(try await stage.connect())
        for purpose in [.use, .names, Self.account(), Self.comparison(1...2)] { try await stage.ask(purpose, number) }
        stage.background.set(true)
        for purpose in [.use, .names, Self.account(), Self.comparison(1...2)] {
            let error = await failure { try await stage.ask(purpose, number) }
            #expect(error?.code == .interactionRequired && error?.message.contains("background") == true)
        }
        stage.background.set(false)
        try await stage.ask(Self.account(), number)
    }

    @Test func backgroundIsAttachedAsAnotherSession() async throws {
        let stage = try await Stage()
        _ = try await stage.connect()
        stage.background.set(true)
        _ = try await stage.connect()
        let clients = stage.fixture.bundles.events.withLock { $0 }
        #expect(clients.count == 2 && clients[1].contains("terminal: -1"))
    }

    @Test func aVerificationInTheForegroundCountsForNoFillInTheBackground() async throws {
        let check = FakeCheck()
        let stage = try await Stage(check: check)
        try await stage.set(.always, grace: 300)
        for (isInBackground, count) in [(false, 1), (false, 1), (true, 2)] {
            stage.background.set(isInBackground)
            let client = try await stage.fixture.client(.terminal)
            let handle = try #require(try await client.suggestions().first).handle
            _ = try await client.fill(handle, presents: true)
            #expect(check.count == count)
        }
    }

    @Test func aFillInTheBackgroundThatNeedsThePersonFailsAtOnce() async throws {
        let background = Background()
        let fixture = try BrokerFixture(
            FakeBundles { _, _ in cancelled(100) }, isInBackground: { _ in background.isOn })
        try await fixture.provide([BrokerFixture.identity()])
        background.set(true)
        let client = try await fixture.client(.terminal)
        let handle = try #require(try await client.suggestions().first).handle
        let error = await failure { _ = try await client.fill(handle, presents: true) }
        #expect(error?.code == .interactionRequired && error?.message.contains("background") == true)
    }

    @Test func aServiceThatDoesNotAskIsJudgedWhenSomebodyIsConnectedToIt() async throws {
        let check = FakeCheck()
        let stage = try await Stage(check: check, asks: false)
        try await stage.set(.always)
        #expect(try await stage.connect() == nil)
        #expect(check.count == 1)
        // Nobody sees what it gives: that may be secrets.
        let entry = try #require(try await stage.entries().first)
        #expect(entry.event == .show && entry.method == .pin && entry.account == nil)
        #expect(entry.provider?.identifier == BrokerFixture.provider)
        #expect(entry.detail?.contains("whatever its service gives") == true)
        stage.background.set(true)
        #expect(await failure { _ = try await stage.connect() }?.code == .interactionRequired)
    }

    @Test func eachConnectionToAServiceThatDoesNotAskCountsAsAnotherAccount() async throws {
        let stage = try await Stage(asks: false)
        try await stage.set(.never)
        for _ in 1...20 { #expect(try await stage.connect() == nil) }
        #expect(await failure { _ = try await stage.connect() }?.code == .rateLimited)
        #expect(stage.fixture.bundles.events.withLock { $0.count } == 20)
        // The same program gets no secret on another way, either.
        let client = try await stage.fixture.client(.terminal)
        let handle = try #require(try await client.suggestions().first).handle
        #expect(await failure { _ = try await client.fill(handle) }?.code == .rateLimited)
    }

    @Test func aServiceThatDoesNotAskIsReachedByNobodyWhoCannotBeVerified() async throws {
        let stage = try await Stage(check: .failing(), asks: false)
        try await stage.set(.always)
        #expect(await failure { _ = try await stage.connect() }?.code == .notVerified)
        #expect(stage.fixture.bundles.events.withLock { $0.isEmpty })
    }

    @Test func whoHasEndedOrIsRefusedMeanwhileGetsNothingMore() async throws {
        let stage = try await Stage()
        let number = try #require(try await stage.connect())
        #expect(await failure { try await stage.ask(.use, number + 1) }?.code == .refused)
        stage.client.close()
        try await eventually { stage.fixture.broker.conversations.count == 0 }
        #expect(await failure { try await stage.ask(.use, number) }?.code == .refused)
    }

    @Test func numbersAreOfOneServiceAndTheOldestEnd() async throws {
        let stage = try await Stage()
        let all = ServiceConversations()
        let numbers = (0...ServiceConversations.most).map { _ in
            all.add(.init(connection: stage.client, provider: "a") { _, _, _ in })
        }
        #expect(all.count == ServiceConversations.most)
        #expect(all.conversation(numbers[0], of: "a") == nil)
        #expect(all.conversation(numbers[1], of: "a") != nil)
        #expect(all.conversation(numbers[1], of: "b") == nil)
    }
}
