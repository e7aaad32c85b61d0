import AutoFillProtocol
import AutoFillWire
import BrokerTestSupport
import ClockTestSupport
import Glibc
import KeywaySystem
import Synchronization
import Testing

@testable import AutoFillBroker
@testable import BrokerBase

/// When a broker whose program was replaced makes way for the new one.
@Suite struct HandOverTests {
    /// A broker's program that a test replaces, and how much the broker is used.
    private final class Stage: Sendable {
        let clock = ManualClock()
        let isReplaced = Mutex(true)
        let asked = Mutex(0)
        let use = Mutex(BrokerUse(isBusy: false, count: 0))
        /// Whether a program that nobody approved is connected.
        let hasStranger = Mutex(false)
        let looks = Mutex(0)
        let ends = Mutex(0)

        var handOver: HandOver {
            HandOver(
                clock: clock, log: EventLog { _ in },
                isReplaced: {
                    self.asked.withLock { $0 += 1 }
                    return self.isReplaced.withLock { $0 }
                },
                use: { countsStrangers in
                    self.looks.withLock { $0 += 1 }
                    if countsStrangers, self.hasStranger.withLock({ $0 }) { return BrokerUse(isBusy: true, count: 99) }
                    return self.use.withLock { $0 }
                }, end: { self.ends.withLock { $0 += 1 } })
        }

        var hasEnded: Bool { ends.withLock { $0 } > 0 }

        /// Lets the time of one look after the other pass.
        func pass(_ duration: Duration) async throws {
            for _ in 0..<Int(duration / HandOver.interval) {
                try await clock.waitForSleeper(of: HandOver.interval)
                let before = looks.withLock { $0 }
                clock.advance(by: HandOver.interval)
                try await eventually { self.looks.withLock { $0 } > before }
            }
        }
    }

    @Test func endsOnceAfterNobodyAskedForAWhile() async throws {
        let stage = Stage()
        let handOver = stage.handOver
        handOver.look()
        handOver.look()
        try await stage.pass(HandOver.quiet - HandOver.interval)
        #expect(!stage.hasEnded)
        try await stage.pass(HandOver.interval)
        try await eventually { stage.hasEnded }
        #expect(stage.ends.withLock { $0 } == 1)
    }

    @Test func runsOnAsLongAsItsProgramIsThere() async throws {
        let stage = Stage()
        stage.isReplaced.withLock { $0 = false }
        let handOver = stage.handOver
        handOver.look()
        #expect(stage.looks.withLock { $0 } == 0)
        // It is replaced later.
        stage.isReplaced.withLock { $0 = true }
        handOver.look()
        try await stage.pass(HandOver.quiet)
        try await eventually { stage.hasEnded }
    }

    @Test func waitsForWhateverIsInUse() async throws {
        let stage = Stage()
        stage.use.withLock { $0 = BrokerUse(isBusy: true, count: 7) }
        stage.handOver.look()
        try await stage.pass(HandOver.quiet * 3)
        #expect(!stage.hasEnded)
        stage.use.withLock { $0 = BrokerUse(isBusy: false, count: 7) }
        try await stage.pass(HandOver.quiet)
        #expect(!stage.hasEnded)
        try await stage.pass(HandOver.interval)
        try await eventually { stage.hasEnded }
    }

    @Test func aProgramThatNobodyApprovedIsWaitedForAWhileAndNoLonger() async throws {
        let stage = Stage()
        stage.hasStranger.withLock { $0 = true }
        stage.handOver.look()
        try await stage.pass(HandOver.patience)
        #expect(!stage.hasEnded)
        try await stage.pass(HandOver.quiet)
        try await eventually { stage.hasEnded }
    }

    @Test func aRequestBetweenTwoLooksBeginsTheWaitAgain() async throws {
        let stage = Stage()
        stage.handOver.look()
        try await stage.pass(HandOver.quiet - HandOver.interval)
        stage.use.withLock { $0 = BrokerUse(isBusy: false, count: 1) }
        try await stage.pass(HandOver.quiet)
        #expect(!stage.hasEnded)
        try await stage.pass(HandOver.interval)
        try await eventually { stage.hasEnded }
    }

    @Test func aProgramThatIsPutBackRunsOn() async throws {
        let stage = Stage()
        let handOver = stage.handOver
        handOver.look()
        try await stage.clock.waitForSleeper(of: HandOver.interval)
        stage.isReplaced.withLock { $0 = false }
        let before = stage.asked.withLock { $0 }
        stage.clock.advance(by: HandOver.quiet)
        try await eventually { stage.asked.withLock { $0 } > before }
        #expect(!stage.hasEnded)
        // Another replacement begins the wait again.
        stage.isReplaced.withLock { $0 = true }
        handOver.look()
        try await stage.pass(HandOver.quiet - HandOver.interval)
        #expect(!stage.hasEnded)
    }

    // MARK: - What counts as use

    @Test func anIdleBrowserIsNoUseAndATerminalIs() async throws {
        let fixture = try BrokerFixture(FakeBundles { _, _ in cancelled(0) })
        let browser = try await fixture.client(.browser)
        let idle = await fixture.broker.use()
        #expect(!idle.isBusy)
        _ = try await browser.call(BrokerStatus.self, Nothing())
        #expect(await fixture.broker.use().count > idle.count)
        let terminal = try await fixture.client(.terminal)
        #expect(await fixture.broker.use().isBusy)
        terminal.close()
        try await eventually { await !fixture.broker.use().isBusy }
    }

    @Test func onlyAProgramThatThePersonApprovedIsMoreThanAStranger() async throws {
        let fixture = try BrokerFixture(FakeBundles { _, _ in cancelled(0) })
        let idle = await fixture.broker.use(countsStrangers: false)
        let client = try await fixture.client(.terminal)
        #expect(await fixture.broker.use().isBusy)
        #expect(await fixture.broker.use(countsStrangers: false) == idle)
        _ = try await client.suggestions()
        #expect(await fixture.broker.use(countsStrangers: false).isBusy)
        // One that comes and goes does not begin the wait again, either.
        client.close()
        try await eventually { await !fixture.broker.use().isBusy }
    }

    @Test(arguments: [false, true]) func anOpenVaultIsUseUnlessItsServiceRunsAlways(runsAlways: Bool) async throws {
        let fixture = try BrokerFixture(
            FakeBundles { _, _ in cancelled(0) },
            information: ["KeywayService": "service", "KeywayServiceRunsAlways": runsAlways])
        try await fixture.provide([])
        let terminal = try await fixture.client(.terminal)
        _ = try await terminal.call(ConnectService.self, .init(provider: BrokerFixture.provider))
        terminal.close()
        try await eventually { await !fixture.broker.use().isBusy }
        let service = try #require(fixture.bundles.started(.providerService).first)
        await service.say(.ready)
        try await eventually { fixture.broker.processes.states.current(BrokerFixture.provider) == .ready }
        #expect(await fixture.broker.use().isBusy == !runsAlways)
        await service.say(.locked)
        try await eventually { await !fixture.broker.use().isBusy }
    }

    @Test func aProgramIsReplacedOnceAnotherFileLiesThereOrNone() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("old", to: "keywayd")
        // Kept by another name, as it is by the process that runs it.
        let kept = "\(folder.path)/kept"
        #expect(link(path, kept) == 0)
        let program = RunningProgram(path: path, file: try #require(ProgramFile(path: path)))
        #expect(!program.isReplaced)
        #expect(unlink(path) == 0)
        #expect(program.isReplaced)
        try folder.write("new", to: "keywayd")
        #expect(program.isReplaced)
        #expect(rename(kept, path) == 0)
        #expect(!program.isReplaced)
    }

    @Test func aFileThatIsPutInPlaceIsTold() async throws {
        let folder = try TemporaryFolder()
        let count = Mutex(0)
        let notices = FolderNotices(folder: folder.path) { count.withLock { $0 += 1 } }
        #expect(notices != nil)
        try folder.write("new", to: "keywayd")
        try await eventually { count.withLock { $0 } > 0 }
    }
}
