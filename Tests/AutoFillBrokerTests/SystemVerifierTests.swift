import AutoFillProtocol
import BrokerTestSupport
import ClockTestSupport
import KeywaySystem
import LoginMonitor
import Synchronization
import Testing

@testable import AutoFillBroker

@Suite(.timeLimit(.minutes(5))) struct SystemVerifierTests {
    private let presenter = FakePresenter()

    private func verifier(_ checks: FakeCheck...) -> SystemVerifier {
        let verifier = SystemVerifier()
        for check in checks { verifier.add(check) }
        return verifier
    }

    @Test func triesWhatAsksLeastOfThePersonFirst() async throws {
        let verifier = verifier(
            FakeCheck(.masterPassword), FakeCheck(.loginPassword), FakeCheck(.system), FakeCheck(.pin),
            FakeCheck(.fingerprint))
        #expect(
            await verifier.methods().map(\.method) == [.fingerprint, .pin, .system, .loginPassword, .masterPassword])
        #expect(try await verifier.verify(VerificationSubject(), through: presenter) == .fingerprint)
    }

    @Test func fallsThroughWhatIsMissingAndWhatFails() async throws {
        let missing = FakeCheck(.fingerprint, isAvailable: false)
        let failing = FakeCheck.failing(.pin)
        let verifier = verifier(missing, failing, FakeCheck(.system))
        #expect(try await verifier.verify(VerificationSubject(), through: presenter) == .system)
        #expect(missing.count == 0 && failing.count == 1)
    }

    @Test func whoBacksOutIsAskedNothingElse() async {
        let pin = FakeCheck(.pin) { () async throws(ProtocolError) in throw ProtocolError(.cancelled, "backed out") }
        let system = FakeCheck(.system)
        let error = await failure {
            _ = try await verifier(pin, system).verify(VerificationSubject(), through: presenter)
        }
        #expect(error?.code == .cancelled && system.count == 0)
    }

    @Test func namesEveryMethodWithItsReason() async {
        let verifier = verifier(FakeCheck(.fingerprint, isAvailable: false), .failing(.pin))
        let error = await failure { _ = try await verifier.verify(VerificationSubject(), through: presenter) }
        #expect(error?.code == .notVerified)
        #expect(error?.message.contains("fingerprint: it is not set up; Keyway PIN: it was wrong") == true)
    }

    /// Only what was never set up, or does not exist here, is no method: one that does not answer is one.
    @Test(arguments: [
        (VerificationMethodState.Obstacle?.some(.notSetUp), VerificationOutlook.notSetUp), (.missing, .notSetUp),
        (.lockedOut, .notNow("system prompt (polkit): it is not set up")),
        (nil, .notNow("system prompt (polkit): it is not set up")),
    ])
    func aMethodThatCannotBeUsedNowIsNotNone(
        obstacle: VerificationMethodState.Obstacle?, outlook: VerificationOutlook
    ) async {
        let missing = FakeCheck(.fingerprint, isAvailable: false, obstacle: .missing)
        let check = FakeCheck(.system, isAvailable: false, obstacle: obstacle)
        let verifier = verifier(missing, check)
        #expect(await verifier.outlookForKeyway() == outlook)
        check.set(isAvailable: true)
        #expect(await verifier.outlookForKeyway() == .ready)
    }

    @Test func usesNoMethodThatDoesNotCount() async throws {
        let pin = FakeCheck(.pin)
        let verifier = verifier(pin)
        let error = await failure {
            _ = try await verifier.verify(VerificationSubject(methods: [.fingerprint]), through: presenter)
        }
        #expect(error?.code == .notVerified && pin.count == 0)
    }

    @Test func asksNobodyWhoWouldNotSeeIt() async {
        let check = FakeCheck()
        let error = await failure {
            _ = try await verifier(check).verify(VerificationSubject(), through: FakePresenter(isThere: false))
        }
        #expect(error?.code == .notVerified && check.count == 0)
    }

    @Test func aRunningCheckEndsWhenTheSessionLocks() async throws {
        let check = FakeCheck(.pin) { () async throws(ProtocolError) in
            do { try await Task.sleep(for: .seconds(600)) } catch { throw ProtocolError(.cancelled, "ended") }
        }
        let verifier = verifier(check)
        let running = Task {
            await failure { _ = try await verifier.verify(VerificationSubject(), through: presenter) }
        }
        try await eventually { check.count == 1 }
        verifier.interrupt()
        #expect(await running.value?.code == .locked)
    }

    @Test func aCheckThatEndedAsTheSessionLockedDoesNotCount() async throws {
        let verifier = SystemVerifier()
        verifier.add(FakeCheck(.pin) { () async throws(ProtocolError) in verifier.interrupt() })
        let error = await failure { _ = try await verifier.verify(VerificationSubject(), through: presenter) }
        #expect(error?.code == .locked)
    }

    @Test func aRunningCheckEndsWithItsTask() async throws {
        let check = FakeCheck(.pin) { () async throws(ProtocolError) in
            do { try await Task.sleep(for: .seconds(600)) } catch { throw ProtocolError(.cancelled, "ended") }
        }
        let verifier = verifier(check)
        let running = Task {
            await failure { _ = try await verifier.verify(VerificationSubject(), through: presenter) }
        }
        try await eventually { check.count == 1 }
        running.cancel()
        #expect(await running.value?.code == .cancelled)
    }
}

struct VerificationGraceTests {
    private let clock = ManualClock()
    private let here = VerificationGrace.Caller.terminal(.init(identifier: 1, leaderStart: 2, terminal: 3))
    private let there = VerificationGrace.Caller.terminal(.init(identifier: 2, leaderStart: 2, terminal: 3))

    @Test func countsForTheCallerAndTheProviderItWasMadeFor() {
        let grace = VerificationGrace(clock: clock)
        grace.begin(here, "a")
        #expect(grace.covers(here, "a", seconds: 60))
        #expect(!grace.covers(there, "a", seconds: 60))
        #expect(!grace.covers(here, "b", seconds: 60))
    }

    @Test func endsInTime() {
        let grace = VerificationGrace(clock: clock)
        grace.begin(here, "a")
        #expect(!grace.covers(here, "a", seconds: 0))
        clock.advance(by: .seconds(59))
        #expect(grace.covers(here, "a", seconds: 60))
        clock.advance(by: .seconds(1))
        #expect(!grace.covers(here, "a", seconds: 60))
    }

    @Test(arguments: [LoginEvent.sessionLocked, .willSleep])
    func endsWhenTheSessionLocks(event: LoginEvent) async throws {
        let fixture = try BrokerFixture(FakeBundles { _, _ in try password() })
        fixture.broker.person.grace.begin(here, "a")
        await fixture.broker.handle(event)
        #expect(!fixture.broker.person.grace.covers(here, "a", seconds: 60))
    }

    @Test func endsWithItsConnection() {
        let grace = VerificationGrace(clock: clock)
        let connection = ObjectIdentifier(clock)
        grace.begin(.connection(connection), "a")
        grace.begin(here, "a")
        grace.forget(connection)
        #expect(!grace.covers(.connection(connection), "a", seconds: 60))
        #expect(grace.covers(here, "a", seconds: 60))
    }
}
