import AutoFillProtocol
import AutoFillWire
import BrokerTestSupport
import Foundation
import Synchronization
import Testing

@testable import AutoFillBroker

/// An account that was just signed in to with its password gets a passkey by itself, where every condition is met.
@Suite(.timeLimit(.minutes(5))) struct UpgradeTests {
    private static let other = Data([5, 6])

    private static func registration(
        _ user: String = "ada", at party: String = "a.example", handle: Data = Sample.handle, excluded: [Data] = []
    ) -> PasskeyRegistration {
        PasskeyRegistration(
            relyingParty: party, userName: user, userHandle: handle, clientDataHash: Sample.hash,
            userVerification: .preferred, algorithms: [-7], excludedCredentials: excluded)
    }

    // MARK: - Every condition is met

    @Test(arguments: [Role.browser, .terminal])
    func aFilledAccountGetsAPasskey(role: Role) async throws {
        let stage = try await UpgradeStage(role: role)
        try await stage.fill()
        let result = try await stage.upgrade()
        #expect(result.credential.credentialID == Sample.credentialID)
        #expect(result.provider.identifier == BrokerFixture.provider)
        #expect(stage.asked.all == [.registerPasskeyWithoutInteraction(Sample.registration())])
        let entry = try #require(try await stage.history().first)
        #expect(entry.event == .registration)
        #expect(entry.detail == "created in the background, after its password was filled")
        #expect(entry.account == "ada" && entry.service == "a.example" && entry.kind == .passkey)
    }

    @Test func thePersonIsToldAndCanTakeItBack() async throws {
        let stage = try await UpgradeStage()
        try await stage.add("second", UpgradeStage.declared)
        try await stage.fill()
        _ = try await stage.upgrade()
        try await eventually { stage.notifier.notes.count == 1 }
        let note = try #require(stage.notifier.notes.first)
        #expect(note.undo == "Undo")
        #expect(note.text.contains("vault created a passkey for “ada” at a.example"))
        // The provider says what it has, as it does after each change.
        try await stage.fixture.write(.save, [Sample.passkey()])
        stage.notifier.undo()
        try await eventually { try await stage.history().first?.event == .change }
        let report = CredentialReport.passkeyUnknown(relyingParty: "a.example", credentialID: Sample.credentialID)
        // Nobody else hears of it.
        #expect(stage.asked.all.dropFirst() == [.report(report)])
        #expect(try await stage.history().first?.detail?.hasPrefix("You undid the passkey") == true)
        let left = try await stage.client.call(
            Suggest.self, .init(services: [BrokerFixture.page], kinds: [.password, .passkey]))
        #expect(left.suggestions.map(\.kind) == [.password])
    }

    @Test func whatWasTakenBackIsNotMadeAgain() async throws {
        let stage = try await UpgradeStage()
        try await stage.fill()
        _ = try await stage.upgrade()
        try await eventually { stage.notifier.notes.count == 1 }
        stage.notifier.undo()
        try await eventually { try await stage.history().first?.event == .change }
        try await stage.fill()
        let error = await failure { _ = try await stage.upgrade() }
        #expect(error?.code == .notAllowed)
        #expect(try await stage.history().first?.detail == UnmetCondition.takenBack.sentence)
        #expect(stage.asked.names == ["registerPasskeyWithoutInteraction", "report"])
    }

    @Test func aProviderThatTakesNoReportsOffersNoWayBack() async throws {
        let stage = try await UpgradeStage(UpgradeStage.declared.filter { $0 != "SupportsCredentialUpdate" })
        try await stage.fill()
        _ = try await stage.upgrade()
        try await eventually { stage.notifier.notes.count == 1 }
        #expect(stage.notifier.notes.first?.undo == nil)
        #expect(stage.notifier.notes.first?.elsewise == "If you don't want it, remove it in vault.")
    }

    @Test func aProviderThatIsOffIsNotToldToTakeItBack() async throws {
        let stage = try await UpgradeStage()
        try await stage.fill()
        _ = try await stage.upgrade()
        try await eventually { stage.notifier.notes.count == 1 }
        let terminal = try await stage.fixture.client(.terminal)
        _ = try await terminal.call(
            SetProviderEnabled.self, .init(identifier: BrokerFixture.provider, isEnabled: false))
        stage.notifier.undo()
        try await eventually { try await stage.history().first?.event == .change }
        #expect(try await stage.history().first?.detail?.hasSuffix("but that failed.") == true)
        #expect(stage.asked.names == ["registerPasskeyWithoutInteraction"])
    }

    @Test func aPageThatLeavesDoesNotKeepThePersonFromHearingOfIt() async throws {
        let isOpen = Mutex(false)
        let stage = try await UpgradeStage { try await eventually { isOpen.withLock { $0 } } }
        try await stage.fill()
        let call = Task { try await stage.upgrade() }
        try await eventually { stage.asked.all.count == 1 }
        stage.client.close()
        #expect(await failure { _ = try await call.value } != nil)
        isOpen.withLock { $0 = true }
        try await eventually { stage.notifier.notes.count == 1 }
        #expect(try await stage.history().first?.event == .registration)
    }

    @Test func whereNobodyCanBeToldTheHistorySaysSo() async throws {
        let stage = try await UpgradeStage(notifier: FakeNotifier(failure: "your desktop shows no notifications."))
        try await stage.fill()
        _ = try await stage.upgrade()
        try await eventually { try await stage.history().first?.event == .change }
        let entries = try await stage.history()
        #expect(
            entries.first?.detail == "Keyway couldn't notify you on the desktop: your desktop shows no notifications.")
        #expect(entries.dropFirst().first?.event == .registration)
    }

    // MARK: - A condition is not met

    /// What the person changes that may have verified them, or may from now on.
    enum Change: CaseIterable { case off, on, settings }

    @Test func withoutAProviderThatMakesPasskeysInTheBackgroundThereIsNone() async throws {
        let stage = try await UpgradeStage(["ProvidesPasswords", "ProvidesPasskeys"])
        try await stage.fill()
        try await stage.refuses(.noProvider)
        try await stage.refuses(.noProvider, provider: BrokerFixture.provider)
    }

    @Test func inAPrivateWindowThereIsNone() async throws {
        let stage = try await UpgradeStage()
        try await stage.fill()
        try await stage.refuses(.privateWindow, isPrivate: true)
    }

    @Test func whatWasFilledInAPrivateWindowDoesNotCount() async throws {
        let stage = try await UpgradeStage()
        try await stage.fill(isPrivate: true)
        try await stage.refuses(.notFilled)
    }

    @Test(arguments: [false, true]) func whereThePersonCannotBeVerifiedThereIsNone(hasMethod: Bool) async throws {
        let stage = try await UpgradeStage(check: hasMethod ? FakeCheck(isAvailable: false) : nil)
        try await stage.fill()
        try await stage.refuses(.noVerification)
    }

    @Test(arguments: Change.allCases)
    func thatThePersonCanBeVerifiedIsLookedAtAnewAfterAChange(change: Change) async throws {
        let check = FakeCheck()
        let stage = try await UpgradeStage(check: check)
        try await stage.add("second", ["ProvidesPasswords"])
        try await stage.fill()
        #expect(await stage.fixture.broker.person.prospect.isGood())
        check.set(isAvailable: false)
        #expect(await stage.fixture.broker.person.prospect.isGood(), "it is remembered")
        let terminal = try await stage.fixture.client(.terminal)
        switch change {
        case .off, .on:
            let isEnabled = change == .on
            let identifier = "test.\(isEnabled ? "third" : "second")"
            if isEnabled {
                try TestBundle.install(
                    in: stage.fixture.folder, Sample.declares(["ProvidesPasswords"]), name: "third")
            }
            _ = try await terminal.call(SetProviderEnabled.self, .init(identifier: identifier, isEnabled: isEnabled))
        case .settings:
            _ = try await terminal.call(ChangeVerification.self, .init(settings: VerificationSettings(rule: .never)))
        }
        try await stage.refuses(.noVerification)
    }

    @Test func whereNothingWasFilledThereIsNone() async throws {
        let stage = try await UpgradeStage()
        try await stage.refuses(.notFilled)
        try await stage.refuses(.notFilled, provider: BrokerFixture.provider)
    }

    @Test func anotherUserNameGetsNone() async throws {
        let stage = try await UpgradeStage()
        try await stage.fill()
        for user in ["eve", "Ada", "ada ", ""] { try await stage.refuses(.notFilled, Self.registration(user)) }
    }

    @Test(arguments: [
        ("https://a.example/login", "a.example", true), ("https://login.a.example/", "a.example", true),
        ("https://a.example/", "www.a.example", false), ("https://b.example/", "a.example", false),
        ("http://a.example/", "a.example", false),
    ])
    func onlyASiteThatWasFilledGetsOne(filled: String, party: String, expected: Bool) async throws {
        let identities = ["https://a.example", "http://a.example", "https://b.example"].map {
            BrokerFixture.identity(at: $0)
        }
        let stage = try await UpgradeStage(identities: identities, making: Sample.made(party, flags: 0x40))
        try await stage.fill(on: filled)
        let error = await failure {
            _ = try await stage.upgrade(Self.registration(at: party), on: "https://\(party)/home")
        }
        #expect((error == nil) == expected)
        #expect(stage.asked.all.isEmpty != expected)
    }

    @Test(arguments: [(299, true), (300, false), (3000, false)])
    func aFillCountsForFiveMinutes(seconds: Int, expected: Bool) async throws {
        let stage = try await UpgradeStage()
        try await stage.fill()
        stage.fixture.clock.advance(by: .seconds(seconds))
        if expected { _ = try await stage.upgrade() } else { try await stage.refuses(.notFilled) }
    }

    @Test func whatWasFilledForAnotherProgramDoesNotCount() async throws {
        let stage = try await UpgradeStage()
        try await stage.fill(as: try await stage.fixture.client(.terminal))
        try await stage.refuses(.notFilled)
        // The same program over another connection is the same program.
        try await stage.fill(as: try await stage.fixture.client(.browser))
        _ = try await stage.upgrade()
    }

    @Test func afterALockNothingCounts() async throws {
        let stage = try await UpgradeStage()
        try await stage.fill()
        await stage.fixture.broker.handle(.sessionLocked)
        await stage.fixture.broker.handle(.sessionUnlocked)
        try await stage.refuses(.notFilled)
    }

    @Test func whatCannotBeReadIsRefusedLikeEverythingElse() async throws {
        let stage = try await UpgradeStage()
        try await stage.fill()
        stage.fixture.storeKey.set(nil)
        await stage.fixture.broker.handle(.sessionLocked)
        let error = await failure { _ = try await stage.upgrade() }
        #expect(error?.code == .notAllowed && error?.message == Upgrades.refusal.message)
        #expect(stage.asked.all.isEmpty)
    }

    @Test func theProviderThatFilledMakesIt() async throws {
        let stage = try await UpgradeStage()
        try await stage.add("second", UpgradeStage.declared)
        try await stage.fill()
        try await stage.refuses(.filledByAnother, provider: "test.second")
        let result = try await stage.upgrade()
        #expect(result.provider.identifier == BrokerFixture.provider)
    }

    @Test func whereTheProviderThatFilledMakesNoneNobodyElseDoes() async throws {
        let stage = try await UpgradeStage(["ProvidesPasswords", "ProvidesPasskeys"])
        try await stage.add("second", UpgradeStage.declared)
        try await stage.fill()
        try await stage.refuses(.filledByAnother)
    }

    @Test func anAccountWithAPasskeyGetsNoOther() async throws {
        let stage = try await UpgradeStage(
            identities: [BrokerFixture.identity(), Sample.passkey("a.example", "ada", id: Self.other)])
        try await stage.fill()
        // By its name, by its handle, and where the site says so.
        try await stage.refuses(.hasPasskey, Self.registration(handle: Data([77])))
    }

    @Test func anAccountWhosePasskeyHasAnotherNameGetsNoOther() async throws {
        let stage = try await UpgradeStage(
            identities: [BrokerFixture.identity(), Sample.passkey("a.example", "Ada Lovelace", id: Self.other)])
        try await stage.fill()
        try await stage.refuses(.hasPasskey)
    }

    @Test func whereTheSiteExcludesAPasskeyThatIsThereIsNoOther() async throws {
        let stage = try await UpgradeStage(
            identities: [BrokerFixture.identity(), Sample.passkey("a.example", "eve", id: Self.other)])
        try await stage.fill()
        let handle = Data([77])
        try await stage.refuses(.hasPasskey, Self.registration(handle: handle, excluded: [Self.other]))
        // A passkey of somewhere else, or of somebody else, is nothing to wait for.
        _ = try await stage.upgrade(Self.registration(handle: handle, excluded: [Data([1])]))
    }

    @Test func aPasskeyAtAnotherProviderIsOneToo() async throws {
        let stage = try await UpgradeStage()
        try await stage.add("second", ["ProvidesPasskeys"], identities: [Sample.passkey(id: Self.other)])
        try await stage.fill()
        try await stage.refuses(.hasPasskey)
    }

    @Test func aPasskeyOfAnotherSiteIsNone() async throws {
        let stage = try await UpgradeStage(
            identities: [BrokerFixture.identity(), Sample.passkey("login.a.example", id: Self.other)])
        try await stage.fill()
        _ = try await stage.upgrade()
    }

    @Test(arguments: [cancelled(0), cancelled(100), cancelled(102), Sample.made(flags: 0x45), .saved])
    func whatTheProviderDeclinesIsRefusedLikeEverythingElse(answer: PerformRequest.Result) async throws {
        let stage = try await UpgradeStage(making: answer)
        try await stage.fill()
        try await stage.refuses(.declined)
    }

    @Test func oneFillIsForOnePasskey() async throws {
        let stage = try await UpgradeStage()
        try await stage.fill()
        try await stage.fill(as: try await stage.fixture.client(.terminal))
        _ = try await stage.upgrade()
        // The provider has not said yet what it has.
        let terminal = try await stage.fixture.client(.terminal)
        for client in [stage.client, terminal] {
            #expect(await failure { _ = try await stage.upgrade(as: client) }?.code == .notAllowed)
            #expect(try await stage.history().first?.detail == UnmetCondition.notFilled.sentence)
        }
    }

    @Test func twoPagesThatAskAtATimeGetOnePasskey() async throws {
        let stage = try await UpgradeStage(check: nil)
        let check = HeldCheck()
        stage.fixture.broker.person.verifier.add(check)
        try await stage.fill()
        try await eventually { check.looks == 1 }
        // Each waits for a look of its own, after it has found the fill and before anything is decided.
        var calls: [Task<RegisterPasskey.Result, any Error>] = []
        for number in 2...3 {
            stage.fixture.broker.person.prospect.forget()
            calls.append(Task { try await stage.ask() })
            try await eventually { check.looks == number }
        }
        check.release()
        // The refusal is held back until time passes, which counts for the provider's answer as well: that comes first.
        try await eventually { try await stage.history().contains { $0.event == .registration } }
        try await stage.fixture.clock.waitForSleeper(of: Upgrades.patience)
        stage.fixture.clock.advance(by: Upgrades.patience)
        var (made, refused) = (0, 0)
        for call in calls {
            let error = await failure { _ = try await call.value }
            if error == nil { made += 1 } else if error?.code == .notAllowed { refused += 1 }
        }
        #expect((made, refused) == (1, 1))
        #expect(stage.asked.names == ["registerPasskeyWithoutInteraction"], "a provider need not look after itself")
        #expect(try await stage.history().contains { $0.detail == UnmetCondition.notFilled.sentence })
    }

    @Test func theReasonsAreToldApartInTheHistoryAlone() {
        let reasons: [UnmetCondition] = [
            .privateWindow, .noProvider, .noVerification, .notFilled, .filledByAnother, .hasPasskey, .takenBack,
            .unnamedApp, .unreadable, .declined,
        ]
        #expect(Set(reasons.map(\.sentence)).count == reasons.count)
        #expect(reasons.allSatisfy { !Upgrades.refusal.message.contains($0.words) })
    }
}
