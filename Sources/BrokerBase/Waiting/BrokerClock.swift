import Glibc
package import KeywaySystem

/// What time it is, for deadlines, idle times and the order of use. A seam: tests turn the clock by hand.
package protocol BrokerClock: Sendable {
    /// The clock that nobody sets: all durations are measured by it.
    var now: MonotonicTime { get }
    /// The same, which also counts while the machine sleeps: how long ago something was for the person.
    var nowWithSleep: MonotonicTime { get }
    /// The calendar's time in milliseconds since 1970: only orders what was used last.
    var milliseconds: Int64 { get }
    /// Waits until `duration` has passed by ``now``.
    ///
    /// - Throws: `CancellationError`.
    func sleep(for duration: Duration) async throws
}

extension BrokerClock {
    /// Of a machine that never sleeps.
    package var nowWithSleep: MonotonicTime { now }
}

/// The clocks of the machine.
package struct SystemBrokerClock: BrokerClock {
    /// The clocks of the machine.
    package init() {}

    package var now: MonotonicTime { .now }
    package var nowWithSleep: MonotonicTime { .nowWithSleep }

    package var milliseconds: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    package func sleep(for duration: Duration) async throws {
        // CLOCK_MONOTONIC: stands still while the machine sleeps.
        try await Task.sleep(for: duration, clock: .suspending)
    }
}
