import Synchronization

/// Work that must end in time.
package enum Deadline {
    /// Runs `body` and ends it when `duration` has passed on `clock`, unless it is exempt then: that is asked again
    /// after as long a time.
    ///
    /// - Throws: what `body` throws; `timedOut` with `message` when time ran out; `cancelled` when the task was.
    package static func run<Result: Sendable>(
        _ duration: Duration, _ clock: any TimeSource, _ message: @autoclosure @escaping @Sendable () -> String,
        isExempt: @escaping @Sendable () -> Bool = { false }, _ body: @escaping @Sendable () async throws -> Result
    ) async throws(ProtocolError) -> Result {
        let watch = DeadlineWatch(duration, clock, isExempt)
        // It begins here, on this thread: most of what is limited asks another process, and only its answer is waited for.
        let task = Task.immediate {
            let result = try await body()
            watch.end()
            return result
        }
        watch.begin { task.cancel() }
        let result = await withTaskCancellationHandler {
            await task.result
        } onCancel: {
            task.cancel()
        }
        watch.end()
        switch result {
        case _ where watch.hasPassed: throw ProtocolError(.timedOut, message())
        case .success(let result): return result
        case .failure(let error as ProtocolError): throw error
        case .failure: throw ProtocolError(.cancelled, "The request was cancelled.")
        }
    }
}

/// The alarm of one deadline.
private final class DeadlineWatch: Sendable {
    private struct State {
        var alarm: Alarm?
        var isOver = false
        var hasPassed = false
    }

    private let duration: Duration
    private let clock: any TimeSource
    private let isExempt: @Sendable () -> Bool
    private let state = Mutex(State())

    init(_ duration: Duration, _ clock: any TimeSource, _ isExempt: @escaping @Sendable () -> Bool) {
        self.duration = duration
        self.clock = clock
        self.isExempt = isExempt
    }

    /// Whether time ran out before it ended.
    var hasPassed: Bool { state.withLock { $0.hasPassed } }

    /// Calls `expire` when time has run out.
    func begin(_ expire: @escaping @Sendable () -> Void) {
        guard !state.withLock({ $0.isOver }) else { return }
        let alarm = clock.ring(after: duration) {
            if self.isExempt() { return self.begin(expire) }
            let passes = self.state.withLock { state in
                state.hasPassed = !state.isOver
                return state.hasPassed
            }
            if passes { expire() }
        }
        let isOver = state.withLock { state in
            state.alarm = alarm
            return state.isOver
        }
        if isOver { alarm.cancel() }
    }

    /// From now on it is in time, unless it was not before.
    func end() {
        let alarm = state.withLock { state in
            state.isOver = true
            defer { state.alarm = nil }
            return state.alarm
        }
        alarm?.cancel()
    }
}

extension TimeSource {
    /// Waits, as ``Deadline`` reports it.
    ///
    /// - Throws: ``ProtocolError`` with the code `cancelled`.
    package func wait(for duration: Duration) async throws(ProtocolError) {
        do {
            try await sleep(for: duration)
        } catch {
            throw ProtocolError(.cancelled, "The request was cancelled.")
        }
    }
}
