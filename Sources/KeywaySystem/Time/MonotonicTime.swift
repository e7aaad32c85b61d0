import CSys

/// A moment of the clock that nobody sets: nanoseconds since some point in the past.
package struct MonotonicTime: Comparable, Hashable, Sendable {
    /// Nanoseconds since that point.
    package let nanoseconds: UInt64

    /// A moment by its number.
    package init(nanoseconds: UInt64) {
        self.nanoseconds = nanoseconds
    }

    /// Now, by the clock that stands still while the machine sleeps (CLOCK_MONOTONIC).
    package static var now: MonotonicTime { MonotonicTime(nanoseconds: csys_monotonic_nanoseconds()) }

    /// Now, by the clock that also counts while the machine sleeps (CLOCK_BOOTTIME).
    package static var nowWithSleep: MonotonicTime { MonotonicTime(nanoseconds: csys_boottime_nanoseconds()) }

    /// The moment so long after this one; durations below zero count as none.
    package func later(by duration: Duration) -> MonotonicTime {
        let (seconds, attoseconds) = max(duration, .zero).components
        let (whole, isTooLong) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
        guard !isTooLong else { return MonotonicTime(nanoseconds: .max) }
        let (moment, isLate) = nanoseconds.addingReportingOverflow(whole + UInt64(attoseconds / 1_000_000_000))
        return MonotonicTime(nanoseconds: isLate ? .max : moment)
    }

    package static func < (left: MonotonicTime, right: MonotonicTime) -> Bool { left.nanoseconds < right.nanoseconds }

    /// How long after `earlier` this moment is; zero when it is before.
    package func since(_ earlier: MonotonicTime) -> Duration {
        .nanoseconds(self > earlier ? Int64(clamping: nanoseconds - earlier.nanoseconds) : 0)
    }
}
