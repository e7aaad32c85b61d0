import AutoFillProtocol
import AutoFillWire
import ClockTestSupport
import FoundationEssentials
import Glibc
import KeywaySystem
import PasswordsProtocol
import Synchronization
import Testing

@testable import PasswordsService

/// Ours, where the testing library has a type of the same name.
typealias Attachment = AutoFillWire.Attachment

/// Sessions that are there until the test ends them.
final class TestPresence: SessionPresence {
    private let ended = Mutex<Set<TerminalSession>>([])

    func isPresent(_ session: TerminalSession) -> Bool { !ended.withLock { $0.contains(session) } }
    func end(_ session: TerminalSession) { ended.withLock { _ = $0.insert(session) } }
}

/// What was told, in order.
final class Told<Value: Sendable>: Sendable {
    private let values = Mutex<[Value]>([])

    var all: [Value] { values.withLock { $0 } }
    func add(_ value: Value) { values.withLock { $0.append(value) } }
}

/// Where long work lets others get their turn: as it is, or stopped until the test lets it go on.
final class Turns: Sendable {
    private struct State {
        var stopsAt: Int?
        var count = 0
        var stopped: CheckedContinuation<Void, Never>?
        var isCancelled = false
    }

    private let state = Mutex(State())

    /// Whether work is stopped.
    var isStopped: Bool { state.withLock { $0.stopped != nil } }

    /// Whether the work that is stopped was cancelled.
    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Stops work at its turn with that number, counted from 1.
    func stop(at number: Int) {
        state.withLock { state in
            state.stopsAt = number
            state.count = 0
        }
    }

    /// Lets the work that is stopped go on.
    func goOn() {
        let stopped = state.withLock { state in
            defer { (state.stopped, state.stopsAt) = (nil, nil) }
            return state.stopped
        }
        stopped?.resume()
    }

    func pass() async {
        await Task.yield()
        let stops = state.withLock { state in
            state.count += 1
            return state.count == state.stopsAt
        }
        guard stops else { return }
        await withTaskCancellationHandler {
            await withCheckedContinuation { stopped in state.withLock { $0.stopped = stopped } }
        } onCancel: {
            state.withLock { $0.isCancelled = true }
        }
    }
}

/// A service of a vault in a folder of its own, and conversations with it.
final class TestService: Sendable {
    static let masterPassword = "correct horse battery staple"
    static let terminal = ServiceClient.terminal(session(100))

    let folder: String
    let clock = ManualClock(milliseconds: 1_795_464_000_123)
    let presence = TestPresence()
    let states = Told<ServiceState>()
    let jobs = Told<IdentityJob>()
    let log = Told<String>()
    let turns = Turns()
    let service: VaultService
    private let surroundings: VaultService.Surroundings

    /// What the administrator wants.
    let ceiling: Ceiling

    final class Ceiling: Sendable {
        private let value = Mutex<IdleCeiling>(.known(nil))
        var now: IdleCeiling { value.withLock { $0 } }
        func set(_ ceiling: IdleCeiling) { value.withLock { $0 = ceiling } }
    }

    init(idleSeconds: Int = 600) throws {
        let ceiling = Ceiling()
        self.ceiling = ceiling
        folder = FileManager.default.temporaryDirectory.appending(path: "keyway-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        var surroundings = VaultService.Surroundings(
            vaultPath: folder + "/Passwords.vault", epochFolder: folder + "/epochs")
        surroundings.settings.idleSeconds = idleSeconds
        surroundings.failuresPath = folder + "/failures"
        surroundings.idleCeiling = { ceiling.now }
        surroundings.backupsPath = folder + "/backups"
        surroundings.importPath = folder + "/import"
        surroundings.clock = clock
        surroundings.presence = presence
        surroundings.log = ServiceLog { [log] in log.add($0) }
        surroundings.onStateChange = { [states] in states.add($0) }
        surroundings.onIdentityJob = { [jobs] in jobs.add($0) }
        surroundings.othersTurn = { [turns] in await turns.pass() }
        self.surroundings = surroundings
        service = VaultService(surroundings)
    }

    /// A conversation with another service of the same files, as one that starts again.
    func connectToNextService() throws -> Connection {
        let next = VaultService(surroundings)
        let (ours, theirs) = try LocalSocket.pair()
        Connection(descriptor: theirs, peer: .known(.serviceClient), methods: next.methods(for: Self.terminal)).start()
        let connection = Connection(descriptor: ours, peer: .known(.providerService))
        connection.start()
        return connection
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    var vaultPath: String { folder + "/Passwords.vault" }

    static func session(_ number: Int32) -> TerminalSession {
        TerminalSession(identifier: number, leaderStart: UInt64(number) * 10, terminal: 34816)
    }

    /// The client's end of a conversation behind which `client` is.
    func connect(_ client: ServiceClient = terminal) throws -> Connection {
        let (ours, theirs) = try LocalSocket.pair()
        let server = Connection(
            descriptor: theirs, peer: .known(.serviceClient), methods: service.methods(for: client))
        server.start()
        let connection = Connection(descriptor: ours, peer: .known(.providerService))
        connection.start()
        return connection
    }

    /// A conversation of a terminal to which a new vault is open.
    func withVault() async throws -> Connection {
        let terminal = try connect()
        try await terminal.create(Self.masterPassword)
        return terminal
    }

    /// Waits until something is so; the test fails after a minute.
    func until(_ condition: @Sendable () async -> Bool) async throws {
        for _ in 0..<30_000 {
            if await condition() { return }
            try await Task.sleep(for: .milliseconds(2))
        }
        Issue.record("it did not come to be")
    }
}

/// A secret of `text`.
func sealed(_ text: String) throws -> Attachment {
    var text = text
    return Attachment(try text.withUTF8 { try SealedMemory(copying: UnsafeRawBufferPointer($0)) })
}

/// The text of a secret.
func opened(_ secret: Attachment?) throws -> String? {
    try secret?.sealedMemory().withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
}

/// The code of the error that `body` throws, or nil.
func code(_ body: () async throws -> Void) async -> ProtocolError.Code? {
    do { try await body() } catch { return (error as? ProtocolError)?.code }
    return nil
}

/// The text of the error that `body` throws.
func message(_ body: () async throws -> Void) async -> String {
    do { try await body() } catch { return (error as? ProtocolError)?.message ?? "\(error)" }
    return ""
}

extension Connection {
    func create(_ password: String, memory: Int = 64) async throws {
        _ = try await call(
            CreateVault.self,
            .init(masterPassword: try sealed(password), derivation: .init(memory: memory, passes: 3)))
    }

    @discardableResult
    func unlock(
        _ password: String = TestService.masterPassword, acceptsOlderCopy: Bool = false
    ) async throws -> VaultStatus.Result {
        try await call(
            UnlockVault.self, .init(masterPassword: try sealed(password), acceptsOlderCopy: acceptsOlderCopy))
    }

    func lock() async throws { _ = try await call(LockVault.self, Nothing()) }

    func access() async throws -> VaultStatus.Access { try await call(VaultStatus.self, Nothing()).access }

    @discardableResult
    func add(_ title: String, _ fill: (inout ItemChange) throws -> Void = { _ in }) async throws -> ItemSummary {
        var item = ItemChange()
        item.title = title
        item.password = try sealed("pw of \(title)")
        try fill(&item)
        return try await call(AddItem.self, .init(item: item)).item
    }

    func edit(_ name: ItemName, _ fill: (inout ItemChange) throws -> Void) async throws -> ItemSummary {
        var change = ItemChange()
        try fill(&change)
        return try await call(EditItem.self, .init(item: name, change: change)).item
    }

    func show(_ name: ItemName, _ parts: Set<ShowItem.Part> = []) async throws -> ShowItem.Result {
        try await call(ShowItem.self, .init(item: name, parts: parts))
    }

    func search(_ text: String = "") async throws -> [String] {
        try await call(SearchItems.self, .init(text: text)).items.map(\.title)
    }
}
