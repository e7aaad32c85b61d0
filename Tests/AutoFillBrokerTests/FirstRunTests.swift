import AutoFillProtocol
import AutoFillWire
import BrokerBase
import BrokerTestSupport
import ClockTestSupport
import FoundationEssentials
import KeywaySystem
import Synchronization
import Testing

@testable import AutoFillBroker

/// The first run, begun in a browser and decided in the windows of the system.
@Suite(.timeLimit(.minutes(2))) struct FirstRunTests {
    /// A broker on which nothing is on, with a provider of the system's that has a master password.
    private final class Stage: Sendable {
        static let box = "test.box"
        let fixture: BrokerFixture
        let client: Connection
        /// What the service was given.
        let made = Mutex<[String]>([])
        /// Why the service takes none; each failure once.
        let failures = Mutex<[ProtocolError]>([])
        var person: ScriptedPerson { fixture.person }

        /// - Parameter approves: whether the person has let the browser ask before.
        init(hasVault: Bool = false, approves: Bool = true) async throws {
            fixture = try BrokerFixture(FakeBundles { _, _ in .saved })
            try TestBundle.install(
                in: fixture.folder, ["KeywayService": "service", "KeywayChecksMasterPassword": true], name: "box",
                root: "system")
            client = try await fixture.client(.browser)
            if approves { _ = try await client.suggestions() }
            fixture.bundles.masterPassword.withLock {
                $0 = { [weak self] _ in
                    guard let self, hasVault || !self.given.isEmpty else {
                        throw ProtocolError(.notFound, "There is no vault.")
                    }
                    return false
                }
            }
            fixture.bundles.newMasterPassword.withLock {
                $0 = { [weak self] password in
                    if let failure = self?.failures.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { throw failure }
                    self?.made.withLock { $0.append(password) }
                }
            }
        }

        /// What of the first run was put to the person.
        var asked: [AskPerson.Question] {
            person.questions.filter {
                switch $0 {
                case .settingUp, .newMasterPassword, .newPIN, .isSetUp: true
                default: false
                }
            }
        }

        var isOffered: Bool {
            get async throws { try await client.call(SetUpState.self, Nothing()).isOffered }
        }

        var isOn: Bool {
            get async throws {
                try await fixture.broker.directory.enabled().contains { $0.reference.identifier == Self.box }
            }
        }

        /// The master passwords that the service was given.
        var given: [String] { made.withLock { $0 } }

        /// How it ended.
        func setUp(isPrivate: Bool? = nil) async throws(ProtocolError) -> SetUp.Outcome {
            try await client.call(SetUp.self, .init(isPrivate: isPrivate)).outcome
        }
    }

    private static func secret(_ text: String) throws -> AskPerson.Answer {
        .secret(InterfaceSecret(try Sample.sealed(text).sealedMemory()))
    }

    // MARK: When it is offered

    @Test func itIsOfferedWhileNoProviderIsOnAndAsksNobody() async throws {
        let stage = try await Stage(approves: false)
        #expect(try await stage.isOffered)
        #expect(stage.person.questions.isEmpty)
        #expect(stage.fixture.bundles.started.isEmpty)
    }

    @Test func itIsNotOfferedOnceAProviderIsOn() async throws {
        let stage = try await Stage()
        try await stage.fixture.provide([])
        #expect(try await !stage.isOffered)
        #expect(await failure { _ = try await stage.setUp() }?.code == .refused)
        #expect(stage.asked.isEmpty)
    }

    @Test func aProviderOfThePersonsIsNotTheOneInTheBox() async throws {
        let fixture = try BrokerFixture(
            FakeBundles { _, _ in .saved },
            information: ["KeywayService": "service", "KeywayChecksMasterPassword": true])
        #expect(try await !fixture.client(.browser).call(SetUpState.self, Nothing()).isOffered)
    }

    // MARK: What it does

    @Test func itTurnsTheProviderOnAndHasItMakeTheVault() async throws {
        let stage = try await Stage()
        stage.person.set(next: .allowed, try Self.secret("four words"), .cancelled)
        #expect(try await stage.setUp() == .done)
        #expect(stage.given == ["four words"])
        #expect(try await stage.isOn)
        #expect(try await !stage.isOffered)
        #expect(try !stage.fixture.broker.firstRun.document().isUnfinished)
        guard case .settingUp(let question) = stage.asked.first else { return #expect(Bool(false)) }
        #expect(question.provider.provider.identifier == Stage.box)
        guard case .isSetUp = stage.asked.last else { return #expect(Bool(false)) }
    }

    @Test func nothingIsAskedForAVaultThatIsThere() async throws {
        let stage = try await Stage(hasVault: true)
        let person = stage.fixture.broker.person
        person.verifier.add(PINCheck(choices: person.choices, secrets: FakeSecrets()))
        stage.person.set(next: .allowed, .cancelled)
        #expect(try await stage.setUp() == .done)
        #expect(try await stage.isOn)
        #expect(stage.given.isEmpty)
        // Nor is a PIN offered: nobody typed anything that says who they are.
        #expect(stage.asked.count == 2)
    }

    /// Another program made one while the window stood there, or ours was made although no answer came.
    @Test func aVaultThatWasMadeMeanwhileIsTakenWithItsOwnPasswordAlone() async throws {
        let stage = try await Stage()
        let exists = ProtocolError(.exists, "There is a vault already.")
        stage.failures.withLock { $0 = [exists, exists] }
        stage.fixture.bundles.masterPassword.withLock {
            $0 = { typed in
                guard !typed.isEmpty else { throw ProtocolError(.notFound, "There is no vault.") }
                return typed == "theirs"
            }
        }
        stage.person.set(next: .allowed, try Self.secret("mine"), try Self.secret("theirs"), .cancelled)
        #expect(try await stage.setUp() == .done)
        let errors = stage.asked.compactMap { question -> String?? in
            if case .newMasterPassword(let asked) = question { .some(asked.error) } else { nil }
        }
        #expect(errors.count == 2 && errors.last??.contains("another master password") == true)
        #expect(stage.given.isEmpty)
    }

    @Test func whoChoseTheMasterPasswordIsOfferedAPIN() async throws {
        let stage = try await Stage()
        let person = stage.fixture.broker.person
        person.verifier.add(PINCheck(choices: person.choices, secrets: FakeSecrets()))
        stage.person.set(next: .allowed, try Self.secret("four words"), .cancelled, .cancelled)
        #expect(try await stage.setUp() == .done)
        #expect(stage.asked.contains { if case .newPIN = $0 { true } else { false } })
    }

    @Test(arguments: [true, false]) func itSaysInTheEndWhetherAFingerprintVerifies(isAvailable: Bool) async throws {
        let stage = try await Stage()
        stage.fixture.broker.person.verifier.add(FakeCheck(.fingerprint, isAvailable: isAvailable))
        stage.person.set(next: .allowed, try Self.secret("four words"), .cancelled)
        #expect(try await stage.setUp() == .done)
        guard case .isSetUp(let summary) = stage.asked.last else { return #expect(Bool(false)) }
        #expect(summary.hasFingerprint == isAvailable)
    }

    @Test func whatGoesWrongIsSaidWhereItIsAskedAgain() async throws {
        let stage = try await Stage()
        stage.failures.withLock { $0 = [ProtocolError(.system, "No space left on device.")] }
        stage.person.set(next: .allowed, try Self.secret("one"), try Self.secret("two"), .cancelled)
        #expect(try await stage.setUp() == .done)
        let errors = stage.asked.compactMap { question -> String?? in
            if case .newMasterPassword(let asked) = question { .some(asked.error) } else { nil }
        }
        #expect(errors == [nil, "No space left on device."])
        #expect(stage.given == ["two"])
    }

    // MARK: What is left of it

    @Test func notNowIsKeptForTheSession() async throws {
        let stage = try await Stage()
        stage.person.set(next: .refused)
        #expect(try await stage.setUp() == .notNow)
        #expect(try await !stage.isOffered)
        #expect(try await !stage.isOn)
        #expect(try !stage.fixture.broker.firstRun.document().isUnwanted)
    }

    @Test func aBrowserThatGoesOnTakingTheWindowAwayIsStoppedForAWhile() async throws {
        let (clock, sheets) = (ManualClock(), FakeSheets())
        let windows = SheetWindows(
            session: FakeSession(display: ":1"), launcher: sheets, clock: clock, log: EventLog { _ in })
        let question = AskPerson.Question.settingUp(
            .init(
                provider: .init(
                    provider: ProviderReference(identifier: Stage.box, name: "Box"), path: "/box", reaches: [],
                    isUnconfined: false, isReadable: false)))
        func ask() -> Task<ProtocolError?, Never> {
            Task { await failure { _ = try await windows.presenter.ask(question) } }
        }
        for number in 1...3 {
            let asking = ask()
            try await eventually { sheets.questions.count == number }
            asking.cancel()
            #expect(await asking.value?.code == .cancelled)
        }
        // Not as if the person had closed it, which would put it off until they log out.
        let refused = ask()
        let code = Mutex<ProtocolError.Code?>(nil)
        Task {
            let error = await refused.value
            code.withLock { $0 = error?.code }
        }
        defer { refused.cancel() }
        try await eventually { code.withLock { $0 } != nil || sheets.questions.count > 3 }
        #expect(code.withLock { $0 } == .busy)
        #expect(sheets.questions.count == 3)
        clock.advance(by: ConsentLine.pause)
        let again = ask()
        try await eventually { sheets.questions.count == 4 }
        again.cancel()
        _ = await again.value
        windows.close()
    }

    /// The folder `run` is the login session's.
    @Test func notNowOutlivesTheBrokerAndNotTheLoginSession() async throws {
        let folder = try TemporaryFolder()
        let session = try folder.folder("run")
        func another(_ mark: String? = session + "/mark") -> FirstRunChoices {
            FirstRunChoices(folder: folder.path, mark: mark, seal: SettingsSeal(log: EventLog { _ in }))
        }
        let first = another()
        #expect(!first.isPostponed)
        first.postpone()
        #expect(first.isPostponed && another().isPostponed)
        // `keyway setup` takes it back.
        another().postpone(false)
        #expect(!another().isPostponed)
        another().postpone()
        try FileManager.default.removeItem(atPath: session)
        #expect(!another().isPostponed)
    }

    @Test func withoutAFolderOfTheLoginSessionNotNowLastsAsLongAsTheBroker() async throws {
        let folder = try TemporaryFolder()
        let choices = FirstRunChoices(folder: folder.path, mark: nil, seal: SettingsSeal(log: EventLog { _ in }))
        choices.postpone()
        #expect(choices.isPostponed)
        let home = ["HOME": folder.path]
        #expect(try KeywayPaths(environment: home).postponement == nil)
        let session = home.merging(["XDG_RUNTIME_DIR": "/run/user/1000"]) { $1 }
        #expect(try KeywayPaths(environment: session).postponement == "/run/user/1000/keyway/setup-postponed")
    }

    @Test func aWindowThatIsClosedIsAsGoodAsNotNow() async throws {
        let stage = try await Stage()
        stage.person.set(nextIsClosed: true)
        #expect(try await stage.setUp() == .notNow)
        #expect(try await !stage.isOn)
    }

    @Test func neverIsKeptUntilATerminalUndoesIt() async throws {
        let stage = try await Stage()
        stage.person.set(next: .never)
        #expect(try await stage.setUp() == .never)
        #expect(try await !stage.isOffered)
        #expect(try stage.fixture.broker.firstRun.document().isUnwanted)
        let terminal = try await stage.fixture.client(.terminal)
        _ = try await terminal.call(FinishSetUp.self, Nothing())
        #expect(try await stage.isOffered)
    }

    @Test func withoutAMasterPasswordNothingIsLeft() async throws {
        let stage = try await Stage()
        stage.person.set(next: .allowed, .refused)
        #expect(await failure { _ = try await stage.setUp() }?.code == .cancelled)
        #expect(try await !stage.isOn)
        #expect(try !stage.fixture.broker.firstRun.document().isUnfinished)
        #expect(try await stage.isOffered)
    }

    @Test func aBrowserThatGoesAwayLeavesNothing() async throws {
        let stage = try await Stage()
        stage.person.set(next: .allowed)
        // The next question is thought about for ever.
        stage.person.set(waitsAfter: 1)
        let call = Task { try await stage.setUp() }
        try await eventually { stage.asked.count == 2 }
        stage.client.close()
        _ = await call.result
        try await eventually { stage.person.taken == 1 }
        let (fixture, box) = (stage.fixture, Stage.box)
        try await eventually {
            let enabled = (try? await fixture.broker.directory.enabled()) ?? []
            return try !enabled.contains { $0.reference.identifier == box }
                && !fixture.broker.firstRun.document().isUnfinished
        }
    }

    @Test func whatWasCutOffGoesOn() async throws {
        let stage = try await Stage()
        _ = try await stage.fixture.broker.installed.setProvider(Stage.box, isEnabled: true)
        #expect(try await !stage.isOffered)
        try stage.fixture.broker.firstRun.change { $0.isUnfinished = true }
        #expect(try await stage.isOffered)
        stage.person.set(next: .allowed, try Self.secret("words"), .cancelled)
        #expect(try await stage.setUp() == .done)
        #expect(stage.given == ["words"])
    }

    @Test func whoTurnedTheProviderOnThemselvesIsNotSetUpAgain() async throws {
        let stage = try await Stage()
        try stage.fixture.broker.firstRun.change { $0.isUnfinished = true }
        let terminal = try await stage.fixture.client(.terminal)
        _ = try await terminal.call(
            SetProviderEnabled.self, .init(identifier: Stage.box, isEnabled: true))
        #expect(try await !stage.isOffered)
        #expect(try !stage.fixture.broker.firstRun.document().isUnfinished)
    }

    @Test func whereAnotherProviderIsOnWhatWasCutOffIsNotOffered() async throws {
        let stage = try await Stage()
        try await stage.fixture.provide([])
        try stage.fixture.broker.firstRun.change { $0.isUnfinished = true }
        #expect(try await !stage.isOffered)
    }

    // MARK: Who may begin it

    @Test func nothingIsSetUpFromAPrivateWindow() async throws {
        let stage = try await Stage()
        #expect(await failure { _ = try await stage.setUp(isPrivate: true) }?.code == .notAllowed)
        #expect(stage.asked.isEmpty)
    }

    @Test func whereNobodyCanBeAskedNothingIsChanged() async throws {
        let stage = try await Stage()
        stage.person.set(isThere: false)
        let error = await failure { _ = try await stage.setUp() }
        #expect(error?.code == .interactionRequired)
        #expect(error?.message.contains("keyway setup") == true)
        #expect(try await !stage.isOn)
    }

    @Test func aBrowserThatMayNotAskSetsNothingUp() async throws {
        let stage = try await Stage(approves: false)
        stage.person.add(answers: false)
        #expect(await failure { _ = try await stage.setUp() }?.code == .notApproved)
        #expect(stage.asked.isEmpty)
    }

    @Test(arguments: [Role.terminal, .application])
    func onlyABrowserBeginsIt(role: Role) async throws {
        let stage = try await Stage()
        let other = try await stage.fixture.client(role)
        #expect(await failure { _ = try await other.call(SetUp.self, .init()) } != nil)
        #expect(stage.asked.isEmpty)
    }

    @Test func oneAtATimeIsSetUp() async throws {
        let stage = try await Stage()
        stage.person.set(waits: true)
        let first = Task { try await stage.setUp() }
        try await eventually { stage.asked.count == 1 }
        #expect(await failure { _ = try await stage.setUp() }?.code == .busy)
        stage.person.set(next: .refused)
        stage.person.set(waits: false)
        #expect(try await first.value == .notNow)
    }
}
