import AutoFillProtocol
import AutoFillWire
import BrokerBase
import KeywaySystem
import Synchronization

/// Finds out that the program of the sheets hangs: while something stands in its window, it is asked now and then whether
/// it is there. A person who takes their time is no reason to ask more often, and no reason to end it.
final class SheetWatch: Sendable {
    /// How long the program may take to answer; it counts from its start.
    static let patience = Duration.seconds(10)
    /// How long it is left alone after an answer.
    static let interval = Duration.seconds(15)

    private let connection: Connection
    private let clock: any TimeSource
    private let isNeeded: @Sendable (Connection) -> Bool
    private let tell: @Sendable (Connection, _ isThere: Bool) -> Void
    private let isAwake = Mutex(false)

    /// A watch over the program behind `connection`, asleep.
    ///
    /// - Parameters:
    ///   - isNeeded: whether anything stands in its window.
    ///   - tell: told whether it answered; it is not asked again after it did not.
    init(
        _ connection: Connection, clock: any TimeSource, isNeeded: @escaping @Sendable (Connection) -> Bool,
        tell: @escaping @Sendable (Connection, _ isThere: Bool) -> Void
    ) {
        self.connection = connection
        self.clock = clock
        self.isNeeded = isNeeded
        self.tell = tell
    }

    /// Begins to ask, until it is no longer needed. To be called when something was sent to be shown.
    func wake() {
        let wasAwake = isAwake.withLock { isAwake in
            defer { isAwake = true }
            return isAwake
        }
        if !wasAwake { Task { await watch() } }
    }

    private func watch() async {
        repeat {
            do throws(ProtocolError) {
                _ = try await Deadline.run(Self.patience, clock, "") { [connection] in
                    try await connection.call(CheckSheets.self, .init())
                }
            } catch {
                if error.code == .timedOut { return tell(connection, false) }
                if error.code == .connectionClosed { return }
                // Whatever else it says, it says something.
            }
            tell(connection, true)
            do { try await clock.sleep(for: Self.interval) } catch { return }
        } while goesOn()
    }

    private func goesOn() -> Bool {
        isAwake.withLock { isAwake in
            isAwake = isNeeded(connection)
            return isAwake
        }
    }
}
