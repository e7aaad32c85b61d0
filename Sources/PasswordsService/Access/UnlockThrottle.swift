import KeywaySystem

/// Makes guessing slow: after each wrong master password the next attempt waits longer, 1 s, 2 s, 4 s, at most 30 s.
///
/// Kept for the service as a whole, whoever asks: a second terminal does not get a second chance.
struct UnlockThrottle {
    private static let longest = Duration.seconds(30)
    /// How many there were since the last right one.
    private(set) var failures = 0
    private var lastFailure: MonotonicTime?

    /// Nothing wrong yet.
    init() {}

    /// Goes on where a service that ended has stopped, as if the last of `failures` were just now.
    init(failures: Int, at now: MonotonicTime) {
        guard failures > 0 else { return }
        self.failures = failures
        lastFailure = now
    }

    /// How long an attempt that comes at `now` has to wait.
    func wait(at now: MonotonicTime) -> Duration {
        guard let lastFailure else { return .zero }
        return max(.zero, delay - now.since(lastFailure))
    }

    /// What the failures so far cost.
    var delay: Duration {
        guard failures > 0 else { return .zero }
        return min(Self.longest, .seconds(1 << min(failures - 1, 5)))
    }

    /// Notes a wrong password.
    mutating func fail(at now: MonotonicTime) {
        failures = min(failures, Int(Int32.max)) + 1
        lastFailure = now
    }

    /// Notes the right one.
    mutating func succeed() {
        failures = 0
        lastFailure = nil
    }
}
