import AutoFillProtocol
import AutoFillWire
import BrokerTestSupport
import KeywaySystem
import Synchronization
import Testing

@testable import AutoFillBroker
@testable import BrokerBase

@Suite(.timeLimit(.minutes(1))) struct DeliveryTests {
    /// A provider that answers as it is told, and how it does next.
    private final class Mood: Sendable {
        let next = Mutex<@Sendable () async throws -> PerformRequest.Result>({ try password() })

        func becomes(_ answer: @escaping @Sendable () async throws -> PerformRequest.Result) {
            next.withLock { $0 = answer }
        }
    }

    private let mood = Mood()
    private let fixture: BrokerFixture

    init() throws {
        let mood = mood
        fixture = try BrokerFixture(FakeBundles { _, _ in try await mood.next.withLock { $0 }() })
    }

    private static let accounts = (0..<6).map { BrokerFixture.identity("user\($0)", record: "\($0)") }

    /// Fills with what is suggested first, and what came of it.
    @discardableResult
    private func fill(_ client: Connection) async throws -> ProtocolError.Code? {
        let handle = try #require(await client.suggestions().first).handle
        return await failure { _ = try await client.fill(handle) }?.code
    }

    @Test(arguments: [(0, ProtocolError.Code.providerFailed), (101, .notFound)])
    func threeFailuresInARowTakeTheSuggestionsAway(code: Int, expected: ProtocolError.Code) async throws {
        try await fixture.provide(Self.accounts)
        let client = try await fixture.client()
        mood.becomes { cancelled(code) }
        for _ in 0..<2 { #expect(try await fill(client) == expected) }
        #expect(try await !client.suggestions().isEmpty)
        #expect(try await fill(client) == expected)
        #expect(try await client.suggestions().isEmpty)
    }

    @Test func missedDeadlineCountsAsWell() async throws {
        try await fixture.provide(Self.accounts)
        let client = try await fixture.client()
        mood.becomes { cancelled(0) }
        for _ in 0..<2 { try await fill(client) }
        mood.becomes { try await hang() }
        let handle = try #require(await client.suggestions().first).handle
        let late = Task { await failure { _ = try await client.fill(handle) } }
        try await fixture.clock.waitForSleeper(of: ProviderRequest.quietLimit)
        fixture.clock.advance(by: ProviderRequest.quietLimit)
        #expect(await late.value?.code == .timedOut)
        #expect(try await client.suggestions().isEmpty)
    }

    @Test func cancelNeitherCountsNorForgives() async throws {
        try await fixture.provide(Self.accounts)
        let client = try await fixture.client()
        for code in [0, 1, 0, 1] {
            mood.becomes { cancelled(code) }
            try await fill(client)
        }
        #expect(try await !client.suggestions().isEmpty)
        mood.becomes { cancelled(0) }
        try await fill(client)
        #expect(try await client.suggestions().isEmpty)
    }

    @Test func deliveryForgives() async throws {
        try await fixture.provide(Self.accounts)
        let client = try await fixture.client()
        for isGood in [false, false, true, false, false] {
            mood.becomes { isGood ? try password() : cancelled(0) }
            try await fill(client)
        }
        #expect(try await !client.suggestions().isEmpty)
    }

    @Test func personIsToldOnceAndTheListSaysSo() async throws {
        try await fixture.provide(Self.accounts)
        let client = try await fixture.client()
        mood.becomes { cancelled(0) }
        for _ in 0..<3 { try await fill(client) }
        func told() async throws -> [String] {
            let notices = Mutex<[String]>([])
            var table = MethodTable()
            table.on(BrokerNotice.self) { notice, _ in notices.withLock { $0.append(notice.text) } }
            let terminal = try await fixture.client(.terminal, table)
            for _ in 0..<50 { _ = try await terminal.call(BrokerStatus.self, Nothing()) }
            let list = try await terminal.call(ListProviders.self, Nothing())
            #expect(list.providers.first?.notice?.contains("removed its suggestions") == true)
            terminal.close()
            return notices.withLock { $0 }
        }
        let first = try await told()
        #expect(first.count == 1 && first.first?.contains("3 times") == true)
        #expect(try await told().isEmpty)
        // It begins anew.
        try await fixture.provide(Self.accounts)
        let list = try await fixture.client(.terminal).call(ListProviders.self, Nothing())
        #expect(list.providers.first?.notice == nil)
        try await fill(client)
        #expect(try await !client.suggestions().isEmpty)
    }

    @Test func countOutlivesTheBroker() async throws {
        let path = fixture.folder.path + "/deliveries.json"
        let log = EventLog { _ in }
        for expected in [false, false, true] {
            #expect(await Deliveries(path: path, log: log).failed("test.vault") == expected)
        }
        #expect(await Deliveries(path: path, log: log).isWiped("test.vault"))
        await Deliveries(path: path, log: log).forget("test.vault")
        #expect(await !Deliveries(path: path, log: log).isWiped("test.vault"))
    }

    @Test(arguments: ["", "{", "{\"version\":2}"]) func damagedCountBeginsAnew(text: String) async throws {
        try fixture.folder.write(text, to: "deliveries.json")
        let deliveries = Deliveries(path: fixture.folder.path + "/deliveries.json", log: EventLog { _ in })
        #expect(await !deliveries.failed("test.vault"))
    }

    @Test func providersAreCountedApart() async throws {
        let deliveries = Deliveries(path: fixture.folder.path + "/deliveries.json", log: EventLog { _ in })
        for provider in ["a", "b", "a", "b"] { #expect(await !deliveries.failed(provider)) }
        #expect(await deliveries.failed("a"))
    }
}
