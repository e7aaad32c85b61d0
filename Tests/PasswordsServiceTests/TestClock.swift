import KeywaySystem
import Synchronization

@testable import PasswordsService

/// A clock that stands still until the test moves it; whoever waits for it wakes then.
final class TestClock: ServiceClock {
    private struct Sleeper {
        let ticket: Int
        let end: MonotonicTime
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var now = MonotonicTime(nanoseconds: 1_000_000_000_000)
        var nextTicket = 0
        var sleepers: [Sleeper] = []
    }

    private let state = Mutex(State())

    func now() -> MonotonicTime { state.withLock { $0.now } }

    /// How many wait for a time to come.
    var sleepers: Int { state.withLock { $0.sleepers.count } }

    func sleep(for duration: Duration) async throws {
        let ticket = state.withLock { state in
            defer { state.nextTicket += 1 }
            return state.nextTicket
        }
        let woke = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isCancelled = state.withLock { state in
                    let sleeper = Sleeper(ticket: ticket, end: state.now + duration, continuation: continuation)
                    if !Task.isCancelled { state.sleepers.append(sleeper) }
                    return Task.isCancelled
                }
                if isCancelled { continuation.resume(returning: false) }
            }
        } onCancel: {
            end { $0.ticket == ticket }.forEach { $0.continuation.resume(returning: false) }
        }
        if !woke { throw CancellationError() }
    }

    func advance(_ duration: Duration) {
        let now = state.withLock { state in
            state.now = state.now + duration
            return state.now
        }
        end { $0.end <= now }.forEach { $0.continuation.resume(returning: true) }
    }

    private func end(_ isOver: (Sleeper) -> Bool) -> [Sleeper] {
        state.withLock { state in
            let over = state.sleepers.filter(isOver)
            state.sleepers.removeAll(where: isOver)
            return over
        }
    }
}

extension MonotonicTime {
    static func + (time: MonotonicTime, duration: Duration) -> MonotonicTime {
        let (seconds, attoseconds) = duration.components
        return MonotonicTime(
            nanoseconds: time.nanoseconds + UInt64(seconds * 1_000_000_000 + attoseconds / 1_000_000_000))
    }
}
