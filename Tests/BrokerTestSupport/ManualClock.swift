import BrokerBase
package import KeywaySystem
import Synchronization

/// A clock that stands still until a test turns it.
package final class ManualClock: BrokerClock {
    private struct State {
        var now: UInt64 = 1_000_000_000
        var wall: Int64 = 1_760_000_000_000
        var nextTicket = 0
        var sleepers: [Int: (until: UInt64, continuation: CheckedContinuation<Void, any Error>)] = [:]
    }

    private let state = Mutex(State())

    /// It stands at some time.
    package init() {}

    package var now: MonotonicTime { MonotonicTime(nanoseconds: state.withLock { $0.now }) }
    package var milliseconds: Int64 { state.withLock { $0.wall } }

    /// Sets the calendar.
    package func set(milliseconds: Int64) {
        state.withLock { $0.wall = milliseconds }
    }

    package func sleep(for duration: Duration) async throws {
        let nanoseconds = UInt64(duration / .nanoseconds(1))
        let ticket = state.withLock { state in
            state.nextTicket += 1
            return state.nextTicket
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isCancelled = state.withLock { state in
                    if Task.isCancelled { return true }
                    state.sleepers[ticket] = (state.now + nanoseconds, continuation)
                    return false
                }
                if isCancelled { continuation.resume(throwing: CancellationError()) }
            }
        } onCancel: {
            state.withLock { $0.sleepers.removeValue(forKey: ticket)?.continuation }?
                .resume(throwing: CancellationError())
        }
    }

    /// Lets time pass and wakes who waited for it.
    package func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.now += UInt64(duration / .nanoseconds(1))
            let due = state.sleepers.filter { $0.value.until <= state.now }
            for ticket in due.keys { state.sleepers[ticket] = nil }
            return due.values.map(\.continuation)
        }
        for continuation in due { continuation.resume() }
    }

    /// Waits until somebody sleeps for exactly this long from now on.
    package func waitForSleeper(of duration: Duration) async throws {
        try await eventually {
            self.state.withLock { state in
                state.sleepers.values.contains { $0.until == state.now + UInt64(duration / .nanoseconds(1)) }
            }
        }
    }
}
