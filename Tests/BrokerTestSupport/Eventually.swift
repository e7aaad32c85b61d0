package import KeywaySystem

/// What was waited for did not happen.
package struct NotInTime: Error {
    /// Too late.
    package init() {}
}

/// Waits until `condition` is true, by yielding; fails after some seconds.
package func eventually(
    _ condition: @Sendable () async throws -> Bool
) async throws {
    let deadline = ContinuousClock.now + .seconds(60)
    while try await !condition() {
        guard ContinuousClock.now < deadline else { throw NotInTime() }
        try await Task.sleep(for: .milliseconds(1))
    }
}

/// The error that `body` ends with.
package func failure(_ body: () async throws -> Void) async -> ProtocolError? {
    do {
        try await body()
        return nil
    } catch {
        return error as? ProtocolError
    }
}
