import AutoFillProtocol
import AutoFillWire
import BrokerTestSupport
import Foundation
import KeywaySystem
import Synchronization
import Testing

@testable import AutoFillBroker
@testable import ProviderHosting

/// `keyway-person-check` as a test plays it: one PIN, and a login password.
final class FakeSecrets: TypedSecrets {
    struct State {
        var pin: String?
        var changes: UInt64 = 0
        var outcome: CheckTypedSecret.Outcome?
        /// How many tries were counted, and how many of them were looked at.
        var (counted, looked) = (0, 0)
        /// The changes that the last try was looked at with.
        var lookedWith: UInt64 = 0
        var state: TypedSecretState.PIN?
        var loginObstacle: String?
        /// Whether the record cannot be replaced.
        var isStuck = false
    }

    let state = Mutex(State())
    /// What happens while something typed is looked at, or the PIN replaced.
    let meanwhile = Mutex<(@Sendable () async -> Void)?>(nil)

    func state(_ parameters: TypedSecretState.Parameters) async throws(ProtocolError) -> TypedSecretState.Result {
        let pin = state.withLock { $0.state ?? ($0.pin == nil ? .notSet : .ready) }
        return .init(pin: parameters.access == nil ? nil : pin, loginObstacle: state.withLock { $0.loginObstacle })
    }

    func countTry(_ parameters: CountPINTry.Parameters) async throws(ProtocolError) -> CountPINTry.Result {
        state.withLock { state in
            state.changes = max(state.changes, parameters.access.changes) + 1
            state.counted += 1
            return .init(changes: state.changes)
        }
    }

    func check(_ parameters: CheckTypedSecret.Parameters) async throws(ProtocolError) -> CheckTypedSecret.Result {
        let text = (try? parameters.secret.text) ?? ""
        await meanwhile.withLock { $0 }?()
        guard case .pin(let access) = parameters.kind else {
            return .init(outcome: text == "login" ? .right : .wrong("That is not it."))
        }
        return state.withLock { state in
            state.looked += 1
            state.lookedWith = access.changes
            state.changes = max(state.changes, access.changes) + 1
            let outcome = state.outcome ?? (text == state.pin ? .right : .wrong("That is not the PIN."))
            return .init(outcome: outcome, changes: state.changes)
        }
    }

    func replacePIN(_ parameters: ReplacePIN.Parameters) async throws(ProtocolError) -> ReplacePIN.Result {
        let text = try? parameters.pin?.text
        await meanwhile.withLock { $0 }?()
        if state.withLock({ $0.isStuck }) { throw ProtocolError(.system, "stuck") }
        return state.withLock { state in
            state.pin = text
            state.changes += 1
            return .init(changes: state.changes)
        }
    }
}

/// What the person sets about verification, and what that does to their requests.
@Suite(.timeLimit(.minutes(5))) struct VerificationSettingsTests {
    /// What the terminal was told.
    private final class Told: Sendable {
        let lines = Mutex<[String]>([])
    }

    private struct Stage {
        let told: Told
        let fixture: BrokerFixture
        let client: Connection
        let secrets = FakeSecrets()
        let questions: FakePresenter

        func fill(_ client: Connection? = nil, presents: Bool = true) async throws {
            let client = client ?? self.client
            _ = try await client.fill(try #require(await client.suggestions().first).handle, presents: presents)
        }

        func set(
            _ rule: VerificationSettings.Rule, grace: Int = 0, providers: [String: VerificationSettings.Rule] = [:]
        )
            async throws
        {
            try await fixture.broker.person.choices.change {
                $0.settings = VerificationSettings(rule: rule, grace: grace, providers: providers)
            }
        }

        func change(_ pin: String?) async throws {
            let file = try pin.map { try Sample.sealed($0) }
            _ = try await client.call(ChangePIN.self, .init(pin: file))
        }

        /// Takes the settings away while the broker runs.
        func loseSettings() throws {
            try FileManager.default.removeItem(atPath: file)
        }

        var file: String { fixture.folder.path + "/.local/state/keyway/verification.json" }

        var asked: [VerificationMethod] { questions.questions.withLock { $0.map(\.method) } }
    }

    /// A terminal whose person answers every question with `typed`.
    private static func stage(
        _ answer: String = "314159", _ provider: @escaping FakeBundles.Answer = { _, _ in try password() }
    ) async throws -> Stage {
        let fixture = try BrokerFixture(FakeBundles(provider))
        try await fixture.provide([BrokerFixture.identity()])
        let presenter = FakePresenter { _ in typed(answer) }
        var table = MethodTable()
        table.on(AskPerson.self) { parameters, _ in .init(try await presenter.ask(parameters.question)) }
        let told = Told()
        table.on(BrokerNotice.self) { parameters, _ in told.lines.withLock { $0.append(parameters.text) } }
        let stage = Stage(
            told: told, fixture: fixture, client: try await fixture.client(.terminal, table), questions: presenter)
        fixture.broker.person.verifier.add(PINCheck(choices: fixture.broker.person.choices, secrets: stage.secrets))
        return stage
    }

    // MARK: - When

    @Test func nobodyIsAskedWhoHasSetUpNothing() async throws {
        let stage = try await Self.stage()
        try await stage.fill()
        #expect(stage.asked.isEmpty)
    }

    @Test func whoeverHasAPINIsAskedForIt() async throws {
        let stage = try await Self.stage()
        try await stage.change("314159")
        try await stage.fill()
        #expect(stage.asked == [.pin])
        let question = try #require(stage.questions.questions.withLock { $0 }.first)
        #expect(question.service == "a.example" && question.account == "ada")
        #expect(question.provider?.identifier == BrokerFixture.provider)
    }

    @Test func whoeverTypesItWrongGetsNothing() async throws {
        let stage = try await Self.stage("000000")
        try await stage.change("314159")
        let error = await failure { try await stage.fill() }
        #expect(error?.code == .notVerified)
        #expect(
            stage.questions.questions.withLock { $0.map(\.error) } == [
                nil, "That is not the PIN.", "That is not the PIN.",
            ])
    }

    @Test func whereItIsAlwaysAskedNothingIsGivenWithoutAMethod() async throws {
        let stage = try await Self.stage()
        try await stage.set(.always)
        #expect(await failure { try await stage.fill() }?.code == .notVerified)
    }

    @Test(arguments: [(VerificationSettings.Rule.never, 0), (.always, 1), (.whenSetUp, 1)])
    func aProviderHasARuleOfItsOwn(rule: VerificationSettings.Rule, count: Int) async throws {
        let stage = try await Self.stage()
        try await stage.change("314159")
        try await stage.set(rule == .never ? .always : .never, providers: [BrokerFixture.provider: rule])
        try await stage.fill()
        #expect(stage.asked.count == count)
    }

    @Test func aSettingsFileThatIsNotBelievedAsksForEverything() async throws {
        let stage = try await Self.stage()
        try await stage.set(.never)
        let path = stage.fixture.folder.path + "/.local/state/keyway/verification.json"
        try Data("{\"settings\":{}}".utf8).write(to: URL(filePath: path))
        #expect(await stage.fixture.broker.person.choices.settings().rule == .always)
        #expect(await failure { try await stage.fill() }?.code == .notVerified)
    }

    @Test func nothingIsGivenWhereNobodyWouldSeeTheQuestion() async throws {
        let stage = try await Self.stage()
        try await stage.change("314159")
        #expect(await failure { try await stage.fill(presents: false) }?.code == .notVerified)
    }

    // MARK: - Grace

    @Test func aCheckCountsForAWhileAndForItsCallerAlone() async throws {
        let stage = try await Self.stage()
        try await stage.change("314159")
        try await stage.set(.whenSetUp, grace: 300)
        try await stage.fill()
        try await stage.fill()
        #expect(stage.asked.count == 1)
        let browser = try await stage.fixture.client(.browser)
        #expect(await failure { try await stage.fill(browser, presents: false) }?.code == .notVerified)
        stage.fixture.clock.advance(by: .seconds(300))
        try await stage.fill()
        #expect(stage.asked.count == 2)
        await stage.fixture.broker.handle(.sessionLocked)
        await stage.fixture.broker.handle(.sessionUnlocked)
        try await stage.fill()
        #expect(stage.asked.count == 3)
    }

    // MARK: - The provider's own interface

    @Test func anInterfaceThatAskedForASecretIsAVerification() async throws {
        let verification = try await Self.verification(after: .submitted(["password": .secret(try Self.secret("x"))]))
        #expect(verification.method == .providerInterface)
    }

    @Test(arguments: [
        InterfaceEvent.chose(row: "1"), .activated(action: "ok"), .submitted(["name": .text("ada")]),
        .submitted([:]), .searched("a"),
    ])
    func anInterfaceThatAskedForNoneIsNone(event: InterfaceEvent) async throws {
        #expect(try await Self.verification(after: event).method == nil)
    }

    /// A row that was picked says that somebody is there, not who.
    @Test(arguments: [(VerificationSettings.Rule.always, true), (.whenSetUp, false), (.never, false)])
    func afterAnInterfaceThatAskedForNoSecretOnlyAlwaysAsks(
        rule: VerificationSettings.Rule, asks: Bool
    ) async throws {
        let fixture = try BrokerFixture(FakeBundles { _, _ in try password() })
        let check = FakeCheck(.system)
        fixture.broker.person.verifier.add(check)
        try await fixture.broker.person.choices.change { $0.settings = VerificationSettings(rule: rule, grace: 0) }
        let verification = RequestVerification(
            desk: .init(
                verifier: fixture.broker.person.verifier, choices: fixture.broker.person.choices,
                grace: fixture.broker.person.grace),
            presenter: FakePresenter { _ in .allowed }, caller: .connection(ObjectIdentifier(fixture)),
            provider: ProviderReference(identifier: BrokerFixture.provider, name: "vault"), service: "a.example",
            account: "ada")
        try await verification.guardCredential(hadInterface: true)
        #expect(verification.method == (asks ? .system : nil))
    }

    @Test func nothingTypedIntoASecureFieldIsNone() async throws {
        #expect(
            try await Self.verification(after: .submitted(["password": .secret(try Self.secret(""))])).method == nil)
    }

    private static func secret(_ text: String) throws -> InterfaceSecret {
        InterfaceSecret(try Sample.sealed(text).sealedMemory())
    }

    private static func verification(after event: InterfaceEvent) async throws -> RequestVerification {
        let fixture = try BrokerFixture(FakeBundles { _, _ in try password() })
        let verification = RequestVerification(
            desk: .init(
                verifier: fixture.broker.person.verifier, choices: fixture.broker.person.choices,
                grace: fixture.broker.person.grace),
            presenter: NoPresenter(), caller: .connection(ObjectIdentifier(fixture)),
            provider: .init(identifier: "test", name: "test"), service: nil, account: nil)
        let (ours, theirs) = try LocalSocket.pair()
        let connection = Connection(descriptor: ours, peer: .known(.providerExtension))
        let relay = InterfaceRelay(
            request: 1, provider: .init(identifier: "test", name: "test"), service: nil, isAvailable: { true },
            show: { _ in })
        relay.connect(connection, request: 1, onSecret: { verification.noteProviderInterface() }, stop: {})
        relay.receive(event)
        withExtendedLifetime(theirs) {}
        return verification
    }

    // MARK: - Changing them

    @Test func changingThemAsksForAVerification() async throws {
        let stage = try await Self.stage()
        _ = try await stage.client.call(ChangeVerification.self, .init(settings: .init(rule: .always)))
        #expect(stage.asked.isEmpty, "there is no method yet")
        try await stage.change("314159")
        _ = try await stage.client.call(ChangeVerification.self, .init(settings: .init(rule: .never, grace: 60)))
        #expect(stage.asked == [.pin])
        let state = try await stage.client.call(VerificationState.self, Nothing())
        #expect(state.settings == .init(rule: .never, grace: 60))
        #expect(state.methods.map(\.method) == [.pin, .masterPassword])
    }

    @Test(arguments: [VerificationSettings(grace: -1), .init(grace: 3601), .init(providers: ["a/b": .never])])
    func settingsOutOfBoundsAreRefused(settings: VerificationSettings) async throws {
        let stage = try await Self.stage()
        let error = await failure {
            _ = try await stage.client.call(ChangeVerification.self, .init(settings: settings))
        }
        #expect(error?.code == .invalidParameters)
    }

    @Test func thePINIsChangedAndRemovedByTheOldOne() async throws {
        let stage = try await Self.stage()
        try await stage.change("314159")
        #expect(stage.asked.isEmpty)
        try await stage.change(nil)
        #expect(stage.asked == [.pin])
        #expect(stage.secrets.state.withLock { $0.pin } == nil)
    }

    @Test func aPINThatIsLockedOutIsSetAnewOnlyInAnotherWay() async throws {
        let stage = try await Self.stage()
        try await stage.change("314159")
        stage.secrets.state.withLock { $0.state = .lockedOut }
        let error = await failure { try await stage.change("271828") }
        #expect(error?.code == .notVerified)
        #expect(stage.secrets.state.withLock { $0.pin } == "314159")
        stage.fixture.broker.person.verifier.add(FakeCheck(.system))
        try await stage.change("271828")
        #expect(stage.secrets.state.withLock { $0.pin } == "271828")
    }

    @Test func theRulesStayWhereThePINCannotBeUsedNow() async throws {
        let stage = try await Self.stage()
        try await stage.change("314159")
        stage.secrets.state.withLock { $0.state = .lockedOut }
        let change = ChangeVerification.Parameters(settings: VerificationSettings(rule: .never))
        let error = await failure { _ = try await stage.client.call(ChangeVerification.self, change) }
        #expect(error?.code == .notVerified)
        #expect(await stage.fixture.broker.person.choices.settings().rule == .whenSetUp)
    }

    @Test(arguments: [nil, "PAM has no service"]) func withoutAServiceOfPAMNoPasswordIsSetUp(obstacle: String?) async {
        let secrets = FakeSecrets()
        secrets.state.withLock { $0.loginObstacle = obstacle }
        let state = await LoginPasswordCheck(secrets: secrets).state()
        #expect(state.isAvailable == (obstacle == nil) && state.obstacle == (obstacle == nil ? nil : .notSetUp))
    }

    @Test func aRecordThatWasTakenAwayIsSaid() async throws {
        let stage = try await Self.stage()
        try await stage.change("314159")
        stage.secrets.state.withLock { $0.pin = nil }
        let state = await stage.fixture.broker.person.verifier.methods(.pin).first
        #expect(state?.isAvailable == false && state?.detail?.contains("removed") == true)
        #expect(await failure { try await stage.fill() }?.code == .notVerified)
    }

    /// A program that takes the settings away while a wrong PIN is looked at gets rid of neither PIN nor rules.
    @Test func whatIsNotedOfAPINBeginsNothingAnew() async throws {
        let stage = try await Self.stage("000000")
        try await stage.change("314159")
        stage.secrets.meanwhile.withLock { $0 = { try? stage.loseSettings() } }
        #expect(await failure { try await stage.fill() } != nil)
        #expect(!FileManager.default.fileExists(atPath: stage.file))
        #expect(await stage.fixture.broker.person.choices.settings().rule == .always)
        #expect(await failure { try await stage.fill() }?.code == .notVerified)
    }

    /// What is not believed begins anew with what the verified person sets, also where that is what is set without a file.
    @Test(arguments: [VerificationSettings(), .init(grace: 299)])
    func theRulesBeginAnewOnceThePersonIsVerified(settings: VerificationSettings) async throws {
        let stage = try await Self.stage()
        stage.fixture.broker.person.verifier.add(FakeCheck(.system))
        try await stage.change("314159")
        try stage.loseSettings()
        _ = try await stage.client.call(ChangeVerification.self, .init(settings: settings))
        #expect(try await stage.fixture.broker.person.choices.document() == .init(settings: settings))
        try await eventually {
            stage.told.lines.withLock { $0 }.contains { $0.contains("keyway verification pin set") }
        }
    }

    @Test func thePINIsSetAnewWhereTheSettingsAreNotBelieved() async throws {
        let stage = try await Self.stage()
        stage.fixture.broker.person.verifier.add(FakeCheck(.system))
        try await stage.change("314159")
        try stage.loseSettings()
        try await stage.change("271828")
        #expect(try await stage.fixture.broker.person.choices.document().isPINSet)
        #expect(await stage.fixture.broker.person.verifier.methods(.pin).first?.isAvailable == true)
        try await eventually {
            stage.told.lines.withLock { $0 }.contains { $0.contains("reset the verification settings") }
        }
    }

    /// Whatever is cut off between leaves no PIN that nobody can type.
    @Test func aPINIsNoneBeforeItsRecordGoes() async throws {
        let stage = try await Self.stage()
        try await stage.change("314159")
        stage.secrets.state.withLock { $0.isStuck = true }
        #expect(await failure { try await stage.change(nil) }?.code == .system)
        #expect(try await !stage.fixture.broker.person.choices.document().isPINSet)
        stage.secrets.state.withLock { $0.isStuck = false }
        try await stage.change("271828")
        #expect(try await stage.fixture.broker.person.choices.document().isPINSet)
    }

    @Test func howOftenTheRecordChangedIsRemembered() async throws {
        let stage = try await Self.stage()
        try await stage.change("314159")
        try await stage.fill()
        #expect(try await stage.fixture.broker.person.choices.document().pinChanges == 3)
    }
}
