import Dispatch
import Synchronization

/// A thread that lasts as long as this process does. What is confined ends with the thread that started it, and the threads
/// of a pool come and go.
package final class LastingThread: Sendable {
    /// The one on which confined programs are started.
    package static let starting = LastingThread()

    // SAFETY: a semaphore of libdispatch may be used from any thread; its type only lacks the word.
    private struct Signal: @unchecked Sendable {
        let semaphore = DispatchSemaphore(value: 0)
    }

    private final class Outcome<Success: Sendable>: Sendable {
        let done = Signal()
        private let value = Mutex<Result<Success, ProtocolError>?>(nil)

        func settle(_ body: () throws(ProtocolError) -> Success) {
            let result: Result<Success, ProtocolError>
            do throws(ProtocolError) { result = .success(try body()) } catch { result = .failure(error) }
            value.withLock { $0 = result }
            done.semaphore.signal()
        }

        func wait() throws(ProtocolError) -> Success {
            done.semaphore.wait()
            guard let result = value.withLock({ $0 }) else { throw ProtocolError(.internalError, "No outcome.") }
            return try result.get()
        }
    }

    private let jobs = Mutex<[@Sendable () -> Void]>([])
    private let pending = Signal()

    private init() {
        // It is never let go of.
        SystemThread.start(serve)
    }

    private func serve() {
        while true {
            pending.semaphore.wait()
            let job = jobs.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            job?()
        }
    }

    /// Runs `body` there, and waits for it: it must take no longer than starting a program does.
    ///
    /// - Throws: what `body` throws.
    package func run<Success: Sendable>(
        _ body: @escaping @Sendable () throws(ProtocolError) -> Success
    ) throws(ProtocolError) -> Success {
        let outcome = Outcome<Success>()
        jobs.withLock { $0.append { outcome.settle(body) } }
        pending.semaphore.signal()
        return try outcome.wait()
    }
}
