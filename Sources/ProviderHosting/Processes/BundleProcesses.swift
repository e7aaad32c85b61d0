package import AutoFillProtocol
package import AutoFillWire
package import BrokerBase
import Glibc
package import KeywaySystem
import Synchronization

/// The processes of the bundles: started when needed, kept running for a while, and ended when idle, locked or turned
/// off.
///
/// A provider has one service, and one extension for each ``Use`` and ``Caller``. Each handles one request after
/// another.
package actor BundleProcesses {
    /// What the processes need of the rest of the broker.
    package struct Surroundings: Sendable {
        /// The bundles that are on now.
        package let enabled: @Sendable () async throws(ProtocolError) -> [ProviderBundle]
        /// Refuses a bundle that is not, at this moment, what the person turned on.
        package let examine: @Sendable (ProviderBundle) async throws(ProtocolError) -> Void
        /// Refuses what a service may not hand out.
        package let permit: @Sendable (PermitService.Parameters, ProviderBundle) async throws(ProtocolError) -> Void
        /// Hears that what the master password of a bundle opens has another name.
        package let renewed: @Sendable (NoteRenewedVault.Parameters, ProviderBundle) async -> Void
        /// After how many seconds without use the administrator wants a vault locked at the latest; nil for any.
        package let idleLimit: @Sendable () -> Int?
        /// What is kept for the providers.
        package let stores: any ProviderStores
        /// What apps that continue an activity may ask beside that; nil where nothing is to be said.
        package let activities: (any ActivityMethods)?

        /// What the rest of the broker does for the processes.
        ///
        /// - Parameters:
        ///   - enabled: the bundles that are on now.
        ///   - examine: refuses a bundle that is not, at this moment, what the person turned on.
        ///   - permit: refuses what a service may not hand out.
        ///   - renewed: hears that what the master password of a bundle opens has another name.
        ///   - idleLimit: after how many seconds without use a vault locks at the latest; nil for any.
        ///   - stores: what is kept for the providers.
        ///   - activities: what apps that continue an activity may ask beside that.
        package init(
            enabled: @escaping @Sendable () async throws(ProtocolError) -> [ProviderBundle],
            examine: @escaping @Sendable (ProviderBundle) async throws(ProtocolError) -> Void,
            permit: @escaping @Sendable (PermitService.Parameters, ProviderBundle) async throws(ProtocolError) -> Void,
            renewed: @escaping @Sendable (NoteRenewedVault.Parameters, ProviderBundle) async -> Void = { _, _ in },
            idleLimit: @escaping @Sendable () -> Int? = { nil }, stores: any ProviderStores,
            activities: (any ActivityMethods)? = nil
        ) {
            self.activities = activities
            self.renewed = renewed
            self.idleLimit = idleLimit
            self.enabled = enabled
            self.examine = examine
            self.permit = permit
            self.stores = stores
        }
    }

    struct Entry {
        let process: BundleProcess
        /// Ends it; nil while it is used.
        var idle: Alarm?
        /// How often it was given back.
        var uses = 0
    }

    private struct Failures {
        var count: Int
        var last: MonotonicTime
    }

    /// How long an extension without requests is kept.
    package static let idleLimit = Duration.seconds(60)
    /// How long a service may take to accept a client.
    package static let attachLimit = Duration.seconds(10)
    /// The most extensions of one provider.
    package static let maximumExtensions = 32
    private static let longestBackOff = Duration.seconds(8)

    /// What the services last said of themselves.
    package nonisolated let states = ServiceStates()
    /// What all durations are measured by.
    package nonisolated let clock: any TimeSource
    /// Where is told what becomes of the processes.
    package nonisolated let log: EventLog
    nonisolated let surroundings: Surroundings
    nonisolated let groups: GroupFolders
    nonisolated let launcher: any BundleLauncher
    private(set) var entries: [Key: Entry] = [:]
    private var failures: [Kind: Failures] = [:]
    private var droppedBefore = 0
    nonisolated let turns = Turns<Exclusive>()
    nonisolated let debugging = Mutex<[String: Debugging]>([:])
    /// The bundles whose services run always.
    private var alwaysRunning: [ProviderBundle] = []

    /// No process yet.
    package init(
        launcher: any BundleLauncher, groups: GroupFolders, surroundings: Surroundings, clock: any TimeSource,
        log: EventLog
    ) {
        self.launcher = launcher
        self.surroundings = surroundings
        self.groups = groups
        self.clock = clock
        self.log = log
    }

    // MARK: - Using them

    /// Runs `body` with an extension of `bundle` for `caller`, when nobody else uses it. While the person looks at an
    /// interface, no other one is shown at the same place, and none of the same provider anywhere.
    ///
    /// - Throws: what `body` throws, `providerFailed` when the extension cannot be started, or `cancelled`.
    package nonisolated func withExtension<Result: Sendable>(
        of bundle: ProviderBundle, for caller: Caller, _ use: Use,
        _ body: (BundleProcess) async throws(ProtocolError) -> Result
    ) async throws(ProtocolError) -> Result {
        guard use == .interactive else { return try await withProcess(of: bundle, for: caller, use, body) }
        // Always in this order: nobody who waits at the first holds the second.
        return try await turns.run(.presenter(caller)) { () async throws(ProtocolError) in
            try await turns.run(.interface(provider: bundle.reference.identifier)) { () async throws(ProtocolError) in
                try await withProcess(of: bundle, for: caller, use, body)
            }
        }
    }

    private nonisolated func withProcess<Result: Sendable>(
        of bundle: ProviderBundle, for caller: Caller, _ use: Use,
        _ body: (BundleProcess) async throws(ProtocolError) -> Result
    ) async throws(ProtocolError) -> Result {
        let key = key(of: bundle, for: caller, use)
        return try await turns.run(.process(key)) { () async throws(ProtocolError) in
            let process = try await self.process(of: bundle, key)
            do throws(ProtocolError) {
                let result = try await body(process)
                await self.giveBack(process, key, hasFailed: false)
                return result
            } catch {
                await self.giveBack(process, key, hasFailed: error.code == .providerFailed || error.code == .timedOut)
                throw error
            }
        }
    }

    /// Runs `body` against the clock, unless the extension that works for `caller` is being debugged.
    ///
    /// - Throws: as ``Deadline`` does.
    package nonisolated func limited<Result: Sendable>(
        _ duration: Duration, _ provider: String, for caller: Caller?,
        _ body: @escaping @Sendable () async throws -> Result
    ) async throws(ProtocolError) -> Result {
        try await Deadline.run(duration, clock, "", isExempt: { self.isDebugged(provider, for: caller) }, body)
    }

    /// Opens a conversation with the service of `bundle`, which is started when it does not run.
    ///
    /// - Parameter number: what the service names the client by when it asks for permission; nil where it need not.
    /// - Returns: the client's end.
    /// - Throws: ``ProtocolError``: `notFound` for a bundle without a service, or `providerFailed`.
    package func connectService(
        of bundle: ProviderBundle, for client: ServiceClient, number: Int? = nil, isSecondTry: Bool = false
    ) async throws(ProtocolError) -> Attachment {
        let service = try await service(of: bundle)
        let (theirs, ours) = try LocalSocket.pair()
        let request = AttachClient.Parameters(
            client: client, connection: Attachment(ours),
            leader: client.terminalSession.flatMap(SessionLeader.init(of:)).map { Attachment($0.descriptor) },
            number: number)
        do {
            _ = try await limited(Self.attachLimit, bundle.reference.identifier, for: nil) {
                try await service.connection.waitForGreeting()
                return try await service.connection.call(AttachClient.self, request)
            }
        } catch {
            switch error.code {
            case .cancelled: throw error
            case .connectionClosed where !isSecondTry:
                // It had ended before, and nobody had noticed: a new one is started.
                return try await connectService(of: bundle, for: client, number: number, isSecondTry: true)
            case .timedOut:
                service.cutOff("did not accept a client within \(Self.attachLimit)")
                throw service.fail("did not accept a client in time")
            default: throw service.fail("did not accept a client: \(DisplayText.line(error.message))")
            }
        }
        return Attachment(theirs)
    }

    /// The running service of `bundle`.
    ///
    /// - Throws: ``ProtocolError``: `notFound` for a bundle without one, or `providerFailed`.
    @discardableResult
    package func service(of bundle: ProviderBundle) async throws(ProtocolError) -> BundleProcess {
        try await process(of: bundle, Key(provider: bundle.reference.identifier, use: .service, caller: nil))
    }

    /// How far bundles are confined here; nil where nothing is to be said.
    package nonisolated func confinement() async -> BrokerStatus.ConfinementState? { await launcher.confinement() }

    /// Whether limits hold for all processes of a bundle together; nil where nothing is to be said.
    package nonisolated var sharedLimits: BrokerStatus.SharedLimitsState? { launcher.sharedLimits }

    /// What runs now, for `status`. A process that is not known yet is shown as the one that starts it: it may be
    /// stopped, or never come to it, and `status` must answer then too.
    package func running() -> [BrokerStatus.RunningProcess] {
        entries.values.map(\.process).sorted { $0.processIdentifier < $1.processIdentifier }.map { process in
            BrokerStatus.RunningProcess(
                provider: process.provider, role: process.role, processIdentifier: process.processIdentifier,
                state: process.role == .providerService ? states.current(process.provider.identifier) : nil)
        }
    }

    /// Whether somebody would lose something if all processes ended: a service holds something open, or an extension works.
    ///
    /// A service that runs always begins again with the broker, and watches what others keep open.
    package var holdsWork: Bool {
        entries.contains { key, entry in
            guard key.use == .service else { return entry.idle == nil }
            return states.current(key.provider) == .ready && !entry.process.bundle.serviceRunsAlways
        }
    }

    /// How many answers of providers were dropped since the broker started: late, double, or to nothing that was asked.
    package func droppedAnswers() -> Int {
        entries.values.reduce(droppedBefore) { $0 + $1.process.connection.unawaitedAnswers }
    }

    // MARK: - Starting

    func process(of bundle: ProviderBundle, _ key: Key) async throws(ProtocolError) -> BundleProcess {
        _ = await launcher.confinement()
        while true {
            if let entry = entries[key], !entry.process.connection.isClosed {
                entry.idle?.cancel()
                entries[key]?.idle = nil
                return entry.process
            }
            let wait = backOff(key)
            guard wait <= .zero else {
                try await clock.wait(for: wait)
                continue
            }
            try await examineAgain(bundle)
            // Somebody else may have started it meanwhile.
            if entries[key]?.process.connection.isClosed ?? true { return try start(bundle, key) }
        }
    }

    /// Looks at the files of a bundle that is about to be started.
    ///
    /// - Throws: ``ProtocolError`` with the code `noProvider` where they are not what the person turned on.
    func examineAgain(_ bundle: ProviderBundle) async throws(ProtocolError) {
        try await surroundings.examine(bundle)
    }

    /// How long the next start must wait: not after the first failure, then longer and longer.
    private func backOff(_ key: Key) -> Duration {
        guard let failures = failures[key.kind], failures.count > 1 else { return .zero }
        let pause = min(Duration.milliseconds(250) * (1 << min(failures.count - 2, 6)), Self.longestBackOff)
        return pause - clock.now.since(failures.last)
    }

    /// Makes room for one more extension: whoever has a hundred terminals does not get a hundred processes.
    private func makeRoom(_ bundle: ProviderBundle) throws(ProtocolError) {
        let own = entries.filter { $0.key.provider == bundle.reference.identifier && $0.key.use != .service }
        guard own.count >= Self.maximumExtensions else { return }
        guard let (key, entry) = own.first(where: { $0.value.idle != nil }) else {
            throw ProtocolError(
                .busy, "\(bundle.reference.name) is busy: \(own.count) requests are waiting for it.",
                provider: bundle.reference.identifier)
        }
        end(key, entry.process)
    }

    @discardableResult
    func start(
        _ bundle: ProviderBundle, _ key: Key, debugging: BundleProgram.Debugging = .none
    ) throws(ProtocolError) -> BundleProcess {
        let provider = bundle.reference
        if let refusal = launcher.refusal(of: bundle) { throw refusal }
        if key.use != .service { try makeRoom(bundle) }
        guard let path = key.use.program(of: bundle) else {
            let what = key.use == .service ? "service" : "app that continues activities"
            throw ProtocolError(.notFound, "\(provider.name) has no \(what).", provider: provider.identifier)
        }
        let launched: (any LaunchedProcess, OwnedDescriptor)
        do {
            launched = try launcher.launch(
                BundleProgram(
                    path: path, role: key.use.role,
                    debugging: debugging == .none && key.use == .debugged ? .allowed : debugging, bundle: bundle,
                    group: try bundle.group.map { (group) throws(ProtocolError) in
                        try groups.container(group, for: bundle)
                    }))
        } catch {
            noteFailure(key)
            log("\(provider.identifier) couldn't be started: \(error.message)")
            throw ProtocolError(
                .providerFailed, "\(provider.name) couldn't be started: \(error.message)", provider: provider.identifier
            )
        }
        let relay = PresentRelay()
        let process = BundleProcess(
            bundle: bundle, role: key.use.role, isDebugged: key.use == .debugged, process: launched.0,
            socket: launched.1, methods: methods(for: bundle, key, relay), clock: clock, log: log)
        relay.process.withLock { $0 = process }
        entries[key] = Entry(process: process)
        Task { [log] in
            _ = await process.identified()
            log("\(process.label) started")
        }
        // The connection lets go of this, and so of the process, when it ends.
        process.start {
            relay.process.withLock { $0 = nil }
            Task { await self.ended(process, key) }
        }
        return process
    }

    private func ended(_ process: BundleProcess, _ key: Key) async {
        if entries[key]?.process === process {
            // Nobody asked it to.
            entries.removeValue(forKey: key)?.idle?.cancel()
            noteFailure(key)
        }
        if key.use == .service, entries[key] == nil, states.set(key.provider, nil) == .ready {
            // It ended while it was open: what its extensions know must go as if it had locked.
            endExtensions(of: key.provider)
        }
        droppedBefore += process.connection.unawaitedAnswers
        await dropWrites(of: process)
        process.end(clock)
        await process.ended()
        log("\(process.label) ended \(process.exitDescription)")
        if key.use == .service { runServices() }
    }

    /// Starts the services of these bundles that run always, now and whenever they have ended.
    package func keepRunning(_ bundles: [ProviderBundle]) {
        alwaysRunning = bundles.filter(\.serviceRunsAlways)
        runServices()
    }

    private func runServices() {
        for bundle in alwaysRunning { Task { await self.runService(of: bundle) } }
    }

    private func runService(of bundle: ProviderBundle) async {
        let key = Key(provider: bundle.reference.identifier, use: .service, caller: nil)
        while backOff(key) > .zero { guard (try? await clock.wait(for: backOff(key))) != nil else { return } }
        // It may have been turned off meanwhile.
        if alwaysRunning.contains(bundle) { _ = try? await service(of: bundle) }
    }

    private func dropWrites(of process: BundleProcess) async {
        let owner = ObjectIdentifier(process.connection)
        await surroundings.stores.dropWrites(of: owner, for: process.provider.identifier)
    }

    private func noteFailure(_ key: Key) {
        failures[key.kind] = Failures(count: (failures[key.kind]?.count ?? 0) + 1, last: clock.now)
    }

    // MARK: - Giving back and ending

    private func giveBack(_ process: BundleProcess, _ key: Key, hasFailed: Bool) {
        if !hasFailed { failures[key.kind] = nil }
        guard entries[key]?.process === process, key.use != .debugged else { return }
        let uses = (entries[key]?.uses ?? 0) + 1
        entries[key]?.uses = uses
        entries[key]?.idle = clock.ring(after: Self.idleLimit) {
            Task { await self.endIdle(key, process, uses) }
        }
    }

    /// Ends a process that was not used since it was given back so often.
    private func endIdle(_ key: Key, _ process: BundleProcess, _ uses: Int) {
        guard let entry = entries[key], entry.idle != nil, entry.uses == uses else { return }
        end(key, process)
    }

    func end(_ key: Key, _ process: BundleProcess) {
        guard entries[key]?.process === process else { return }
        entries.removeValue(forKey: key)?.idle?.cancel()
        process.end(clock)
    }

    /// Ends the extensions of a provider whose service has locked: what they still know must go.
    func endExtensions(of provider: String) {
        for (key, entry) in entries where key.provider == provider && key.use != .service {
            entries.removeValue(forKey: key)?.idle?.cancel()
            entry.process.stop(because: entry.process.fail("was locked", .locked))
        }
    }

    /// Lets go of the service of a provider, which forgets what it had opened, and of the provider's extensions. Returns
    /// once the service has ended.
    package func lock(_ provider: String) async {
        endExtensions(of: provider)
        let key = Key(provider: provider, use: .service, caller: nil)
        guard let process = entries[key]?.process else { return }
        end(key, process)
        states.set(provider, nil)
        log("\(process.label) is let go: locked from a browser")
        await process.ended()
    }

    /// Ends every process of a bundle that is not among these any more, or not the same.
    package func keepOnly(_ bundles: [ProviderBundle]) {
        keepDebugging(bundles)
        for (key, entry) in entries where !bundles.contains(entry.process.bundle) {
            entries.removeValue(forKey: key)?.idle?.cancel()
            log("\(entry.process.label) is let go: the provider is gone, changed or disabled")
            entry.process.end(clock)
        }
        failures = failures.filter { key, _ in bundles.contains { $0.reference.identifier == key.provider } }
    }

    /// Ends all processes and waits until they have.
    package func endAll() async {
        let processes = entries.values.map(\.process)
        alwaysRunning = []
        entries = [:]
        for process in processes { process.end(clock) }
        for process in processes { await process.ended() }
    }
}
