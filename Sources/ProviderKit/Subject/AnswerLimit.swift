import KeywaySystem

/// Runs `body`, which must end within `limit`.
///
/// - Throws: what `body` throws; `timedOut` when time ran out.
func answered<Value: Sendable>(
    within limit: Duration, _ body: @escaping @Sendable () async throws -> Value
) async throws(ProtocolError) -> Value {
    try await Deadline.run(limit, SystemTimeSource(), "Nothing came within \(limit).", body)
}
