package import KeywaySystem
import Synchronization

/// A clock that stands still until a test turns it. The calendar is turned by itself.
package final class ManualClock: TimeSource {
    /// Nobody slept for so long in time.
    package struct NoSleeper: Error {}

    private struct Sleeper {
        let until: MonotonicTime
        let countsSleep: Bool
        let body: @Sendable () -> Void
    }

    private struct State {
        var now = MonotonicTime(nanoseconds: 1_000_000_000_000)
        /// How long the machine has slept.
        var slept = Duration.zero
        var calendar: Int64
        var nextTicket = 0
        var waiting: [Int: Sleeper] = [:]

        func time(countingSleep: Bool) -> MonotonicTime { countingSleep ? now.later(by: slept) : now }
    }

    private let state: Mutex<State>

    /// It stands at some time, the calendar at `milliseconds` since 1970.
    package init(milliseconds: Int64 = 1_760_000_000_000) {
        state = Mutex(State(calendar: milliseconds))
    }

    package var now: MonotonicTime { state.withLock { $0.now } }
    package var nowWithSleep: MonotonicTime { state.withLock { $0.time(countingSleep: true) } }
    package var milliseconds: Int64 { state.withLock { $0.calendar } }

    /// How many wait for a time to come.
    package var sleepers: Int { state.withLock { $0.waiting.count } }

    /// Sets the calendar.
    package func set(milliseconds: Int64) { state.withLock { $0.calendar = milliseconds } }

    /// Turns the calendar, forwards or backwards.
    package func turnCalendar(seconds: Int) { state.withLock { $0.calendar += Int64(seconds) * 1000 } }

    package func ring(
        after duration: Duration, countingSleep: Bool, _ body: @escaping @Sendable () -> Void
    ) -> Alarm {
        let ticket = state.withLock { state in
            state.nextTicket += 1
            state.waiting[state.nextTicket] = Sleeper(
                until: state.time(countingSleep: countingSleep).later(by: duration), countsSleep: countingSleep,
                body: body)
            return state.nextTicket
        }
        return Alarm { self.state.withLock { _ = $0.waiting.removeValue(forKey: ticket) } }
    }

    /// Lets time pass and wakes who waited for it.
    package func advance(by duration: Duration) { turn { $0.now = $0.now.later(by: duration) } }

    /// Lets the machine sleep, and wakes those who count that.
    package func letMachineSleep(for duration: Duration) { turn { $0.slept += duration } }

    private func turn(_ change: (inout State) -> Void) {
        let due = state.withLock { state in
            change(&state)
            let due = state.waiting.filter { $0.value.until <= state.time(countingSleep: $0.value.countsSleep) }
            for ticket in due.keys { state.waiting[ticket] = nil }
            return due.values.sorted { $0.until < $1.until }.map(\.body)
        }
        for body in due { body() }
    }

    /// Waits until somebody sleeps for exactly this long from now on.
    ///
    /// - Throws: ``NoSleeper`` when nobody did within a minute.
    package func waitForSleeper(of duration: Duration) async throws {
        let start = MonotonicTime.now
        while !isSlept(for: duration) {
            guard MonotonicTime.now.since(start) < .seconds(60) else { throw NoSleeper() }
            try await Task.sleep(for: .milliseconds(1))
        }
    }

    private func isSlept(for duration: Duration) -> Bool {
        state.withLock { state in
            state.waiting.values.contains { $0.until == state.time(countingSleep: $0.countsSleep).later(by: duration) }
        }
    }
}

extension MonotonicTime {
    /// The moment so long after another.
    package static func + (time: MonotonicTime, duration: Duration) -> MonotonicTime { time.later(by: duration) }
}
