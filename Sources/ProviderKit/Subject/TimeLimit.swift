import AutoFillWire
import KeywaySystem

/// Work that must end in time.
enum TimeLimit {
    /// Runs `body` and ends it when `limit` has passed.
    ///
    /// - Throws: what `body` throws; `timedOut` when time ran out.
    static func run<Value: Sendable>(
        _ limit: Duration, _ body: @escaping @Sendable () async throws(ProtocolError) -> Value
    ) async throws(ProtocolError) -> Value {
        let outcome = await withTaskGroup(of: Result<Value, ProtocolError>.self) { group in
            group.addTask {
                do throws(ProtocolError) { return .success(try await body()) } catch { return .failure(error) }
            }
            group.addTask {
                _ = try? await Task.sleep(for: limit)
                return .failure(ProtocolError(.timedOut, "Nothing came within \(limit)."))
            }
            defer { group.cancelAll() }
            return await group.next() ?? .failure(ProtocolError(.cancelled, "The request was cancelled."))
        }
        return try outcome.get()
    }
}
