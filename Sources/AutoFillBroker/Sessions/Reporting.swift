import Synchronization

/// Counts the reports on their way to providers: nobody waits for them, so nobody would stop a client that sends many.
final class Reporting: Sendable {
    /// The most at a time.
    static let maximum = 64

    private let count = Mutex(0)

    /// Whether there is room for one more, which then counts.
    func begin() -> Bool {
        count.withLock { count in
            guard count < Self.maximum else { return false }
            count += 1
            return true
        }
    }

    /// One has ended.
    func end() {
        count.withLock { $0 -= 1 }
    }
}
