import Synchronization
import Testing

@testable import KeywaySystem

/// The alarms of this process, which all tests share.
struct SystemAlarmTests {
    private let clock = SystemTimeSource()

    @Test func alarmsRingInTheOrderOfTheirMoments() async {
        let (rings, bell) = AsyncStream.makeStream(of: Int.self)
        let now = clock.now
        // The first is set last: the timer of the others must not keep it.
        for number in [3, 1, 2, 0] {
            _ = SystemAlarms.shared.add(at: now.later(by: .milliseconds(20 * number + 20))) { bell.yield(number) }
        }
        var heard: [Int] = []
        for await number in rings {
            heard.append(number)
            #expect(clock.now >= now.later(by: .milliseconds(20 * number + 20)))
            if heard.count == 4 { break }
        }
        #expect(heard == [0, 1, 2, 3])
    }

    @Test func whatIsCalledOffDoesNotRing() async {
        let (rings, bell) = AsyncStream.makeStream(of: Bool.self)
        clock.ring(after: .milliseconds(10)) { bell.yield(false) }.cancel()
        let alarm = clock.ring(after: .milliseconds(30)) { bell.yield(true) }
        for await ring in rings {
            #expect(ring)
            break
        }
        alarm.cancel()
    }

    @Test func theTimerGoesOnAfterAnAlarmThatWasCalledOff() async throws {
        let first = clock.ring(after: .milliseconds(5)) {}
        async let wait: Void = clock.sleep(for: .milliseconds(40))
        first.cancel()
        try await wait
    }

    @Test(arguments: [false, true]) func whoWaitsWaitsAtLeastAsLong(countingSleep: Bool) async throws {
        let start = clock.now
        try await clock.sleep(for: .milliseconds(20), countingSleep: countingSleep)
        #expect(clock.now.since(start) >= .milliseconds(20))
    }

    @Test func momentsDoNotOverflow() {
        let late = MonotonicTime(nanoseconds: .max - 1)
        #expect(late.later(by: .seconds(5)) == MonotonicTime(nanoseconds: .max))
        #expect(late.later(by: .seconds(Int64.max)) == MonotonicTime(nanoseconds: .max))
        #expect(MonotonicTime(nanoseconds: 5).later(by: .seconds(-1)) == MonotonicTime(nanoseconds: 5))
        #expect(MonotonicTime(nanoseconds: 5).later(by: .nanoseconds(7)) == MonotonicTime(nanoseconds: 12))
    }

    @Test func theCalendarCountsInMillisecondsAndSeconds() {
        #expect(clock.milliseconds > 1_700_000_000_000)
        #expect(abs(clock.seconds - clock.milliseconds / 1000) <= 1)
    }
}
