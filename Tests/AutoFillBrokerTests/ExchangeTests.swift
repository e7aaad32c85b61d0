import AutoFillProtocol
import AutoFillWire
import BrokerTestSupport
import Foundation
import KeywaySystem
import LoginMonitor
import Synchronization
import Testing

@testable import AutoFillBroker

/// Accounts go from one provider to another: whom the person chose, once they were verified.
@Suite(.timeLimit(.minutes(5))) struct ExchangeTests {
    /// A broker with the providers `vault`, which exports, and `other`, which imports.
    private final class Stage: Sendable {
        let fixture: BrokerFixture
        let check: FakeCheck
        let person: Person
        let terminal: Connection
        /// The tokens that importing apps got.
        let tokens = Mutex<[String]>([])

        init(fixture: BrokerFixture, check: FakeCheck, person: Person, terminal: Connection) {
            self.fixture = fixture
            self.check = check
            self.person = person
            self.terminal = terminal
        }

        func begin(_ destination: String? = nil, presents: Bool = true) async throws -> BeginExchange.Result {
            try await terminal.call(
                BeginExchange.self, .init(provider: "test.vault", destination: destination, presents: presents))
        }

        var history: [HistoryEntry] {
            get async throws { try await terminal.call(ListHistory.self, .init()).entries }
        }
    }

    /// The person in the terminal.
    private final class Person: Sendable {
        let questions = Mutex<[AskPerson.Question]>([])
        let answer: AskPerson.Answer

        init(_ answer: AskPerson.Answer) {
            self.answer = answer
        }

        var methods: MethodTable {
            var table = MethodTable()
            table.on(AskPerson.self) { parameters, _ in
                self.questions.withLock { $0.append(parameters.question) }
                return .init(self.answer)
            }
            return table
        }

        var destinations: [[String]] {
            questions.withLock { questions in
                questions.compactMap { question in
                    guard case .exchange(let choice) = question else { return nil }
                    return choice.destinations.map(\.identifier)
                }
            }
        }
    }

    /// What a bundle declares.
    private struct Declared: Sendable {
        var exchanges = true
        var versions = ["1.0"]
        var activities = [ExchangeActivityType.importing, ExchangeActivityType.exporting]
        var hasApp = true

        var list: [String: Any] {
            var list: [String: Any] = [
                "NSExtension": [
                    "NSExtensionPointIdentifier": "com.apple.authentication-services-credential-provider-ui",
                    "NSExtensionAttributes": [
                        "ASCredentialProviderExtensionCapabilities": [
                            "ProvidesPasswords": true, "SupportsCredentialExchange": exchanges,
                            "SupportedCredentialExchangeVersions": versions,
                        ] as [String: Any]
                    ],
                ] as [String: Any],
                "NSUserActivityTypes": activities,
            ]
            if hasApp { list["KeywayActivityProgram"] = "app" }
            return list
        }
    }

    private static func memory(_ text: String) throws -> SecretFile {
        SecretFile(try Array(text.utf8).withUnsafeBytes { bytes throws in try SealedMemory(copying: bytes) })
    }

    private static func stage(
        answer: AskPerson.Answer = .chosen(0), check: FakeCheck = FakeCheck(), sheets: FakeSheets? = nil,
        others: [String: Declared] = ["other": Declared()], exporter: Declared = Declared()
    ) async throws -> Stage {
        let bundles = FakeBundles { _, _ in .reported }
        let fixture = try BrokerFixture(bundles, information: exporter.list, sheets: sheets)
        for (name, information) in others { try TestBundle.install(in: fixture.folder, information.list, name: name) }
        fixture.broker.person.verifier.add(check)
        let person = Person(answer)
        let terminal = try await fixture.client(.terminal, person.methods)
        for name in ["vault"] + others.keys.sorted() {
            _ = try await terminal.call(SetProviderEnabled.self, .init(identifier: "test." + name, isEnabled: true))
        }
        let stage = Stage(fixture: fixture, check: check, person: person, terminal: terminal)
        bundles.activity.withLock { $0 = { try await Self.act($0, $2, stage) } }
        return stage
    }

    /// What apps do: export what they have in two steps, or take what comes.
    private static func act(
        _ activity: ContinueActivity.Parameters, _ broker: Connection, _ stage: Stage
    ) async throws -> ContinueActivity.Result {
        guard let token = activity.token else {
            let agreed = try await broker.call(RequestExport.self, .init(provider: nil))
            _ = try await broker.call(
                ExportCredentials.self,
                .init(
                    exchange: agreed.exchange, formatVersion: agreed.formatVersion,
                    data: try memory("canary-of-the-exchange")))
            return .finished(report: try memory("exported"))
        }
        stage.tokens.withLock { $0.append(token) }
        let taken = try await broker.call(TakeCredentials.self, .init(token: token))
        return .finished(report: try memory("took " + (try taken.data.text)))
    }

    // MARK: - The way

    @Test func theProviderThatThePersonChoseGetsWhatWasExported() async throws {
        let stage = try await Self.stage()
        let result = try await stage.begin()
        #expect((result.exporter.identifier, result.destination.identifier) == ("test.vault", "test.other"))
        #expect(try result.exported?.text == "exported")
        #expect(try result.imported?.text == "took canary-of-the-exchange")
        #expect(stage.person.destinations == [["test.other"]])
        #expect(stage.check.count == 1)
        #expect(stage.fixture.broker.exchange.parcels.count == 0)
        let apps = stage.fixture.bundles.started(.providerApplication)
        #expect(apps.map(\.program.bundle.reference.identifier) == ["test.vault", "test.other"])
        try await eventually { apps.allSatisfy(\.hasEnded) }
    }

    @Test func theHistorySaysWhoGotItAndHowThePersonWasVerified() async throws {
        let stage = try await Self.stage()
        _ = try await stage.begin()
        let entry = try #require(try await stage.history.first { $0.event == .exchange })
        #expect((entry.provider?.identifier, entry.method) == ("test.vault", .pin))
        #expect(entry.detail == "All that was exported was given to other.")
        let text = String(decoding: try JSONEncoder().encode(try await stage.history), as: UTF8.self)
        #expect(!text.contains("canary") && !text.contains("exported\""))
    }

    @Test func aWindowAsksWhereTheTerminalDrawsNothing() async throws {
        let sheets = FakeSheets(answer: .chosen(0))
        let stage = try await Self.stage(sheets: sheets)
        let result = try await stage.begin(presents: false)
        #expect(result.destination.identifier == "test.other")
        #expect(sheets.questions.count == 1 && stage.person.destinations == [])
    }

    // MARK: - Who is offered

    @Test(
        arguments: [
            Declared(exchanges: false), Declared(versions: ["2.0"]), Declared(versions: []),
            Declared(activities: ["x"]),
            Declared(activities: [ExchangeActivityType.exporting]), Declared(hasApp: false),
        ])
    private func whoeverCannotTakeItIsNotOffered(other: Declared) async throws {
        let stage = try await Self.stage(others: ["other": other])
        #expect(await failure { _ = try await stage.begin() }?.code == .noProvider)
        #expect(stage.person.destinations == [] && stage.check.count == 0)
        #expect(stage.fixture.bundles.started(.providerApplication).isEmpty)
    }

    @Test func theActivityCountsAsItsDocumentationSpellsItToo() async throws {
        let other = Declared(activities: [ExchangeActivityType.importingAsDocumented])
        let stage = try await Self.stage(others: ["other": other])
        #expect(try await stage.begin().destination.identifier == "test.other")
    }

    @Test func onlyTheProviderThatWasNamedIsOffered() async throws {
        let stage = try await Self.stage(others: ["one": Declared(), "two": Declared()])
        #expect(try await stage.begin("test.two").destination.identifier == "test.two")
        #expect(stage.person.destinations == [["test.two"]])
    }

    @Test(
        arguments: [Declared(exchanges: false), Declared(activities: []), Declared(hasApp: false)])
    private func whoeverDoesNotExportIsNotAskedTo(exporter: Declared) async throws {
        let stage = try await Self.stage(exporter: exporter)
        #expect(await failure { _ = try await stage.begin() }?.code == .noProvider)
    }

    // MARK: - What the person decides

    @Test func nothingLeavesWithoutAVerificationOfThisMoment() async throws {
        let stage = try await Self.stage(check: .failing())
        #expect(await failure { _ = try await stage.begin() }?.code == .notVerified)
        #expect(stage.fixture.bundles.started(.providerApplication).count == 1, "nobody imports")
        #expect(try await stage.history.contains { $0.event == .refusal && $0.provider?.identifier == "test.vault" })
    }

    @Test func nothingLeavesWhereNothingVerifiesThePerson() async throws {
        let stage = try await Self.stage(check: FakeCheck(isAvailable: false))
        #expect(await failure { _ = try await stage.begin() }?.code == .notVerified)
        #expect(stage.person.destinations == [], "nobody chooses in vain")
    }

    @Test func eachExportIsVerifiedAnew() async throws {
        let stage = try await Self.stage()
        _ = try await stage.begin()
        _ = try await stage.begin()
        #expect(stage.check.count == 2)
    }

    @Test(arguments: [AskPerson.Answer.cancelled, .refused, .chosen(1), .chosen(-1), .allowed])
    func whatThePersonDidNotChooseGetsNothing(answer: AskPerson.Answer) async throws {
        let stage = try await Self.stage(answer: answer)
        #expect(await failure { _ = try await stage.begin() }?.code == .cancelled)
        #expect(stage.check.count == 0)
        #expect(stage.fixture.bundles.started(.providerApplication).count == 1, "nobody imports")
    }

    // MARK: - Who takes it

    @Test func anAppThatTakesNothingHasFailed() async throws {
        let stage = try await Self.stage()
        stage.fixture.bundles.activity.withLock {
            $0 = { activity, _, broker in
                activity.token == nil ? try await Self.act(activity, broker, stage) : .finished(report: nil)
            }
        }
        #expect(await failure { _ = try await stage.begin() }?.code == .providerFailed)
        #expect(stage.fixture.broker.exchange.parcels.count == 0)
    }

    @Test(arguments: [
        (ContinueActivity.Result.cancelled, ProtocolError.Code.cancelled), (.failed(reason: "no"), .providerFailed),
    ])
    func anImportThatEndsOtherwiseEndsTheExportLikewise(
        end: ContinueActivity.Result, code: ProtocolError.Code
    ) async throws {
        let stage = try await Self.stage()
        stage.fixture.bundles.activity.withLock {
            $0 = { activity, _, broker in
                activity.token == nil ? try await Self.act(activity, broker, stage) : end
            }
        }
        #expect(await failure { _ = try await stage.begin() }?.code == code)
        #expect(stage.fixture.broker.exchange.parcels.count == 0)
    }

    @Test func anAppOfAnotherActivityCannotTakeIt() async throws {
        let stage = try await Self.stage(others: ["one": Declared(), "two": Declared()])
        let refused = Mutex<String?>(nil)
        stage.fixture.bundles.activity.withLock {
            $0 = { activity, program, broker in
                guard let token = activity.token else { return try await Self.act(activity, broker, stage) }
                // Another app of the same provider, started for something else, as far as it knows the token.
                let number = stage.fixture.broker.exchange.activities.begin(.importing(UUID()))
                var table = MethodTable()
                stage.fixture.broker.exchange.activities.addMethods(to: &table, for: program.bundle, activity: number)
                let (ours, theirs) = try LocalSocket.pair()
                let greeting = Greeting(accepts: [.providerApplication], name: "keywayd")
                let end = Connection(descriptor: theirs, peer: .unknown(greeting), methods: table)
                end.start()
                let stranger = Connection(descriptor: ours, peer: .known(.broker))
                stranger.start()
                try await stranger.greet(as: .providerApplication, name: "stranger")
                let error = await failure { _ = try await stranger.call(TakeCredentials.self, .init(token: token)) }
                refused.withLock { $0 = error?.message }
                withExtendedLifetime(end) {}
                return try await Self.act(activity, broker, stage)
            }
        }
        _ = try await stage.begin("test.two")
        #expect(refused.withLock { $0 } == "No accounts wait under this token.")
    }

    @Test func anImportingAppExportsNothing() async throws {
        let stage = try await Self.stage()
        let codes = Mutex<[ProtocolError.Code?]>([])
        stage.fixture.bundles.activity.withLock {
            $0 = { activity, _, broker in
                guard activity.token != nil else { return try await Self.act(activity, broker, stage) }
                let error = await failure { _ = try await broker.call(RequestExport.self, .init(provider: nil)) }
                codes.withLock { $0.append(error?.code) }
                return try await Self.act(activity, broker, stage)
            }
        }
        _ = try await stage.begin()
        #expect(codes.withLock { $0 } == [.notAllowed])
    }

    @Test func whatIsTakenTwiceIsGivenOnce() async throws {
        let stage = try await Self.stage()
        stage.fixture.bundles.activity.withLock {
            $0 = { activity, _, broker in
                let result = try await Self.act(activity, broker, stage)
                guard let token = activity.token else { return result }
                let error = await failure { _ = try await broker.call(TakeCredentials.self, .init(token: token)) }
                return .failed(reason: error?.message)
            }
        }
        let error = await failure { _ = try await stage.begin() }
        #expect(error?.message == "other failed: No accounts wait under this token.")
    }

    // MARK: - Time

    @Test func anAppThatTakesNothingInTimeIsEnded() async throws {
        let stage = try await Self.stage()
        stage.fixture.bundles.activity.withLock {
            $0 = { activity, _, broker in
                guard let token = activity.token else { return try await Self.act(activity, broker, stage) }
                stage.tokens.withLock { $0.append(token) }
                try await Task.sleep(for: .seconds(3600))
                return .cancelled
            }
        }
        let beginning = Task { await failure { _ = try await stage.begin() }?.code }
        try await eventually { !stage.tokens.withLock { $0 }.isEmpty }
        try await stage.fixture.clock.waitForSleeper(of: ExchangeParcels.life)
        stage.fixture.clock.advance(by: ExchangeParcels.life)
        #expect(await beginning.value == .timedOut)
        #expect(stage.fixture.broker.exchange.parcels.count == 0)
        // Two exports for the time of an agreement: the exporter's own app, and nothing else.
        try await eventually { stage.fixture.bundles.started(.providerApplication).allSatisfy(\.hasEnded) }
    }

    @Test(arguments: [(599, true), (600, false)])
    func anAgreementWaitsTenMinutesForTheData(seconds: Int, counts: Bool) async throws {
        let stage = try await Self.stage()
        stage.fixture.bundles.activity.withLock {
            $0 = { activity, _, broker in
                guard activity.token == nil else { return try await Self.act(activity, broker, stage) }
                let agreed = try await broker.call(RequestExport.self, .init(provider: nil))
                try await stage.fixture.clock.waitForSleeper(of: ExchangeAgreements.life)
                stage.fixture.clock.advance(by: .seconds(seconds))
                try await eventually {
                    stage.fixture.broker.exchange.agreements.count == (counts ? 1 : 0)
                }
                _ = try await broker.call(
                    ExportCredentials.self,
                    .init(exchange: agreed.exchange, formatVersion: "1.0", data: try Self.memory("x")))
                return .finished(report: nil)
            }
        }
        #expect(await failure { _ = try await stage.begin() }?.code == (counts ? nil : .notFound))
    }

    @Test func whatWasAgreedOnCountsOnce() async throws {
        let stage = try await Self.stage()
        stage.fixture.bundles.activity.withLock {
            $0 = { activity, _, broker in
                guard activity.token == nil else { return try await Self.act(activity, broker, stage) }
                let agreed = try await broker.call(RequestExport.self, .init(provider: nil))
                for _ in 0..<2 {
                    _ = try await broker.call(
                        ExportCredentials.self,
                        .init(exchange: agreed.exchange, formatVersion: "1.0", data: try Self.memory("x")))
                }
                return .finished(report: nil)
            }
        }
        #expect(await failure { _ = try await stage.begin() }?.code == .notFound)
        #expect(stage.check.count == 1)
    }

    @Test func whatWasAgreedOnIsForgottenWhenTheSessionIsLocked() async throws {
        let stage = try await Self.stage()
        stage.fixture.bundles.activity.withLock {
            $0 = { activity, _, broker in
                guard activity.token == nil else { return try await Self.act(activity, broker, stage) }
                let agreed = try await broker.call(RequestExport.self, .init(provider: nil))
                await stage.fixture.broker.handle(.sessionLocked)
                _ = try await broker.call(
                    ExportCredentials.self,
                    .init(exchange: agreed.exchange, formatVersion: "1.0", data: try Self.memory("x")))
                return .finished(report: nil)
            }
        }
        #expect(await failure { _ = try await stage.begin() }?.code == .notFound)
    }

    @Test(arguments: ["2.0", ""])
    func dataOfAnotherVersionThanAgreedOnIsRefused(version: String) async throws {
        let stage = try await Self.stage()
        stage.fixture.bundles.activity.withLock {
            $0 = { activity, _, broker in
                guard activity.token == nil else { return try await Self.act(activity, broker, stage) }
                _ = try await broker.call(
                    ExportCredentials.self,
                    .init(exchange: nil, formatVersion: version, data: try Self.memory("x")))
                return .finished(report: nil)
            }
        }
        #expect(await failure { _ = try await stage.begin() }?.code == .invalidParameters)
    }

    @Test func anExportThatIsTakenBackEndsTheImport() async throws {
        let stage = try await Self.stage()
        stage.fixture.bundles.activity.withLock {
            $0 = { activity, _, broker in
                guard let token = activity.token else { return try await Self.act(activity, broker, stage) }
                stage.tokens.withLock { $0.append(token) }
                try await Task.sleep(for: .seconds(3600))
                return .cancelled
            }
        }
        let beginning = Task { try await stage.begin() }
        try await eventually { !stage.tokens.withLock { $0 }.isEmpty }
        beginning.cancel()
        _ = await beginning.result
        try await eventually { stage.fixture.bundles.started(.providerApplication).allSatisfy(\.hasEnded) }
        try await eventually { stage.fixture.broker.exchange.parcels.count == 0 }
    }

    // MARK: - Who may ask

    @Test func anAppOfNoProviderExportsAndTakesNothing() async throws {
        let stage = try await Self.stage()
        let app = try await stage.fixture.client(.application)
        let data = try Self.memory("x")
        #expect(await failure { _ = try await app.call(RequestExport.self, .init(provider: nil)) }?.code == .disabled)
        #expect(
            await failure {
                _ = try await app.call(
                    ExportCredentials.self, .init(exchange: nil, formatVersion: "1.0", data: data))
            }?.code == .disabled)
        #expect(
            await failure { _ = try await app.call(TakeCredentials.self, .init(token: UUID().uuidString)) }?.code
                == .disabled)
        #expect(
            await failure { _ = try await app.call(BeginExchange.self, .init(provider: nil, presents: true)) }?.code
                == .notAllowed)
    }
}
