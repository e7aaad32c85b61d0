import AutoFillProtocol
import AutoFillWire
import BrokerTestSupport
import Foundation
import KeywaySystem
import Synchronization
import Testing
import WebAuthnValues

@testable import AutoFillBroker

/// "User verified" is true only after a verification in this request; where it is required and did not happen, there is
/// no answer.
@Suite(.timeLimit(.minutes(5))) struct UserVerificationTests {
    /// How the one method of the machine is.
    enum Method: CaseIterable {
        case present, absent, failing

        var check: FakeCheck {
            switch self {
            case .present: FakeCheck()
            case .absent: FakeCheck(isAvailable: false)
            case .failing: .failing()
            }
        }
    }

    private static let userVerified: UInt8 = 0x05
    private static let userPresent: UInt8 = 0x01

    /// What a provider of passkeys does that keeps the rules: it says "verified" where it is told so.
    private static func honest(_ request: PerformRequest.Request) -> PerformRequest.Result {
        switch request {
        case .provideWithoutInteraction(let request), .provideWithInteraction(let request):
            Sample.signature(flags: request.isPersonVerified == true ? userVerified : userPresent)
        case .list(_, let passkeys?):
            Sample.signature(flags: passkeys.isPersonVerified == true ? userVerified : userPresent)
        case .registerPasskey(let passkey), .registerPasskeyWithoutInteraction(let passkey):
            Sample.made(flags: passkey.isPersonVerified == true ? 0x45 : 0x41)
        default: cancelled(0)
        }
    }

    private static func stage(
        _ check: FakeCheck, _ answer: @escaping @Sendable (PerformRequest.Request) -> PerformRequest.Result = honest
    ) async throws -> (fixture: BrokerFixture, client: Connection, asked: Asked) {
        let asked = Asked()
        let fixture = try BrokerFixture(
            FakeBundles { request, _ in
                asked.add(request)
                return answer(request)
            }, information: Sample.declares(Sample.keeps))
        fixture.broker.person.verifier.add(check)
        try await fixture.provide([Sample.passkey()])
        return (fixture, try await fixture.client(.terminal), asked)
    }

    /// What the provider was asked.
    final class Asked: Sendable {
        private let requests = Mutex<[PerformRequest.Request]>([])

        func add(_ request: PerformRequest.Request) { requests.withLock { $0.append(request) } }

        var count: Int { requests.withLock { $0.count } }
    }

    private static func sign(
        _ client: Connection, _ preference: UserVerificationPreference, list: Bool = false
    ) async throws -> UInt8 {
        let handle = try #require(
            await client.call(Suggest.self, .init(services: [BrokerFixture.page], kinds: [.passkey])).suggestions.first
        ).handle
        let result = try await client.call(
            Fill.self,
            .init(
                target: list ? .list(provider: nil) : .suggestion(handle: handle), services: [BrokerFixture.page],
                presents: true, passkey: Sample.asked(verification: preference)))
        guard case .passkey(let credential) = result.credential else { throw NotInTime() }
        return credential.authenticatorData[32]
    }

    private static func register(
        _ client: Connection, _ preference: UserVerificationPreference
    ) async throws -> UInt8 {
        let result = try await client.call(
            RegisterPasskey.self,
            .init(
                registration: Sample.registration(verification: preference), provider: nil,
                isConditional: false, presents: true))
        return try AttestationObject(result.credential.attestationObject).authenticatorData.flags.rawValue
    }

    private static func isVerified(_ flags: UInt8) -> Bool { flags & 0x04 != 0 }

    /// Whether the flag is set for each combination; nil where the request must fail with `notVerified`.
    static let table: [(UserVerificationPreference, Method, Bool?)] = [
        (.required, .present, true), (.required, .absent, nil), (.required, .failing, nil),
        (.preferred, .present, true), (.preferred, .absent, false), (.preferred, .failing, nil),
        (.discouraged, .present, false), (.discouraged, .absent, false), (.discouraged, .failing, false),
    ]

    @Test(arguments: table)
    func aSignatureSaysVerifiedOnlyAfterAVerification(
        preference: UserVerificationPreference, method: Method, expected: Bool?
    ) async throws {
        let check = method.check
        let stage = try await Self.stage(check)
        guard let expected else {
            let error = await failure { _ = try await Self.sign(stage.client, preference) }
            #expect(error?.code == .notVerified)
            if method == .failing { #expect(stage.asked.count == 0, "the check precedes the provider's call") }
            return
        }
        #expect(try await Self.isVerified(Self.sign(stage.client, preference)) == expected)
        #expect(check.count == (expected ? 1 : 0))
    }

    @Test(arguments: table)
    func aNewPasskeySaysVerifiedOnlyAfterAVerification(
        preference: UserVerificationPreference, method: Method, expected: Bool?
    ) async throws {
        let stage = try await Self.stage(method.check)
        guard let expected else {
            let error = await failure { _ = try await Self.register(stage.client, preference) }
            #expect(error?.code == .notVerified)
            return
        }
        #expect(try await Self.isVerified(Self.register(stage.client, preference)) == expected)
    }

    @Test(arguments: table)
    func aListSaysVerifiedOnlyAfterAVerification(
        preference: UserVerificationPreference, method: Method, expected: Bool?
    ) async throws {
        let stage = try await Self.stage(method.check)
        guard let expected else {
            let error = await failure { _ = try await Self.sign(stage.client, preference, list: true) }
            #expect(error?.code == .notVerified)
            return
        }
        #expect(try await Self.isVerified(Self.sign(stage.client, preference, list: true)) == expected)
    }

    @Test(arguments: [UserVerificationPreference.preferred, .discouraged])
    func whoeverSaysVerifiedWithoutThatIsRefused(preference: UserVerificationPreference) async throws {
        let stage = try await Self.stage(FakeCheck(isAvailable: false)) { request in
            if case .registerPasskey = request { Sample.made(flags: 0x45) } else { Sample.signature(flags: 0x05) }
        }
        let signed = await failure { _ = try await Self.sign(stage.client, preference) }
        #expect(signed?.code == .providerFailed)
        let listed = await failure { _ = try await Self.sign(stage.client, preference, list: true) }
        #expect(listed?.code == .providerFailed)
        let made = await failure { _ = try await Self.register(stage.client, preference) }
        #expect(made?.code == .providerFailed)
    }

    @Test func aVerificationOfAnEarlierRequestDoesNotCount() async throws {
        let check = FakeCheck()
        let stage = try await Self.stage(check) { _ in Sample.signature(flags: 0x05) }
        #expect(try await Self.sign(stage.client, .required) & 0x04 != 0)
        check.set(isAvailable: false)
        let error = await failure { _ = try await Self.sign(stage.client, .preferred) }
        #expect(error?.code == .providerFailed)
    }

    @Test func nobodyIsAskedForAPasskeyInTheBackground() async throws {
        let check = FakeCheck()
        let stage = try await UpgradeStage(check: check)
        try await stage.fill()
        let made = try await stage.upgrade(Sample.registration(verification: .required))
        let flags = try AttestationObject(made.credential.attestationObject).authenticatorData.flags
        #expect(!flags.contains(.userVerified))
        #expect(check.count == 0)
    }

    @Test func aClientCannotSayThatThePersonWasVerified() async throws {
        let stage = try await Self.stage(FakeCheck(isAvailable: false))
        let lie = PasskeyRequestParameters(
            relyingParty: "a.example", assertion: Sample.asked().assertion, isPersonVerified: true)
        let result = try await stage.client.call(
            Fill.self,
            .init(target: .list(provider: nil), services: [BrokerFixture.page], presents: true, passkey: lie))
        guard case .passkey(let credential) = result.credential else { throw NotInTime() }
        #expect(credential.authenticatorData[32] == Self.userPresent)
    }

    @Test func aMethodThatIsGoneWhenItIsTriedIsAnAbsentOne() async throws {
        let box = Mutex<FakeCheck?>(nil)
        let check = FakeCheck { () async throws(ProtocolError) in
            box.withLock { $0 }?.set(isAvailable: false)
            throw ProtocolError(.notVerified, "nobody asks in this session")
        }
        box.withLock { $0 = check }
        let stage = try await Self.stage(check)
        #expect(try await Self.sign(stage.client, .preferred) & 0x04 == 0)
    }

    @Test func thePersonWhoBacksOutGivesNothing() async throws {
        let stage = try await Self.stage(
            FakeCheck { () async throws(ProtocolError) in throw ProtocolError(.cancelled, "backed out") })
        let error = await failure { _ = try await Self.sign(stage.client, .preferred) }
        #expect(error?.code == .cancelled && stage.asked.count == 0)
    }

    @Test func theQuestionNamesSiteAndAccount() async throws {
        let check = FakeCheck()
        let stage = try await Self.stage(check)
        _ = try await Self.sign(stage.client, .required)
        let subject = try #require(check.subjects.withLock { $0 }.first)
        #expect(subject.service == "a.example" && subject.account == "ada")
        #expect(subject.provider?.identifier == BrokerFixture.provider)
    }

    // MARK: - Attestations

    @Test(arguments: [
        Data(), Data([0x80]), Data([0xa0]), Data(count: 100), Sample.attestation() + Data([0]),
        Sample.attestation().dropLast(),
        // The data twice: others may read the second.
        Data([0xa4]) + Sample.attestation().dropFirst() + Sample.attestedData(flags: 0x45),
        // A map of indefinite length.
        Data([0xbf]) + Sample.attestation().dropFirst() + Data([0xff]),
    ])
    func anAttestationThatCanBeReadInTwoWaysIsNotRead(object: Data) {
        #expect(Self.fault(of: object) != nil)
    }

    @Test func everyPrefixOfAnAttestationIsRefused() {
        let object = Sample.attestation(flags: 0x45)
        for count in 0..<object.count { #expect(Self.fault(of: object.prefix(count)) != nil) }
        #expect(Self.fault(of: object) == nil)
    }

    /// What the broker finds in a new passkey with this attestation, of a person who was verified.
    private static func fault(of object: Data) -> String? {
        AnswerJudge(
            expectation: .registration(Sample.registration(verification: .required)), isPersonVerified: true
        ).fault(of: Sample.made(object: object))
    }
}
