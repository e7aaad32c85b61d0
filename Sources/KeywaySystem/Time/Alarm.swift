import Synchronization

/// Something that happens later, unless it is called off.
package struct Alarm: Sendable {
    private let callOff: @Sendable () -> Void

    /// An alarm that `callOff` keeps from happening; it may be called when that was long ago.
    package init(callOff: @escaping @Sendable () -> Void) {
        self.callOff = callOff
    }

    /// Keeps it from happening, if it has not yet.
    package func cancel() { callOff() }
}

extension TimeSource {
    /// Waits until `duration` has passed: by ``nowWithSleep`` where sleep counts, else by ``now``.
    ///
    /// - Throws: `CancellationError`.
    package func sleep(for duration: Duration, countingSleep: Bool = false) async throws {
        let wait = AlarmWait()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard wait.begin(continuation) else { return }
                wait.hold(ring(after: duration, countingSleep: countingSleep) { wait.end(nil) })
            }
        } onCancel: {
            wait.end(CancellationError())
        }
    }
}

/// One wait for an alarm, which ends once, whoever ends it first.
private final class AlarmWait: Sendable {
    private struct State {
        var continuation: CheckedContinuation<Void, any Error>?
        var alarm: Alarm?
        var isOver = false
    }

    private let state = Mutex(State())

    /// Begins it.
    ///
    /// - Returns: false where it has ended already.
    func begin(_ continuation: CheckedContinuation<Void, any Error>) -> Bool {
        let isOver = state.withLock { state in
            if !state.isOver { state.continuation = continuation }
            return state.isOver
        }
        // Nothing but a cancelled task ends it before it began.
        if isOver { continuation.resume(throwing: CancellationError()) }
        return !isOver
    }

    /// Calls off `alarm` when the wait ends in another way.
    func hold(_ alarm: Alarm) {
        let isOver = state.withLock { state in
            if !state.isOver { state.alarm = alarm }
            return state.isOver
        }
        if isOver { alarm.cancel() }
    }

    func end(_ error: (any Error)?) {
        let (continuation, alarm) = state.withLock { state in
            defer { state = State(isOver: true) }
            return (state.continuation, state.alarm)
        }
        alarm?.cancel()
        if let error { continuation?.resume(throwing: error) } else { continuation?.resume() }
    }
}
