import AutoFillProtocol
import AutoFillWire
import KeywaySystem
import Synchronization

/// The register of the broker at the other end of the service's connection.
final class BrokerVersions: VersionRegister {
    private struct State {
        var broker: Connection?
        /// What is still to be noted: of each file the newest version alone.
        var pending: [String: UInt64] = [:]
        var isNoting = false
    }

    /// How long an unlock waits for the broker: a broker that does not answer locks nobody out.
    static let limit = Duration.seconds(2)

    private let state = Mutex(State())
    private let clock: any TimeSource
    private let log: ServiceLog

    init(clock: any TimeSource, log: ServiceLog) {
        self.clock = clock
        self.log = log
    }

    /// From now on `broker` is asked and told.
    func connect(_ broker: Connection) {
        state.withLock { $0.broker = broker }
    }

    func newest(of file: String) async -> UInt64? {
        guard let broker = state.withLock({ $0.broker }) else { return nil }
        do throws(ProtocolError) {
            let known = try await Deadline.run(Self.limit, clock, "Keyway did not answer within \(Self.limit).") {
                try await broker.call(ReadVersion.self, .init(file: file))
            }
            if known.isLost { log("the broker's register of versions is lost: an older copy may go unnoticed") }
            return known.version
        } catch {
            if error.code != .cancelled { log("the broker was not asked for the newest version: \(error.message)") }
            return nil
        }
    }

    func note(_ version: UInt64, of file: String) {
        let begins = state.withLock { state in
            guard state.broker != nil else { return false }
            state.pending[file] = version
            defer { state.isNoting = true }
            return !state.isNoting
        }
        if begins { Task { await notePending() } }
    }

    /// Tells the broker one version after another, until there is nothing left to tell.
    private func notePending() async {
        while let (broker, next) = takeNext() {
            do throws(ProtocolError) {
                _ = try await broker.call(NoteVersion.self, next)
            } catch {
                if error.code != .connectionClosed { log("the newest version was not registered: \(error.message)") }
            }
        }
    }

    private func takeNext() -> (Connection, NoteVersion.Parameters)? {
        state.withLock { state in
            guard let broker = state.broker, let (file, version) = state.pending.popFirst() else {
                state.isNoting = false
                return nil
            }
            return (broker, .init(file: file, version: version))
        }
    }
}
