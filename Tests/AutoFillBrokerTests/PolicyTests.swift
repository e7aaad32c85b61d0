import AutoFillProtocol
import AutoFillWire
import BrokerTestSupport
import Foundation
import KeywaySystem
import Testing

@testable import AutoFillBroker
@testable import BrokerBase

/// What the administrator has set: nobody who uses the computer loosens it, and everybody sees it.
@Suite(.timeLimit(.minutes(5))) struct PolicyTests {
    /// A broker whose policy lies in a folder of the test.
    private final class Stage {
        let etc: TemporaryFolder
        let fixture: BrokerFixture

        init(_ text: String? = nil, check: FakeCheck? = nil) throws {
            let etc = try TemporaryFolder()
            self.etc = etc
            if let text { try etc.write(text, to: "policy.toml") }
            fixture = try BrokerFixture(
                FakeBundles { _, _ in try password() },
                policy: PolicyFiles(
                    folder: etc.path, owner: geteuid(), isSystems: { _ in true }, log: EventLog { _ in }))
            if let check { fixture.broker.person.verifier.add(check) }
        }

        func set(_ text: String) throws { try etc.write(text, to: "policy.toml") }

        func turnOn() async throws {
            let terminal = try await fixture.client(.terminal)
            _ = try await terminal.call(
                SetProviderEnabled.self, .init(identifier: BrokerFixture.provider, isEnabled: true))
        }

        func change(_ settings: VerificationSettings) async throws {
            let terminal = try await fixture.client(.terminal)
            _ = try await terminal.call(ChangeVerification.self, .init(settings: settings))
        }

        func state() async throws -> VerificationState.Result {
            try await fixture.client(.terminal).call(VerificationState.self, Nothing())
        }
    }

    // MARK: - Providers

    @Test func aProviderThatIsNotAllowedCannotBeTurnedOnAndNobodyIsAsked() async throws {
        let stage = try Stage("[providers]\nallow = [\"org.keyway.passwords\"]\n")
        let error = await failure { try await stage.turnOn() }
        #expect(error?.code == .forbidden)
        #expect(error?.message.contains("set by the administrator (\(stage.etc.path)/policy.toml)") == true)
        let listed = try await stage.fixture.client(.terminal).call(ListProviders.self, Nothing()).providers
        #expect(listed.first?.isEnabled == false && listed.first?.notice?.contains("administrator") == true)
        #expect(stage.fixture.person.questions.filter { if case .enabling = $0 { true } else { false } }.isEmpty)
    }

    @Test func aProviderThatWasOnIsOffWhileItIsForbidden() async throws {
        let stage = try Stage()
        try await stage.fixture.provide([BrokerFixture.identity()])
        let client = try await stage.fixture.client()
        #expect(try await client.suggestions().count == 1)
        try stage.set("[providers]\nallow = []\n")
        #expect(try await stage.fixture.broker.directory.enabled().isEmpty)
        #expect(await failure { _ = try await client.fill("none") } != nil)
        let suggested = (try? await client.suggestions()) ?? []
        #expect(suggested.isEmpty)
        try stage.set("[providers]\nallow = [\"\(BrokerFixture.provider)\"]\n")
        #expect(try await stage.fixture.broker.directory.enabled().count == 1)
    }

    // MARK: - Verification

    @Test(arguments: [
        VerificationSettings(rule: .never, grace: 60), VerificationSettings(rule: .whenSetUp, grace: 60),
        VerificationSettings(rule: .always, grace: 61),
        VerificationSettings(rule: .always, grace: 0, providers: ["a": .never]),
    ])
    func looserSettingsAreRefusedBeforeAnybodyIsVerified(settings: VerificationSettings) async throws {
        let check = FakeCheck()
        let stage = try Stage("[verification]\nrule = \"always\"\ngrace = 60\n", check: check)
        #expect(await failure { try await stage.change(settings) }?.code == .forbidden)
        #expect(check.count == 0)
        try await stage.change(VerificationSettings(rule: .always, grace: 30))
        #expect(try await stage.state().settings == VerificationSettings(rule: .always, grace: 30))
    }

    @Test func whatWasSetBeforeCountsAsStrictAsItMustBe() async throws {
        let stage = try Stage()
        try await stage.change(VerificationSettings(rule: .never, grace: 3600, providers: ["a": .never]))
        #expect(try await stage.state().limits == nil)
        try stage.set("[verification]\nrule = \"always\"\ngrace = 10\n")
        let state = try await stage.state()
        #expect(state.settings == VerificationSettings(rule: .always, grace: 10, providers: ["a": .always]))
        #expect(state.limits == .init(rule: .always, grace: 10, files: [stage.etc.path + "/policy.toml"]))
    }

    @Test func aFillIsVerifiedAsTheAdministratorWants() async throws {
        let check = FakeCheck()
        let stage = try Stage(check: check)
        try await stage.fixture.provide([BrokerFixture.identity()])
        try await stage.change(VerificationSettings(rule: .never))
        let before = check.count
        let client = try await stage.fixture.client(.terminal)
        let handle = try #require(try await client.suggestions().first).handle
        _ = try await client.fill(handle, presents: true)
        #expect(check.count == before)
        try stage.set("[verification]\nrule = \"always\"\ngrace = 0\n")
        let again = try #require(try await client.suggestions().first).handle
        _ = try await client.fill(again, presents: true)
        #expect(check.count == before + 1)
    }

    // MARK: - History and browsers

    @Test func nothingIsWrittenDownWhereNoHistoryIsKept() async throws {
        let stage = try Stage("[history]\nkeep = false\n")
        try await stage.fixture.provide([BrokerFixture.identity()])
        let terminal = try await stage.fixture.client(.terminal)
        #expect(try await terminal.call(ListHistory.self, .init()).entries.isEmpty)
        try stage.set("")
        try await stage.change(VerificationSettings(rule: .always))
        #expect(try await terminal.call(ListHistory.self, .init()).entries.count == 1)
    }

    @Test func aBrowserThatIsNotAllowedGetsNothingWhateverThePersonSaid() async throws {
        let stage = try Stage()
        try await stage.fixture.provide([BrokerFixture.identity()])
        let client = try await stage.fixture.client()
        #expect(try await client.suggestions().count == 1)
        try stage.set("[browsers]\nallow = [\"/usr/lib/firefox-esr/firefox-esr\"]\n")
        #expect(await failure { _ = try await client.suggestions() }?.code == .forbidden)
        // Terminals are no browsers.
        #expect(try await stage.fixture.client(.terminal).suggestions().count == 1)
    }

    // MARK: - What is said

    @Test func everybodySeesWhatIsSetAndWhatIsWrong() async throws {
        let stage = try Stage("[vault]\nidle-lock = 300\n[history]\nkeep = maybe\n")
        let policy = try await stage.fixture.client(.terminal).call(BrokerStatus.self, Nothing()).policy
        #expect(policy?.settings.map(\.name) == ["vault.idle-lock", "history.keep"])
        #expect(policy?.faults.map(\.line) == [4])
    }
}
