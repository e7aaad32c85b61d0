import AutoFillProtocol
import AutoFillWire
import BrokerTestSupport
import ClockTestSupport
import Foundation
import KeywaySystem
import Synchronization
import Testing

@testable import AutoFillBroker

/// Which programs may ask: the person is asked once about each, and what they said holds.
struct ClientTests {
    private func fixture(_ person: ScriptedPerson, verifier: (any PersonVerifier)? = nil) throws -> BrokerFixture {
        try BrokerFixture(FakeBundles { _, _ in try password() }, person: person, verifier: verifier)
    }

    @Test func personIsAskedOnceHoweverManyRequestsWait() async throws {
        let person = ScriptedPerson()
        person.set(waits: true)
        let fixture = try fixture(person)
        let one = try await fixture.client()
        let other = try await fixture.client()
        async let first = one.suggestions()
        async let second = other.suggestions()
        async let third = other.suggestions()
        while person.questions.isEmpty { await Task.yield() }
        person.set(waits: false)
        _ = try await (first, second, third)
        #expect(person.programs.count == 1)
        #expect(person.programs[0].permissions == [.seeAccounts, .receiveCredentials])
        #expect(!person.programs[0].isKnown)
        #expect(person.programs[0].path.hasPrefix("/"))
        _ = try await one.suggestions()
        #expect(person.programs.count == 1)
    }

    @Test func refusalIsRememberedAndNotAskedAgain() async throws {
        let person = ScriptedPerson(answers: false)
        let fixture = try fixture(person)
        let client = try await fixture.client()
        for _ in 0..<3 { #expect(await failure { _ = try await client.suggestions() }?.code == .notApproved) }
        #expect(person.programs.count == 1)
    }

    @Test func terminalIsAskedAboutApartFromABrowser() async throws {
        let person = ScriptedPerson(answers: true, false)
        let fixture = try fixture(person)
        _ = try await fixture.client(.browser).suggestions()
        let terminal = try await fixture.client(.terminal)
        #expect(await failure { _ = try await terminal.suggestions() }?.code == .notApproved)
        #expect(person.programs.last?.permissions.contains(.useService) == true)
    }

    @Test func questionIsTakenBackWhenNobodyWaitsForIt() async throws {
        let person = ScriptedPerson()
        person.set(waits: true)
        let fixture = try fixture(person)
        let client = try await fixture.client()
        let asking = Task { try await client.suggestions() }
        while person.questions.isEmpty { await Task.yield() }
        asking.cancel()
        #expect(await failure { _ = try await asking.value }?.code == .cancelled)
        while person.taken == 0 { await Task.yield() }
        // Nobody decided: the next request asks.
        person.set(waits: false)
        while await failure({ _ = try await client.suggestions() }) != nil { await Task.yield() }
        #expect(person.programs.count == 2)
    }

    @Test func statusAndWhatIsInstalledNeedNoApproval() async throws {
        let person = ScriptedPerson(answers: false)
        let fixture = try fixture(person)
        let terminal = try await fixture.client(.terminal)
        _ = try await terminal.call(BrokerStatus.self, Nothing())
        #expect(try await terminal.call(ListProviders.self, Nothing()).providers.count == 1)
        #expect(person.questions.isEmpty)
    }

    /// Any page asks it when it loads.
    @Test func whatABrowserCanDoWithPasskeysIsNoReasonToAskThePerson() async throws {
        let person = ScriptedPerson(answers: false)
        let fixture = try fixture(person)
        let browser = try await fixture.client(.browser)
        _ = try await browser.call(PasskeySupport.self, Nothing())
        #expect(person.questions.isEmpty)
        #expect(await failure { _ = try await browser.suggestions() }?.code == .notApproved)
        _ = try await browser.call(PasskeySupport.self, Nothing())
        #expect(person.questions.count == 1)
    }

    @Test func whoMayNotAskLearnsNotHowManyAccountsThereAre() async throws {
        let fixture = try fixture(ScriptedPerson())
        try await fixture.provide([BrokerFixture.identity()])
        let terminal = try await fixture.client(.terminal)
        #expect(try await terminal.call(ListProviders.self, Nothing()).providers.map(\.identities) == [1])
        let mine = try await terminal.call(ListClients.self, Nothing()).clients[0]
        _ = try await terminal.call(ChangeClient.self, .init(identifier: mine.identifier, change: .refuse))
        while !terminal.isClosed { await Task.yield() }
        let refused = try await fixture.client(.terminal)
        let listed = try await refused.call(ListProviders.self, Nothing()).providers
        #expect(listed.map(\.identities) == [0])
        #expect(listed.map(\.isEnabled) == [true])
        #expect(listed.map(\.notice) == [nil])
    }

    /// Every method that a program may call, but for those five, waits for the person.
    @Test func nothingElseIsAnsweredBeforeThePersonDecided() async throws {
        let fixture = try fixture(ScriptedPerson(answers: false))
        let terminal = try await fixture.client(.terminal)
        #expect(
            await failure { _ = try await terminal.call(ListClients.self, Nothing()) }?.code == .notApproved)
        let open = ClientAdmission.openMethods
        #expect(
            open == [
                BrokerStatus.name, ListProviders.name, VerificationState.name, PasskeySupport.name, SetUpState.name,
            ])
    }

    @Test func providerIsTurnedOnOnlyIfThePersonSaysSo() async throws {
        // The terminal may ask; the provider may not be turned on.
        let person = ScriptedPerson(answers: true, false)
        let fixture = try fixture(person)
        let terminal = try await fixture.client(.terminal)
        let turnOn = SetProviderEnabled.Parameters(identifier: BrokerFixture.provider, isEnabled: true)
        #expect(await failure { _ = try await terminal.call(SetProviderEnabled.self, turnOn) }?.code == .cancelled)
        #expect(try await terminal.call(ListProviders.self, Nothing()).providers[0].isEnabled == false)
        guard case .enabling(let question)? = person.questions.last else {
            Issue.record("nothing was asked")
            return
        }
        #expect(question.provider.identifier == BrokerFixture.provider)
        #expect(question.path.hasSuffix("vault.appex"))
        _ = try await terminal.call(SetProviderEnabled.self, turnOn)
        #expect(try await terminal.call(ListProviders.self, Nothing()).providers[0].isEnabled)
        // It is on: there is nothing to decide.
        let asked = person.questions.count
        _ = try await terminal.call(SetProviderEnabled.self, turnOn)
        #expect(person.questions.count == asked)
    }

    @Test func providerThatIsOnRunsUnconfinedOnlyIfThePersonSaysSo() async throws {
        let person = ScriptedPerson(answers: true, true, false, true)
        let fixture = try fixture(person)
        try TestBundle.install(in: fixture.folder, ["KeywaySandbox": ["ReadPaths": ["~/notes"]]])
        let terminal = try await fixture.client(.terminal)
        func turnOn(_ mayRunUnconfined: Bool?) async throws -> InstalledProvider {
            try await terminal.call(
                SetProviderEnabled.self,
                .init(
                    identifier: BrokerFixture.provider, isEnabled: true, mayRunUnconfined: mayRunUnconfined)
            ).provider
        }
        #expect(try await turnOn(nil).mayRunUnconfined == nil)
        guard case .enabling(let question)? = person.questions.last else {
            Issue.record("nothing was asked")
            return
        }
        #expect(question.reaches == ["read ~/notes"])
        #expect(await failure { _ = try await turnOn(true) }?.code == .cancelled)
        #expect(try await terminal.call(ListProviders.self, Nothing()).providers[0].mayRunUnconfined == nil)
        #expect(try await turnOn(true).mayRunUnconfined == true)
    }

    @Test func whoeverDecidesIsToldThatTheMachineConfinesLessAndWhatIsReached() async throws {
        let person = ScriptedPerson(answers: true, true)
        let bundles = FakeBundles(strength: .init(strength: .partial, detail: "No namespaces.")) { _, _ in
            throw ProtocolError(.providerFailed, "No.")
        }
        let fixture = try BrokerFixture(
            bundles, information: ["KeywaySandbox": ["WritePaths": ["~/notes"], "Network": true]], person: person)
        let terminal = try await fixture.client(.terminal)
        let turnOn = SetProviderEnabled.Parameters(
            identifier: BrokerFixture.provider, isEnabled: true, mayRunUnconfined: true)
        _ = try await terminal.call(SetProviderEnabled.self, turnOn)
        guard case .enabling(let question)? = person.questions.last else {
            Issue.record("nothing was asked")
            return
        }
        #expect(question.isUnconfined)
        #expect(question.reaches.count == 2)
        #expect(question.reaches.first == "read and change ~/notes")
        #expect(question.reaches.last?.contains("localhost") == true)
    }

    @Test func withoutADisplayTheFirstTerminalMayBeginAndNobodyElse() async throws {
        let person = ScriptedPerson()
        person.set(isThere: false)
        let fixture = try fixture(person)
        let browser = try await fixture.client(.browser)
        #expect(await failure { _ = try await browser.suggestions() }?.code == .notApproved)
        let terminal = try await fixture.client(.terminal)
        _ = try await terminal.suggestions()
        #expect(await failure { _ = try await browser.suggestions() }?.code == .notApproved)
        let clients = try await terminal.call(ListClients.self, Nothing()).clients
        #expect(clients.map(\.decision) == [.waiting, .approved])
        let approve = ChangeClient.Parameters(identifier: clients[0].identifier, change: .approve)
        #expect(await failure { _ = try await terminal.call(ChangeClient.self, approve) }?.code == .notVerified)
    }

    @Test func withoutADisplayThePersonIsVerifiedInTheTerminal() async throws {
        let person = ScriptedPerson()
        person.set(isThere: false)
        let verifier = SystemVerifier()
        let check = FakeCheck(.pin)
        verifier.add(check)
        let fixture = try fixture(person, verifier: verifier)
        let terminal = try await fixture.client(.terminal)
        _ = try await terminal.suggestions()
        #expect(check.count == 1)
        #expect(check.subjects.withLock { $0[0].reason }?.contains("use Keyway") == true)
        let clients = try await terminal.call(ListClients.self, Nothing()).clients
        #expect(clients.map(\.method) == [.pin])
    }

    @Test func whoeverCannotBeVerifiedMayNotAsk() async throws {
        let person = ScriptedPerson()
        person.set(isThere: false)
        let verifier = SystemVerifier()
        verifier.add(FakeCheck.failing(.pin))
        let fixture = try fixture(person, verifier: verifier)
        let terminal = try await fixture.client(.terminal)
        #expect(await failure { _ = try await terminal.suggestions() }?.code == .notVerified)
        person.set(isThere: true)
        _ = try await terminal.suggestions()
    }

    /// Whoever ends the windows, or types wrong PINs, must not get by that what the person was to decide.
    @Test func thatThePersonCannotBeAskedNowIsNoYes() async throws {
        let desk = ConsentQuestions(sheets: nil, verifier: nil, hasDesktop: { true })
        let question = AskPerson.Question.consent(.init(program: "x", path: "/x", permissions: []))
        let error = await failure { _ = try await desk.ask(question, reason: "x", terminal: nil) }
        #expect(error?.code == .interactionRequired && error?.message.contains("desktop") == true)
        let nobody = ConsentQuestions(sheets: nil, verifier: nil)
        #expect(try await nobody.ask(question, reason: "x", terminal: nil) == nil)
    }

    /// Whoever stops what checks the person, or takes its settings away, must not get by that what it was to check.
    @Test(arguments: [VerificationMethodState.Obstacle?.none, .lockedOut, .notSetUp, .missing])
    func thatNothingChecksNowIsNoYes(obstacle: VerificationMethodState.Obstacle?) async throws {
        let verifier = SystemVerifier()
        verifier.add(FakeCheck(.masterPassword, isAvailable: false, obstacle: obstacle))
        let desk = ConsentQuestions(sheets: nil, verifier: verifier, remedy: { ". Begin anew." })
        let question = AskPerson.Question.consent(.init(program: "x", path: "/x", permissions: []))
        guard obstacle?.isAbsence != true else {
            return #expect(try await desk.ask(question, reason: "x", terminal: FakePresenter()) == nil)
        }
        for isThere in [true, false] {
            let error = await failure {
                _ = try await desk.ask(question, reason: "x", terminal: FakePresenter(isThere: isThere))
            }
            #expect(error?.code == .interactionRequired)
            #expect(error?.message.contains("(master password: it is not set up)") == true)
            #expect(error?.message.hasSuffix("Begin anew.") == true && error?.message.contains("desktop") == false)
        }
    }

    /// A program that leaves its terminal must not get by that what would be checked in one.
    @Test(arguments: [true, false]) func whoHasNoTerminalGetsAroundNoCheck(canCheck: Bool) async throws {
        let person = ScriptedPerson()
        let check = FakeCheck(.masterPassword, isAvailable: canCheck)
        let verifier = SystemVerifier()
        verifier.add(check)
        let fixture = try BrokerFixture(
            FakeBundles { _, _ in try password() }, hasTerminal: false, person: person, verifier: verifier)
        let terminal = try await fixture.client(.terminal)
        _ = try await terminal.suggestions()
        person.set(isThere: false)
        let turnOn = SetProviderEnabled.Parameters(identifier: BrokerFixture.provider, isEnabled: true)
        let error = await failure { _ = try await terminal.call(SetProviderEnabled.self, turnOn) }
        #expect(error?.code == (canCheck ? .interactionRequired : nil))
        #expect(try await terminal.call(ListProviders.self, Nothing()).providers[0].isEnabled == !canCheck)
        #expect(check.count == 0)
    }

    @Test func programWithoutAnAnswerHearsNoNotices() async throws {
        let person = ScriptedPerson(answers: false)
        let fixture = try fixture(person)
        fixture.broker.notices.post(nil, "for the person")
        let heard = Mutex<[String]>([])
        var table = MethodTable()
        table.on(BrokerNotice.self) { parameters, _ in heard.withLock { $0.append(parameters.text) } }
        let stranger = try await fixture.client(.terminal, table)
        #expect(await failure { _ = try await stranger.suggestions() }?.code == .notApproved)
        let clients = try await fixture.broker.clients.list().clients
        #expect(clients.map(\.decision) == [.refused])
        #expect(heard.withLock { $0 }.isEmpty)
    }

    @Test func approvalOutlivesTheBrokerAndALockedSession() async throws {
        let person = ScriptedPerson()
        let fixture = try fixture(person)
        let client = try await fixture.client(.terminal)
        _ = try await client.suggestions()
        await fixture.broker.stores.lock()
        #expect(try await client.call(ListClients.self, Nothing()).clients.count == 1)
        await fixture.broker.stores.unlock()
        let file = ClientGrants.file(in: fixture.folder.path + "/.local/state/keyway", .opened())
        #expect(try file.read()?.clients.map(\.decision) == [.approved])
    }

    @Test func forgottenProgramIsAskedAboutAgain() async throws {
        let person = ScriptedPerson()
        let fixture = try fixture(person)
        let terminal = try await fixture.client(.terminal)
        let browser = try await fixture.client(.browser)
        _ = try await browser.suggestions()
        let clients = try await terminal.call(ListClients.self, Nothing()).clients
        let mine = try #require(clients.first { $0.role == .browser })
        _ = try await terminal.call(ChangeClient.self, .init(identifier: mine.identifier, change: .forget))
        while !browser.isClosed { await Task.yield() }
        let asked = person.programs.count
        _ = try await fixture.client(.browser).suggestions()
        #expect(person.programs.count == asked + 1)
    }

    @Test func renamedProgramKeepsItsApproval() async throws {
        let person = ScriptedPerson()
        let fixture = try fixture(person)
        let terminal = try await fixture.client(.terminal)
        let mine = try await terminal.call(ListClients.self, Nothing()).clients[0]
        let rename = ChangeClient.Parameters(identifier: mine.identifier, change: .rename("Mine\u{7}"))
        let clients = try await terminal.call(ChangeClient.self, rename).clients
        #expect(clients[0].name.hasPrefix("Mine"))
        #expect(clients[0].decision == .approved)
        let empty = ChangeClient.Parameters(identifier: mine.identifier, change: .rename(""))
        #expect(
            await failure { _ = try await terminal.call(ChangeClient.self, empty) }?.code == .invalidParameters)
        #expect(person.programs.count == 1)
    }
}

/// A program that passes for a browser's host and makes up profiles.
@Suite(.timeLimit(.minutes(1))) struct MadeUpProfileTests {
    private let person = ScriptedPerson()
    private let fixture: BrokerFixture

    init() throws {
        fixture = try BrokerFixture(FakeBundles { _, _ in try password() }, person: person)
    }

    /// Asks as `profile` of a host that `program` started.
    private func ask(
        _ profile: String, of program: String = "/tmp/stranger", over open: Connection? = nil
    ) async throws -> ProtocolError? {
        let client = ConnectedClient(
            identity: ClientIdentity(role: .browser, isKnown: true, path: nil, profile: profile, browser: program),
            program: nil, profile: BrowserProfile(identifier: profile, browser: "Chromium"))
        let made: Connection? = open == nil ? try await fixture.client() : nil
        guard let connection = open ?? made else { return nil }
        return await failure { _ = try await fixture.broker.clients.admit(client, connection) }
    }

    @Test func profilesOfOneProgramAreAskedAboutOneAfterAnother() async throws {
        person.set(waits: true)
        async let first = ask("p1")
        while person.questions.isEmpty { await Task.yield() }
        #expect(try await ask("p2")?.code == .notApproved)
        #expect(person.questions.count == 1)
        person.set(waits: false)
        #expect(try await first == nil)
        #expect(try await ask("p2") == nil)
        #expect(person.questions.count == 2)
    }

    @Test(arguments: [true, false])
    func programThatWasTurnedAwayAsksUnderNoOtherProfileForAWhile(isRefused: Bool) async throws {
        person.set(nextIsClosed: !isRefused)
        if isRefused { person.add(answers: false) }
        #expect(try await ask("p1")?.code == (isRefused ? .notApproved : .cancelled))
        for number in 2..<10 { #expect(try await ask("p\(number)")?.code == .notApproved) }
        #expect(person.questions.count == 1)
        // Another program is asked about.
        #expect(try await ask("p1", of: "/usr/lib/chromium/chromium") == nil)
        fixture.clock.advance(by: AskingPauses.first)
        #expect(try await ask("p3") == nil)
        #expect(person.questions.count == 3)
    }

    @Test func madeUpProfilesPushNoOtherProgramOutOfTheList() async throws {
        person.set(isThere: false)
        #expect(try await ask("p1", of: "/usr/lib/chromium/chromium")?.code == .notApproved)
        // Over one connection: a program that nobody approved has few.
        let open = try await fixture.client()
        for number in 0..<100 { #expect(try await ask("p\(number)", over: open)?.code == .notApproved) }
        let listed = try await fixture.broker.clients.list().clients
        #expect(listed.count { $0.browser == "/usr/lib/chromium/chromium" } == 1)
        #expect(listed.count { $0.browser == "/tmp/stranger" } == 4)
    }

    @Test func pauseGrowsWithEachRefusalUntilThePersonLetsTheProgram() {
        let client = ClientIdentity(role: .browser, isKnown: true, path: nil, profile: "p", browser: "/tmp/stranger")
        var pauses = AskingPauses()
        var now = MonotonicTime(nanoseconds: 0)
        func wait(_ seconds: UInt64) { now = MonotonicTime(nanoseconds: now.nanoseconds + seconds * 1_000_000_000) }
        for length: UInt64 in [30, 60, 120] {
            pauses.turnAway(client, isRefused: true, at: now)
            wait(length - 1)
            #expect(pauses.holds(client.program, at: now))
            wait(1)
            #expect(!pauses.holds(client, at: now))
        }
        for _ in 0..<20 { pauses.turnAway(client, isRefused: true, at: now) }
        wait(3600)
        #expect(!pauses.holds(client, at: now))
        pauses.turnAway(client, isRefused: false, at: now)
        pauses.end(client)
        #expect(!pauses.holds(client, at: now))
        let terminal = ClientIdentity(role: .terminal, isKnown: true, path: nil, profile: nil, browser: nil)
        pauses.turnAway(terminal, isRefused: false, at: now)
        #expect(!pauses.holds(terminal, at: now))
    }
}

/// What the person is shown of a program.
struct ClientConsentTests {
    private func consent(isKnown: Bool, path: String?, browser: String?) -> AskPerson.Consent {
        Clients.consent(
            ClientGrants.Grant(
                identifier: "00", name: "x", role: .browser, isKnown: isKnown, path: path, digest: nil, profile: nil,
                coversAllProfiles: nil, isUncounted: nil, browser: browser, decision: .waiting, decidedAt: nil,
                method: nil))
    }

    @Test func ofAProgramThatNobodyVouchesForItsOwnFileComesFirst() {
        let unknown = consent(isKnown: false, path: "/home/ada/keyway-browser-host", browser: "/usr/bin/firefox")
        #expect(unknown.path == "/home/ada/keyway-browser-host")
        #expect(unknown.browser == "/usr/bin/firefox")
        let known = consent(isKnown: true, path: nil, browser: "/usr/bin/firefox")
        #expect(known.path == "/usr/bin/firefox")
        #expect(known.browser == nil)
    }

    @Test func nameIsThatOfAFileAndNotWhatTheProgramSays() {
        func name(isKnown: Bool = false, browser: String? = nil) -> String {
            ConnectedClient(
                identity: ClientIdentity(role: .browser, isKnown: isKnown, path: nil, profile: "p", browser: browser),
                program: nil, profile: BrowserProfile(identifier: "p", browser: "Firefox")
            ).name
        }
        #expect(name(browser: "/opt/evil") == "evil")
        #expect(name(isKnown: true, browser: "/usr/lib/firefox/firefox") == "firefox")
        #expect(name(isKnown: true) == "Firefox")
    }
}

/// For what an approval holds.
struct ClientGrantTests {
    private func client(
        _ path: String = "/usr/bin/one", role: Role = .terminal, isKnown: Bool = false, profile: String? = nil,
        browser: String? = nil
    ) -> ConnectedClient {
        ConnectedClient(
            identity: ClientIdentity(
                role: role, isKnown: isKnown, path: isKnown ? nil : path, profile: profile, browser: browser),
            program: nil, profile: profile.map { BrowserProfile(identifier: $0, browser: "Chromium") })
    }

    private func grant(
        _ client: ConnectedClient, digest: String? = "d1", coversAllProfiles: Bool? = nil
    ) -> ClientGrants.Grant {
        ClientGrants.Grant(
            identifier: client.identity.identifier, name: "x", role: client.identity.role,
            isKnown: client.identity.isKnown, path: client.identity.path, digest: digest, profile: client.profile,
            coversAllProfiles: coversAllProfiles, isUncounted: nil, browser: client.identity.browser,
            decision: .approved, decidedAt: 1,
            method: nil)
    }

    @Test func approvalIsForOneFileOneRoleOneProfileAndOneBrowser() {
        let mine = client(role: .browser, profile: "p1", browser: "/usr/lib/chromium/chromium")
        let grants = ClientGrants(clients: [grant(mine)])
        #expect(grants.grant(for: mine, digest: "d1") != nil)
        #expect(grants.grant(for: mine, digest: "d2") == nil)
        #expect(grants.grant(for: mine, digest: nil) == nil)
        for other in [
            client("/usr/bin/two", role: .browser, profile: "p1", browser: "/usr/lib/chromium/chromium"),
            client(role: .terminal, profile: "p1", browser: "/usr/lib/chromium/chromium"),
            client(role: .browser, profile: "p2", browser: "/usr/lib/chromium/chromium"),
            client(role: .browser, profile: "p1", browser: "/tmp/chromium"),
            client(role: .browser, profile: "p1"),
            client(role: .browser, isKnown: true, profile: "p1", browser: "/usr/lib/chromium/chromium"),
        ] {
            #expect(grants.grant(for: other, digest: "d1") == nil)
            #expect(other.identity.identifier != mine.identity.identifier)
        }
    }

    @Test func knownProgramNeedsNoDigest() {
        let mine = client(isKnown: true)
        #expect(ClientGrants(clients: [grant(mine, digest: nil)]).grant(for: mine, digest: nil) != nil)
        #expect(ClientGrants(clients: [grant(mine, digest: nil)]).grant(for: client(), digest: nil) == nil)
    }

    @Test func grantForAllProfilesCoversEachButYieldsToOneForThatProfile() {
        let general = client(role: .browser)
        var refused = grant(client(role: .browser, profile: "p2"))
        refused.decision = .refused
        let grants = ClientGrants(clients: [grant(general, coversAllProfiles: true), refused])
        #expect(grants.grant(for: client(role: .browser, profile: "p1"), digest: "d1")?.decision == .approved)
        #expect(grants.grant(for: client(role: .browser, profile: "p2"), digest: "d1")?.decision == .refused)
    }

    @Test func tooManyAnswersPushOutThoseThatAllowNothing() {
        var grants = ClientGrants()
        grants.put(grant(client("/approved")))
        for number in 0..<ClientGrants.capacity + 10 {
            var one = grant(client("/program\(number)"))
            one.decision = .refused
            grants.put(one)
        }
        #expect(grants.clients.count == ClientGrants.capacity)
        #expect(grants.grant(for: client("/approved"), digest: "d1") != nil)
    }
}

/// How much a program may ask.
struct AskingLimitTests {
    private let clock = ManualClock()
    private let told = Told()

    private final class Told: Sendable {
        let sentences = Mutex<[String]>([])
    }

    private func limits() -> AskingLimits {
        AskingLimits(clock: clock) { [told] _, sentence in told.sentences.withLock { $0.append(sentence) } }
    }

    private func count(_ limits: AskingLimits, _ sites: some Sequence<Int>, of client: String = "c1") -> Int {
        sites.count { site in (try? limits.ask(client, "One", sites: ["site\(site).example"])) != nil }
    }

    @Test func thousandSitesInARowStopAfterThirty() {
        let limits = limits()
        #expect(count(limits, 0..<1000) == 30)
        #expect(told.sentences.withLock { $0.count } == 1)
        // Another program is not slowed down by it.
        #expect(count(limits, 0..<10, of: "c2") == 10)
    }

    @Test func oneMoreComesEveryTwoSeconds() {
        let limits = limits()
        #expect(count(limits, 0..<40) == 30)
        clock.advance(by: .seconds(4))
        #expect(count(limits, 100..<110) == 2)
        #expect(told.sentences.withLock { $0.count } == 1)
        clock.advance(by: .seconds(3600))
        #expect(count(limits, 200..<300) == 30)
        #expect(told.sentences.withLock { $0.count } == 2)
    }

    /// The kernel tells the program; a profile is what the program says.
    @Test func aProfileThatIsMadeUpGivesNoNewBudget() {
        let limits = limits()
        let allowed = (0..<40).count { number in
            let identity = ClientIdentity(
                role: .browser, isKnown: true, path: nil, profile: "profile\(number)", browser: "/usr/bin/browser")
            let client = ConnectedClient(identity: identity, program: nil, profile: nil)
            return (try? limits.visit(client, site: "site\(number).example")) != nil
        }
        #expect(allowed == 10)
        #expect(told.sentences.withLock { $0.count } == 1)
    }

    @Test func sitesThatWereAskedForLatelyCostNothing() {
        let limits = limits()
        for _ in 0..<100 { #expect(count(limits, 0..<20) == 20) }
    }

    @Test func oneRequestForManySitesCountsEach() {
        let limits = limits()
        let many = (0..<16).map { "a\($0).example" }
        #expect(throws: Never.self) { try limits.ask("c1", "One", sites: many) }
        #expect(throws: ProtocolError(.rateLimited, "")) {
            try limits.ask("c1", "One", sites: many.map { "b" + $0 })
        }
    }

    @Test func credentialsOfManyAccountsAreStoppedToo() {
        let limits = limits()
        let given = (0..<100).count { (try? limits.fill("c1", "One", accounts: ["\($0)"])) != nil }
        #expect(given == 20)
        #expect((0..<100).allSatisfy { _ in (try? limits.fill("c2", "Two", accounts: ["same"])) != nil })
    }
}
