package import KeywaySystem

/// Work that must end in time.
package enum Deadline {
    /// Runs `body` and ends it when `duration` has passed on `clock`, unless it is exempt then: that is asked again
    /// after as long a time.
    ///
    /// - Throws: what `body` throws; `timedOut` with `message` when time ran out; `cancelled` when the task was.
    package static func run<Result: Sendable>(
        _ duration: Duration, _ clock: any BrokerClock, _ message: @autoclosure @escaping @Sendable () -> String,
        isExempt: @escaping @Sendable () -> Bool = { false }, _ body: @escaping @Sendable () async throws -> Result
    ) async throws(ProtocolError) -> Result {
        do {
            return try await withThrowingTaskGroup(of: Result.self) { group in
                group.addTask { try await body() }
                group.addTask {
                    repeat { try await clock.sleep(for: duration) } while isExempt()
                    throw ProtocolError(.timedOut, message())
                }
                defer { group.cancelAll() }
                guard let first = try await group.next() else { throw CancellationError() }
                return first
            }
        } catch let error as ProtocolError {
            throw error
        } catch {
            throw ProtocolError(.cancelled, "The request was cancelled.")
        }
    }
}

extension BrokerClock {
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
