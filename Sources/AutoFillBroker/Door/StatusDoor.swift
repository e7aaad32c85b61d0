import AutoFillProtocol
import AutoFillWire
import BrokerBase
import Glibc
import IdentityIndex
import KeywaySystem
import ProviderHosting

/// What anybody may ask of the broker itself.
final class StatusDoor: Sendable {
    private let policy: PolicyFiles
    private let stores: IdentityStores
    private let processes: BundleProcesses
    private let clock: any TimeSource
    private let connections: ClientConnections
    private let started: MonotonicTime
    private let program: RunningProgram?

    init(
        policy: PolicyFiles, stores: IdentityStores, processes: BundleProcesses, clock: any TimeSource,
        connections: ClientConnections, started: MonotonicTime, program: RunningProgram?
    ) {
        self.program = program
        self.policy = policy
        self.stores = stores
        self.processes = processes
        self.clock = clock
        self.connections = connections
        self.started = started
    }

    /// Answers how the broker is.
    func add(to table: inout MethodTable) {
        table.on(BrokerStatus.self) { _, _ in await self.status() }
    }

    /// How the broker is.
    private func status() async -> BrokerStatus.Result {
        stores.settings.look()
        let disbelieved = stores.settings.disbelieved
        return BrokerStatus.Result(
            version: ProtocolVersion.release, protocol: .current, processIdentifier: getpid(),
            uptime: clock.now.since(started) / .seconds(1), connections: connections.count,
            running: await processes.running(), storeKey: await stores.keyState(),
            droppedAnswers: await processes.droppedAnswers(), confinement: await processes.confinement(),
            disbelieved: disbelieved.isEmpty ? nil : disbelieved, sharedLimits: processes.sharedLimits,
            isReplaced: program?.isReplaced == true ? true : nil, policy: policy.current.state)
    }
}
