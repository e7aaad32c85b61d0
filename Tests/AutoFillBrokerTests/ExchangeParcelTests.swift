import AutoFillWire
import BrokerTestSupport
import ClockTestSupport
import Foundation
import KeywayCrypto
import KeywaySystem
import Synchronization
import Testing

@testable import AutoFillBroker

/// What waits under a token, for whom and how long.
@Suite(.timeLimit(.minutes(1))) struct ExchangeParcelTests {
    private let clock = ManualClock()
    private let parcels: ExchangeParcels

    init() {
        parcels = ExchangeParcels(clock: clock, random: SystemRandomSource())
    }

    private static func data(_ text: String = "secret") throws -> SecretFile {
        SecretFile(try Array(text.utf8).withUnsafeBytes { bytes throws in try SealedMemory(copying: bytes) })
    }

    /// What everybody learns who gets nothing.
    private static let refusal = "No accounts wait under this token."

    private func refusal(_ token: String, for destination: String = "b") async -> String? {
        await failure { _ = try await parcels.take(token, for: destination) }?.message
    }

    @Test func whatWaitsIsGivenOnceToWhomItIsFor() async throws {
        let taken = Atomic(0)
        let token = try parcels.put(try Self.data(), for: "b") { taken.add(1, ordering: .relaxed) }
        #expect(!parcels.isTaken(token))
        #expect(try await parcels.take(token.uuidString, for: "b").text == "secret")
        #expect(parcels.isTaken(token))
        #expect(await refusal(token.uuidString) == Self.refusal)
        #expect(taken.load(ordering: .relaxed) == 1)
    }

    @Test func anotherProviderGetsNothingAndTakesNothingAway() async throws {
        let token = try parcels.put(try Self.data(), for: "b")
        #expect(await refusal(token.uuidString, for: "c") == Self.refusal)
        #expect(try await parcels.take(token.uuidString, for: "b").text == "secret")
    }

    @Test(arguments: ["", "x", UUID().uuidString])
    func aTokenThatNobodyMadeIsAnsweredAlike(token: String) async throws {
        _ = try parcels.put(try Self.data(), for: "b")
        #expect(await refusal(token) == Self.refusal)
    }

    @Test(arguments: [(599, true), (600, false)])
    func aTokenIsGoodForTenMinutes(seconds: Int, isGood: Bool) async throws {
        let token = try parcels.put(try Self.data(), for: "b")
        clock.advance(by: .seconds(seconds))
        #expect(await (refusal(token.uuidString) == nil) == isGood)
    }

    @Test func aTokenThatWasTakenBackIsGoodForNothing() async throws {
        let token = try parcels.put(try Self.data(), for: "b")
        parcels.remove(token)
        #expect(await refusal(token.uuidString) == Self.refusal)
        #expect(parcels.count == 0)
    }

    @Test func whoeverTakesWaitsForTheSessionToBeUnlocked() async throws {
        let token = try parcels.put(try Self.data(), for: "b")
        parcels.hold()
        let taking = Task { [parcels] in try await parcels.take(token.uuidString, for: "b").text }
        try await clock.waitForSleeper(of: ExchangeParcels.life)
        #expect(!parcels.isTaken(token))
        parcels.release()
        #expect(try await taking.value == "secret")
    }

    @Test func nobodyWaitsLongerThanTheParcelDoes() async throws {
        let token = try parcels.put(try Self.data(), for: "b")
        parcels.hold()
        let taking = Task { await refusal(token.uuidString) }
        try await clock.waitForSleeper(of: ExchangeParcels.life)
        clock.advance(by: ExchangeParcels.life)
        #expect(await taking.value == Self.refusal)
    }

    @Test func whatCouldStillChangeIsNotTaken() throws {
        let (one, _) = try LocalSocket.pair()
        #expect(throws: ProtocolError(.invalidParameters, "")) { try parcels.put(SecretFile(one), for: "b") }
        #expect(parcels.count == 0)
    }

    @Test func fewWaitAtATime() throws {
        for _ in 0..<ExchangeParcels.most { _ = try parcels.put(try Self.data(), for: "b") }
        #expect(throws: ProtocolError(.busy, "")) { try parcels.put(try Self.data(), for: "b") }
    }
}
