import ClockTestSupport
import Synchronization
import Testing

@testable import KeywaySystem

/// Work that must end in time, by a clock that the test turns.
struct DeadlineTests {
    private let clock = ManualClock()

    private func limited(
        isExempt: @escaping @Sendable () -> Bool = { false }, _ body: @escaping @Sendable () async throws -> Int
    ) async -> Result<Int, ProtocolError> {
        do throws(ProtocolError) {
            return .success(try await Deadline.run(.seconds(3), clock, "too late", isExempt: isExempt, body))
        } catch {
            return .failure(error)
        }
    }

    @Test func whatEndsInTimeLeavesNoAlarm() async throws {
        #expect(try await limited { 7 }.get() == 7)
        #expect(clock.sleepers == 0)
    }

    @Test func whatTakesTooLongIsCancelledAndSaysSo() async throws {
        let wasCancelled = Atomic(false)
        async let outcome = limited { [clock] in
            do { try await clock.sleep(for: .seconds(60)) } catch {
                wasCancelled.store(true, ordering: .relaxed)
                throw error
            }
            return 7
        }
        try await clock.waitForSleeper(of: .seconds(3))
        clock.advance(by: .seconds(3))
        #expect(await outcome == .failure(ProtocolError(.timedOut, "too late")))
        #expect(wasCancelled.load(ordering: .relaxed) && clock.sleepers == 0)
    }

    @Test func anAnswerThatComesTooLateIsNone() async throws {
        async let outcome = limited { [clock] in
            try? await clock.sleep(for: .seconds(60))
            return 7
        }
        try await clock.waitForSleeper(of: .seconds(3))
        clock.advance(by: .seconds(3))
        #expect(await outcome == .failure(ProtocolError(.timedOut, "too late")))
    }

    @Test func whatIsExemptIsAskedAgainAfterAsLong() async throws {
        let isExempt = Atomic(true)
        async let outcome = limited {
            isExempt.load(ordering: .relaxed)
        } _: { [clock] in
            try await clock.sleep(for: .seconds(60))
            return 7
        }
        try await clock.waitForSleeper(of: .seconds(60))
        clock.advance(by: .seconds(3))
        try await clock.waitForSleeper(of: .seconds(3))
        isExempt.store(false, ordering: .relaxed)
        clock.advance(by: .seconds(3))
        #expect(await outcome == .failure(ProtocolError(.timedOut, "too late")))
    }

    @Test func whoeverIsCancelledIsToldSo() async throws {
        let task = Task {
            await limited { [clock] in
                try await clock.sleep(for: .seconds(60))
                return 7
            }
        }
        try await clock.waitForSleeper(of: .seconds(60))
        task.cancel()
        #expect(await task.value == .failure(ProtocolError(.cancelled, "The request was cancelled.")))
        #expect(clock.sleepers == 0)
    }

    @Test func whatFailsSaysWhy() async {
        let error = ProtocolError(.notFound, "nothing there")
        #expect(await limited { throw error } == .failure(error))
    }

    @Test func whoSleepsIsWokenByTheClockThatIsMeant() async throws {
        async let awake: Void = clock.sleep(for: .seconds(5))
        async let always: Void = clock.sleep(for: .seconds(5), countingSleep: true)
        while clock.sleepers < 2 { await Task.yield() }
        clock.letMachineSleep(for: .seconds(5))
        try await always
        #expect(clock.sleepers == 1)
        clock.advance(by: .seconds(5))
        try await awake
    }

    @Test func whoIsCancelledBeforeItSleepsDoesNot() async {
        let task = Task { [clock] in
            while !Task.isCancelled { await Task.yield() }
            try await clock.sleep(for: .seconds(5))
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(clock.sleepers == 0)
    }
}
