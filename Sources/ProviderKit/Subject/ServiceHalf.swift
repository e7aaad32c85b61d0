import AutoFillProtocol
import AutoFillWire
import Glibc
import KeywaySystem
import Synchronization

/// The long-running half of the bundle under test, started and asked as the broker does it.
final class ServiceHalf: Sendable {
    private struct Running {
        let process: ObservedProcess
        let connection: Connection
    }

    private let path: String
    private let place: PrivatePlace
    private let calls: SystemCallLog
    private let store: StoreHalf
    private let running = Mutex<Running?>(nil)
    private let lastState = Mutex<ServiceState?>(nil)

    /// The service at `path`, which does not run yet.
    init(path: String, place: PrivatePlace, calls: SystemCallLog, store: StoreHalf) {
        self.path = path
        self.place = place
        self.calls = calls
        self.store = store
    }

    /// What the service last said of itself.
    var state: ServiceState? { lastState.withLock { $0 } }

    /// The process; nil while it does not run.
    var process: ObservedProcess? { running.withLock { $0?.process } }

    /// Starts it, unless it runs.
    ///
    /// - Throws: ``ProtocolError``: `providerFailed` when it does not greet in time.
    func start() async throws(ProtocolError) {
        guard running.withLock({ $0?.connection.isClosed != false }) else { return }
        var methods = MethodTable()
        store.add(to: &methods)
        methods.on(GroupContainer.self) { [place] _, _ in GroupContainer.Result(path: place.group) }
        methods.on(ServiceStateChanged.self) { [weak self] parameters, _ in
            self?.lastState.withLock { $0 = parameters.state }
        }
        let (ours, theirs) = try LocalSocket.pair()
        let process = try ObservedProcess(
            path: path, environment: place.environment, channel: theirs, output: place.output(), calls: calls)
        let greeting = Greeting(
            accepts: [.providerService], name: "keyway-provider-kit \(ProtocolVersion.release)")
        let connection = Connection(descriptor: ours, peer: .unknown(greeting), methods: methods)
        connection.start()
        running.withLock { $0 = Running(process: process, connection: connection) }
        let hasGreeted = await Waiting.until(Subject.greetingLimit) { connection.role != nil || connection.isClosed }
        guard hasGreeted, connection.role != nil else {
            throw ProtocolError(.providerFailed, "The service did not say hello (\(process.ending)).")
        }
    }

    /// A conversation with it for the extension.
    ///
    /// - Throws: ``ProtocolError``.
    func connect() async throws(ProtocolError) -> Attachment {
        try await start()
        guard let connection = running.withLock({ $0?.connection }) else {
            throw ProtocolError(.providerFailed, "The service does not run.")
        }
        let (theirs, ours) = try LocalSocket.pair()
        let request = AttachClient.Parameters(client: .providerExtension, connection: Attachment(ours))
        try await answered(within: .seconds(5)) {
            _ = try await connection.call(AttachClient.self, request)
        }
        return Attachment(theirs)
    }

    /// Lets go of it, and starts it anew: it has forgotten what the person told it.
    ///
    /// - Throws: ``ProtocolError``.
    func restart() async throws(ProtocolError) {
        await stop()
        try await start()
    }

    /// Lets go of it; killed when it has not ended after two seconds.
    func stop() async {
        guard
            let running = running.withLock({ state in
                defer { state = nil }
                return state
            })
        else { return }
        lastState.withLock { $0 = nil }
        running.connection.close()
        if await !running.process.hasEnded(within: .seconds(2)) {
            running.process.send(signal: SIGKILL)
            _ = await running.process.hasEnded(within: .seconds(5))
        }
    }
}
