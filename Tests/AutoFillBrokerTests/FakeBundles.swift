import AutoFillProtocol
import AutoFillWire
import Glibc
import KeywaySystem
import Synchronization

@testable import AutoFillBroker
@testable import ProviderHosting

/// Starts no process: what would be in one answers from here, over the same socket.
final class FakeBundles: BundleLauncher {
    typealias Answer = @Sendable (PerformRequest.Request, RequestContext) async throws -> PerformRequest.Result

    /// What an app does that is started for an activity, over its connection.
    typealias Activity =
        @Sendable (ContinueActivity.Parameters, BundleProgram, Connection) async throws -> ContinueActivity.Result

    /// One started program.
    final class Process: LaunchedProcess {
        private struct State {
            var status: CInt?
            var onExit: [@Sendable (CInt) -> Void] = []
            var signals: [CInt] = []
        }

        let processIdentifier: Int32
        let program: BundleProgram
        let connection: Connection
        private let greeting: Task<Void, Never>
        private let state = Mutex(State())

        private let identifies: Bool
        let excess: String?

        init(
            _ number: Int32, _ program: BundleProgram, _ connection: Connection, _ greeting: Task<Void, Never>,
            identifies: Bool, excess: String?
        ) {
            self.identifies = identifies
            self.excess = excess
            processIdentifier = number
            self.program = program
            self.connection = connection
            self.greeting = greeting
        }

        /// Says how the service is, after it has greeted: before, nobody would listen.
        func say(_ states: ServiceState...) async {
            await greeting.value
            for state in states { connection.notify(ServiceStateChanged.self, .init(state: state)) }
        }

        func identified() async -> Int32 {
            // One that is stopped before it is confined is never certain.
            if !identifies { try? await Task.sleep(for: .seconds(3600)) }
            return processIdentifier
        }

        var signals: [CInt] { state.withLock { $0.signals } }
        var hasEnded: Bool { state.withLock { $0.status != nil } }

        func onExit(_ body: @escaping @Sendable (CInt) -> Void) {
            let status = state.withLock { state in
                if state.status == nil { state.onExit.append(body) }
                return state.status
            }
            if let status { body(status) }
        }

        func send(signal: CInt) {
            state.withLock { $0.signals.append(signal) }
            exit(signal)
        }

        func exit(_ status: CInt) {
            let bodies = state.withLock { state -> [@Sendable (CInt) -> Void] in
                guard state.status == nil else { return [] }
                state.status = status
                defer { state.onExit = [] }
                return state.onExit
            }
            connection.close()
            for body in bodies { body(status) }
        }
    }

    /// Where answers wait for the greeting.
    private final class Gate: Sendable {
        let task = Mutex<Task<Void, Never>?>(nil)

        func pass() async { await task.withLock { $0 }?.value }
    }

    private let processes = Mutex<[Process]>([])
    private let answer: Answer
    private let firstNumber: Int32
    private let greets: Bool
    private let identifies: Bool
    private let excess: String?
    private let strength: BrokerStatus.ConfinementState?
    private let endsWithBroker: Bool
    let events = Mutex<[String]>([])
    /// The numbers of the clients that services were handed.
    let numbers = Mutex<[Int?]>([])
    /// What a service answers that checks a master password.
    let masterPassword = Mutex<(@Sendable (String) throws -> Bool)?>(nil)
    /// The name of the vault that a service answers with; nil for none.
    let vault = Mutex<String?>(nil)
    /// What a service does that makes what a master password protects.
    let newMasterPassword = Mutex<(@Sendable (String) throws -> Void)?>(nil)

    /// What apps do that are started for activities.
    let activity = Mutex<Activity?>(nil)

    init(
        greets: Bool = true, endsWithBroker: Bool = true, identifies: Bool = true,
        strength: BrokerStatus.ConfinementState? = nil, firstNumber: Int32 = 100,
        excess: String? = nil, _ answer: @escaping Answer
    ) {
        self.excess = excess
        self.firstNumber = firstNumber
        self.greets = greets
        self.identifies = identifies
        self.strength = strength
        self.endsWithBroker = endsWithBroker
        self.answer = answer
    }

    func confinement() async -> BrokerStatus.ConfinementState? { strength }

    var started: [Process] { processes.withLock { $0 } }
    var running: [Process] { started.filter { !$0.hasEnded } }
    func started(_ role: Role) -> [Process] { started.filter { $0.program.role == role } }

    func launch(_ program: BundleProgram) throws(ProtocolError) -> (any LaunchedProcess, OwnedDescriptor) {
        let (broker, bundle) = try LocalSocket.pair()
        let greeted = Gate()
        var table = MethodTable()
        table.on(PerformRequest.self) { [answer] in
            await greeted.pass()
            return try await answer($0.request, $1)
        }
        table.on(ContinueActivity.self) { [self] parameters, context in
            await greeted.pass()
            guard let activity = activity.withLock({ $0 }) else { throw ProtocolError(.unknownMethod, "No.") }
            return try await activity(parameters, program, context.connection)
        }
        table.on(AttachClient.self) { [self] parameters, _ in
            events.withLock { $0.append("\(parameters.client)") }
            numbers.withLock { $0.append(parameters.number) }
            return Nothing()
        }
        table.on(CheckMasterPassword.self) { [self] parameters, _ in
            guard let check = masterPassword.withLock({ $0 }) else { throw ProtocolError(.unknownMethod, "No.") }
            return .init(isRight: try check(try parameters.password.text), vault: vault.withLock { $0 })
        }
        table.on(CreateMasterPassword.self) { [self] parameters, _ in
            guard let make = newMasterPassword.withLock({ $0 }) else { throw ProtocolError(.unknownMethod, "No.") }
            try make(try parameters.password.text)
            return Nothing()
        }
        table.on(ExtensionEvent.self) { [self] parameters, _ in
            events.withLock { $0.append("\(parameters.event)") }
        }
        let connection = Connection(descriptor: bundle, peer: .known(.broker), methods: table)
        let greeting = Task { [greets] in
            if greets { _ = try? await connection.greet(as: program.role, name: "fake") }
        }
        greeted.task.withLock { $0 = greeting }
        let process = processes.withLock { processes in
            let process = Process(
                firstNumber + Int32(processes.count), program, connection, greeting, identifies: identifies,
                excess: excess)
            processes.append(process)
            return process
        }
        if endsWithBroker { connection.onClose { process.exit(0) } }
        connection.start()
        return (process, broker)
    }
}

/// A secret as an extension answers it.
func password(_ text: String = "s3cret") throws -> PerformRequest.Result {
    let memory = try Array(text.utf8).withUnsafeBytes { bytes throws in try SealedMemory(copying: bytes) }
    return .password(user: "ada", password: Attachment(memory))
}

/// How an extension cancels a request, by the code of `ASExtensionError`.
func cancelled(_ code: Int, reason: String? = nil) -> PerformRequest.Result {
    .cancelled(domain: "ASExtensionErrorDomain", code: code, reason: reason)
}

extension Fill.Result {
    /// The user of a password.
    var user: String? { if case .password(let user, _) = credential { user } else { nil } }
    /// The password's file.
    var password: Attachment? { if case .password(_, let password) = credential { password } else { nil } }
}
