import AutoFillProtocol
import BrokerTestSupport
import ClockTestSupport
import Foundation
import KeywaySystem
import ServiceMatching
import Testing

@testable import AutoFillBroker
@testable import BrokerBase

/// What is remembered of fills.
struct RecentFillsTests {
    private let clock = ManualClock()
    private let suffixes = PublicSuffixes()
    private let client = RecentFills.Client.connection(ObjectIdentifier(ManualClock.self))

    private func page(_ url: String = "https://a.example/login") throws -> ServiceAddress {
        try #require(ServiceAddress(ServiceIdentifier(url, kind: .url), suffixes: suffixes))
    }

    private func party(_ name: String = "a.example") throws -> RelyingParty {
        try #require(RelyingParty(name, suffixes: suffixes))
    }

    @Test func fewAreRememberedAndTheOldestGoesFirst() throws {
        let fills = RecentFills(clock: clock)
        for number in 0...RecentFills.most { fills.add("\(number)", of: "p", in: try page(), for: client) }
        #expect(fills.count == RecentFills.most)
        #expect(fills.provider(of: "0", at: try party(), from: try page("https://a.example/"), for: client) == nil)
        #expect(fills.provider(of: "1", at: try party(), from: try page("https://a.example/"), for: client) == "p")
        #expect(
            fills.provider(
                of: "\(RecentFills.most)", at: try party(), from: try page("https://a.example/"), for: client) == "p")
    }

    @Test func theLastProviderThatFilledCounts() throws {
        let fills = RecentFills(clock: clock)
        fills.add("ada", of: "first", in: try page(), for: client)
        fills.add("ada", of: "second", in: try page(), for: client)
        #expect(
            fills.provider(of: "ada", at: try party(), from: try page("https://a.example/"), for: client) == "second")
    }

    @Test func whatIsTooOldIsForgottenForGood() throws {
        let fills = RecentFills(clock: clock)
        fills.add("ada", of: "p", in: try page(), for: client)
        clock.advance(by: RecentFills.lifetime)
        #expect(fills.count == 0)
        fills.add("eve", of: "p", in: try page(), for: client)
        #expect(fills.count == 1)
    }

    @Test func whatWasFilledBeforeTheMachineSleptIsAsOldAsItIs() throws {
        let fills = RecentFills(clock: clock)
        fills.add("ada", of: "p", in: try page(), for: client)
        clock.letMachineSleep(for: RecentFills.lifetime - .seconds(1))
        #expect(fills.count == 1)
        clock.letMachineSleep(for: .seconds(1))
        #expect(fills.count == 0)
    }

    @Test func aUsedFillTakesThoseOfTheAccountWithIt() throws {
        let fills = RecentFills(clock: clock)
        fills.add("ada", of: "p", in: try page("https://login.a.example/"), for: client)
        fills.add("ada", of: "p", in: try page("https://b.example/"), for: client)
        fills.add("eve", of: "p", in: try page(), for: client)
        #expect(
            fills.take(
                "ada", at: try party(), from: try page("https://a.example/"),
                for: .connection(ObjectIdentifier(Self.self))) == nil)
        #expect(fills.take("ada", at: try party(), from: try page("https://a.example/"), for: client) == "p")
        #expect(fills.take("ada", at: try party(), from: try page("https://a.example/"), for: client) == nil)
        #expect(fills.provider(of: "ada", at: try party(), from: try page("https://a.example/"), for: client) == nil)
        #expect(
            fills.provider(of: "ada", at: try party("b.example"), from: try page("https://b.example/"), for: client)
                == "p")
        #expect(fills.provider(of: "eve", at: try party(), from: try page("https://a.example/"), for: client) == "p")
    }

    @Test func aHostBelowThePartyTakesNoFillOfAnother() throws {
        let fills = RecentFills(clock: clock)
        fills.add("ada", of: "p", in: try page("https://login.a.example/"), for: client)
        for (asker, counts) in [
            ("https://evil.a.example/", false), ("https://login.a.example/", true), ("https://a.example/", true),
        ] {
            let found = fills.provider(of: "ada", at: try party(), from: try page(asker), for: client)
            #expect((found == "p") == counts, "\(asker)")
        }
        #expect(fills.take("ada", at: try party(), from: try page("https://evil.a.example/"), for: client) == nil)
        #expect(fills.count == 1)
        // An app is no page.
        #expect(fills.take("ada", at: try party(), from: nil, for: client) == "p")
    }
}
