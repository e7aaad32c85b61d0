package import KeywaySystem

/// The time as the service needs it: for idle time and for the wait after a wrong password. Injected, so that tests need
/// not wait.
package protocol ServiceClock: Sendable {
    /// Now, by a clock that nobody sets and that counts while the machine sleeps.
    func now() -> MonotonicTime
    /// Waits; throws when the task is cancelled.
    func sleep(for duration: Duration) async throws
}

/// The clock of the machine.
package struct SystemServiceClock: ServiceClock {
    /// Makes a clock; it holds no state.
    package init() {}

    /// CLOCK_BOOTTIME.
    package func now() -> MonotonicTime { .nowWithSleep }

    /// Waits for at least `duration`.
    package func sleep(for duration: Duration) async throws {
        try await Task.sleep(for: duration, tolerance: .milliseconds(50), clock: .continuous)
    }
}
