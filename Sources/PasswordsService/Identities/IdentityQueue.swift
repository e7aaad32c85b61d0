import KeywaySystem
import Synchronization

/// What there is to do for the identity store, in order, and the way to wait for it.
struct IdentityQueue: Sendable {
    /// The jobs, for the one who does them.
    let jobs: AsyncStream<IdentityJob>
    private let entrance: AsyncStream<IdentityJob>.Continuation
    private let clock: any TimeSource

    /// An empty queue; `clock` bounds the waits.
    init(clock: any TimeSource) {
        (jobs, entrance) = AsyncStream.makeStream(of: IdentityJob.self)
        self.clock = clock
    }

    /// Adds a job.
    func add(_ job: IdentityJob) {
        entrance.yield(job)
    }

    /// Waits until everything that was added so far is done, but no longer than `limit`: whoever stores an account must
    /// not be kept by a store that is slow to take it.
    func settle(within limit: Duration) async {
        await withCheckedContinuation { continuation in
            let wait = Wait(continuation)
            let watch = clock.ring(after: limit) { wait.end() }
            entrance.yield(
                .report {
                    wait.end()
                    watch.cancel()
                })
        }
    }
}

/// One wait, which ends once, whoever ends it first.
private final class Wait: Sendable {
    private let continuation: Mutex<CheckedContinuation<Void, Never>?>

    init(_ continuation: CheckedContinuation<Void, Never>) {
        self.continuation = Mutex(continuation)
    }

    func end() {
        let continuation = continuation.withLock { continuation in
            defer { continuation = nil }
            return continuation
        }
        continuation?.resume()
    }
}
