import AutoFillBroker
import AutoFillProtocol
import AutoFillWire
import FoundationEssentials
import Glibc
import KeywayCrypto
import KeywaySystem
import ProviderHosting
import Synchronization

/// The bundle under test with everything around it: its folders, the store it writes to, the processes it runs in.
final class Subject: Sendable {
    /// How long an extension may take without an interface.
    static let quietLimit = Duration.seconds(3)
    /// How long anything may take while the person is quick.
    static let patientLimit = Duration.seconds(20)
    /// How long a program may take to say hello.
    static let greetingLimit = Duration.seconds(5)

    private struct State {
        var extensions: [StartedExtension] = []
        var frames: [UInt8] = []
        var isExercised = false
        var endurance: Result<Endurance, Objection>?
    }

    /// The most bytes of frames that are kept to be searched.
    private static let mostFrames = 32 << 20

    let options: KitOptions
    let bundle: ProviderBundle
    let information: BundleInformation
    let place: PrivatePlace
    let calls: SystemCallLog
    let store = StoreHalf()
    let secrets = SecretLedger()
    let service: ServiceHalf?
    let secret: SecretBytes?
    private let filesBefore: Set<String>
    private let bundleBefore: [String: Int]
    private let state = Mutex(State())

    /// A bundle that the registry takes; nothing runs yet.
    ///
    /// - Throws: ``ProtocolError`` when the folders cannot be made or a file of the options cannot be read.
    init(bundle: ProviderBundle, options: KitOptions, environment: [String: String]) throws(ProtocolError) {
        self.bundle = bundle
        self.options = options
        // What the registry does not take may be anything: it is not read further than the registry reads it.
        let bytes = bundle.problem == nil ? FileText.bytes(bundle.path + "/Info.plist", limit: 1 << 20) : nil
        information = BundleInformation(bytes: bytes ?? [])
        secret = try options.secretFile.map { (path) throws(ProtocolError) in try Self.readSecret(path) }
        let parent = environment["TMPDIR"] ?? "/tmp"
        place = try PrivatePlace(
            parent: parent, homeContents: options.home, leaves: options.leaves, environment: environment)
        calls = SystemCallLog { [place] in place.mayReach($0) }
        let (place, calls, store) = (place, calls, store)
        service = bundle.servicePath.map { ServiceHalf(path: $0, place: place, calls: calls, store: store) }
        filesBefore = Set(place.files())
        bundleBefore = Self.marks(of: bundle.path)
        if let secret { secrets.add(secret) }
    }

    private static func readSecret(_ path: String) throws(ProtocolError) -> SecretBytes {
        guard let bytes = FileText.bytes(path, limit: 1 << 16) else {
            throw ProtocolError(.notFound, "The secret cannot be read from \(path).")
        }
        return SecretBytes(copying: Array(bytes.prefix { $0 != UInt8(ascii: "\n") }))
    }

    var capabilities: ProviderCapabilities { bundle.capabilities }

    // MARK: - Processes

    /// Starts an extension as the broker does, and waits until it has greeted.
    ///
    /// - Throws: ``Objection``.
    func start(store: StoreHalf? = nil, service: ServiceHalf? = nil) async throws(Objection) -> StartedExtension {
        let started = try launch(store: store, service: service)
        guard await started.hasGreeted(within: Self.greetingLimit) else {
            await started.end()
            throw .broken("it did not say hello within \(Self.greetingLimit) (\(started.process.ending))")
        }
        return started
    }

    /// Starts an extension and waits for nothing.
    ///
    /// - Throws: ``Objection``.
    func launch(store: StoreHalf? = nil, service: ServiceHalf? = nil) throws(Objection) -> StartedExtension {
        var methods = MethodTable()
        (store ?? self.store).add(to: &methods)
        let service = service ?? self.service
        methods.on(ConnectService.self) { _, _ in
            guard let service else { throw ProtocolError(.notFound, "The bundle has no service.") }
            return ConnectService.Result(connection: try await service.connect())
        }
        methods.on(GroupContainer.self) { [place] _, _ in GroupContainer.Result(path: place.group) }
        do throws(ProtocolError) {
            let (ours, theirs) = try LocalSocket.pair()
            let process = try ObservedProcess(
                path: bundle.extensionPath, environment: place.environment, channel: theirs, output: place.output(),
                calls: calls)
            let started = StartedExtension(process: process, socket: ours, methods: methods) { [weak self] frame in
                self?.keep(frame)
            }
            state.withLock { $0.extensions.append(started) }
            return started
        } catch {
            throw .broken("the extension cannot be started: \(error.message)")
        }
    }

    /// Starts the extension with a closed descriptor in the place of the broker's.
    ///
    /// - Throws: ``Objection``.
    func launchAlone() throws(Objection) -> ObservedProcess {
        do throws(ProtocolError) {
            let empty = OwnedDescriptor(
                try SystemCall.check("open /dev/null") { open("/dev/null", O_RDONLY | O_CLOEXEC) })
            return try ObservedProcess(
                path: bundle.extensionPath, environment: place.environment, channel: empty, output: place.output(),
                calls: calls)
        } catch {
            throw .broken("the extension cannot be started: \(error.message)")
        }
    }

    /// Runs `body` with a fresh extension, which is let go of afterwards.
    ///
    /// - Throws: what `body` throws, or ``Objection`` when it cannot be started.
    func withExtension<Value>(
        store: StoreHalf? = nil, service: ServiceHalf? = nil,
        _ body: (StartedExtension) async throws(Objection) -> Value
    ) async throws(Objection) -> Value {
        let started = try await start(store: store, service: service)
        do throws(Objection) {
            let value = try await body(started)
            await started.end()
            return value
        } catch {
            await started.end()
            throw error
        }
    }

    /// Ends everything that runs and takes the folders away.
    func close() async {
        for started in state.withLock({ $0.extensions }) where started.process.exitStatus == nil {
            await started.end()
        }
        await service?.stop()
        for child in Children.ofThisProcess() { kill(child.processIdentifier, SIGKILL) }
        place.remove()
    }

    /// A person who types the secret of the options.
    func person(_ habit: Person.Habit = .goesOn) -> Person { Person(habit, secret: secret) }

    // MARK: - What was seen

    private func keep(_ frame: [UInt8]) {
        state.withLock { if $0.frames.count < Self.mostFrames { $0.frames += frame } }
    }

    /// The frames that extensions sent, one behind the other.
    var frames: [UInt8] { state.withLock { $0.frames } }

    /// Every extension that was started.
    var extensions: [StartedExtension] { state.withLock { $0.extensions } }

    /// Files in the provider's folders that were not there before.
    var newFiles: [String] { place.files().filter { !filesBefore.contains($0) || calls.files.contains($0) } }

    /// Files of the bundle that are not as they were.
    var changedBundleFiles: [String] {
        let now = Self.marks(of: bundle.path)
        return Set(now.keys).union(bundleBefore.keys).filter { now[$0] != bundleBefore[$0] }.sorted()
    }

    private static func marks(of folder: String) -> [String: Int] {
        let paths = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
        var marks: [String: Int] = [:]
        for path in paths {
            var status = stat()
            guard lstat("\(folder)/\(path)", &status) == 0, status.st_mode & S_IFMT != S_IFDIR else { continue }
            var hasher = Hasher()
            hasher.combine(status.st_size)
            hasher.combine(status.st_mtim.tv_sec)
            hasher.combine(status.st_mtim.tv_nsec)
            marks[path] = hasher.finalize()
        }
        return marks
    }

    // MARK: - Done once

    /// Runs `body` the first time.
    func exerciseOnce(_ body: () async throws(Objection) -> Void) async throws(Objection) {
        let isFirst = state.withLock { state in
            defer { state.isExercised = true }
            return !state.isExercised
        }
        if isFirst { try await body() }
    }

    /// What `body` measured, the first time.
    func enduranceOnce(_ body: () async throws(Objection) -> Endurance) async throws(Objection) -> Endurance {
        if let known = state.withLock({ $0.endurance }) { return try known.get() }
        let result: Result<Endurance, Objection>
        do throws(Objection) { result = .success(try await body()) } catch { result = .failure(error) }
        state.withLock { $0.endurance = result }
        return try result.get()
    }
}
