import AutoFillWire
import BrokerBase
import KeywaySystem
import Synchronization

/// Ends connections that never say who they are: each keeps a place from others.
///
/// One task for all of them, and nothing that outlives a connection: a sleep of its own for each would hold memory until
/// its time, also when it is cancelled, as much as somebody cares to connect.
final class GreetingWatch: Sendable {
    /// How long a client may take to say who it is.
    static let limit = Duration.seconds(30)

    private struct State {
        var newcomers: [ObjectIdentifier: (connection: Connection, arrival: MonotonicTime)] = [:]
        var isWatched = false
    }

    private let clock: any TimeSource
    private let log: EventLog
    private let state = Mutex(State())

    init(clock: any TimeSource, log: EventLog) {
        self.clock = clock
        self.log = log
    }

    /// Gives `connection` its time from now on.
    func begin(_ connection: Connection) {
        let begins = state.withLock { state in
            state.newcomers[ObjectIdentifier(connection)] = (connection, clock.now)
            defer { state.isWatched = true }
            return !state.isWatched
        }
        // It may have ended before it stood there.
        if connection.isClosed { forget(connection) }
        if begins { watch() }
    }

    /// It has ended.
    func forget(_ connection: Connection) {
        state.withLock { $0.newcomers[ObjectIdentifier(connection)] = nil }
    }

    private func watch() {
        Task { [weak self, clock] in
            while let wait = self?.endTheLate() {
                do { try await clock.sleep(for: wait) } catch { return }
            }
        }
    }

    /// Ends those whose time is over; returns how long the next one still has, nil when there is none.
    private func endTheLate() -> Duration? {
        let (late, wait): ([Connection], Duration?) = state.withLock { state in
            let now = clock.now
            state.newcomers = state.newcomers.filter { $0.value.connection.role == nil }
            let late = state.newcomers.values.filter { now.since($0.arrival) >= Self.limit }.map(\.connection)
            for connection in late { state.newcomers[ObjectIdentifier(connection)] = nil }
            let next = state.newcomers.values.map(\.arrival).min()
            if next == nil { state = State() }
            return (late, next.map { Self.limit - now.since($0) })
        }
        for connection in late {
            log("process \(connection.peer?.processIdentifier ?? 0) connected and did not greet; ended")
            connection.close()
        }
        return wait
    }
}
