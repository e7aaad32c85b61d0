package import Dispatch
import Synchronization

/// Runs what a synchronous call waits for, on threads of its own: the caller may hold the last of those that the
/// language shares out.
package final class CallerQueue: TaskExecutor {
    /// How long a synchronous call waits.
    package static let patience = DispatchTimeInterval.seconds(10)

    /// The one queue of the process.
    package static let shared = CallerQueue()
    private let queue = DispatchQueue(label: "org.keyway.calls", attributes: .concurrent)

    /// Runs a part of a task.
    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    /// What `body` returns, waited for on the calling thread; nil when it takes too long.
    package static func wait<Value: Sendable>(for body: @escaping @Sendable () async -> Value) -> Value? {
        let (slot, done) = (Slot<Value>(), DispatchSemaphore(value: 0))
        let task = Task(executorPreference: shared) {
            let value = await body()
            slot.value.withLock { $0 = value }
            done.signal()
        }
        guard done.wait(timeout: .now() + patience) == .success else {
            task.cancel()
            return nil
        }
        return slot.value.withLock { $0 }
    }

    /// Where one thread leaves a value for another.
    private final class Slot<Value: Sendable>: Sendable {
        let value = Mutex<Value?>(nil)
    }
}
