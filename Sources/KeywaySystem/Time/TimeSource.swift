import Glibc

/// What time it is: the one clock of all programs. A seam: tests turn it by hand.
package protocol TimeSource: Sendable {
    /// The clock that nobody sets, and that stands still while the machine sleeps: how long a program is waited for.
    var now: MonotonicTime { get }
    /// The same, which also counts while the machine sleeps: how long ago something was for the person.
    var nowWithSleep: MonotonicTime { get }
    /// The calendar's time in milliseconds since 1970. May jump, also backwards: it says when something was, and never
    /// how long ago.
    var milliseconds: Int64 { get }
    /// Calls `body`, which must not block, when `duration` has passed: by ``nowWithSleep`` where sleep counts, else by
    /// ``now``.
    func ring(after duration: Duration, countingSleep: Bool, _ body: @escaping @Sendable () -> Void) -> Alarm
}

extension TimeSource {
    /// The calendar's time in whole seconds since 1970.
    package var seconds: Int64 { milliseconds / 1000 }

    /// Calls `body`, which must not block, when `duration` has passed by ``now``.
    package func ring(after duration: Duration, _ body: @escaping @Sendable () -> Void) -> Alarm {
        ring(after: duration, countingSleep: false, body)
    }
}

/// The clocks of the machine: CLOCK_MONOTONIC, CLOCK_BOOTTIME, CLOCK_REALTIME.
package struct SystemTimeSource: TimeSource {
    /// Makes one; it holds no state.
    package init() {}

    package var now: MonotonicTime { .now }
    package var nowWithSleep: MonotonicTime { .nowWithSleep }

    package var milliseconds: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    package func ring(
        after duration: Duration, countingSleep: Bool, _ body: @escaping @Sendable () -> Void
    ) -> Alarm {
        guard countingSleep else { return SystemAlarms.shared.add(at: now.later(by: duration), body) }
        let task = Task {
            try await Task.sleep(for: duration, clock: .continuous)
            body()
        }
        return Alarm { task.cancel() }
    }
}
