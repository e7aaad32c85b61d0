import AutoFillProtocol
import AutoFillWire
import BrokerBase
import IdentityIndex
import KeywaySystem
import ProviderHosting

/// What the app of a provider may ask: the kernel says which program it is, the person said whether it counts.
final class ApplicationDoor: Sendable {
    let registry: ProviderRegistry
    let directory: ProviderDirectory
    let applications: Applications
    let groups: GroupFolders
    let enabling: EnablingRequests
    let stores: IdentityStores
    let notices: NoticeBoard
    let clock: any TimeSource

    init(
        registry: ProviderRegistry, directory: ProviderDirectory, applications: Applications, groups: GroupFolders,
        enabling: EnablingRequests, stores: IdentityStores, notices: NoticeBoard, clock: any TimeSource
    ) {
        self.registry = registry
        self.directory = directory
        self.applications = applications
        self.groups = groups
        self.enabling = enabling
        self.stores = stores
        self.notices = notices
        self.clock = clock
    }

    /// Answers the methods of apps.
    func add(to table: inout MethodTable) {
        IdentityMethods(stores: stores, clock: clock).add(to: &table) { context throws(ProtocolError) in
            try await self.approved(context.connection).bundle.reference.identifier
        }
        table.on(GroupContainer.self) { parameters, context in
            let bundle = try await self.approved(context.connection).bundle
            return GroupContainer.Result(path: try self.groups.container(parameters.group, for: bundle))
        }
        table.on(RequestEnabling.self) { _, context in
            RequestEnabling.Result(isEnabled: try await self.requestEnabling(context.connection))
        }
    }

    /// The enabled provider whose approved app is at the other end.
    ///
    /// - Throws: ``ProtocolError``: `disabled` for everybody else; an app that is not approved is noted.
    func approved(_ connection: Connection) async throws(ProtocolError) -> Applications.Belonging {
        guard let program = connection.peerProgram,
            let application = applications.owner(of: program, among: try await directory.enabled())
        else {
            throw ProtocolError(.disabled, "This program isn't the app of a provider that is turned on.")
        }
        if await applications.isApproved(application) { return application }
        let provider = application.bundle.reference
        if await applications.note(application) {
            notices.post(
                provider,
                "\(application.path) asks to act for \(provider.name). To allow it: "
                    + "keyway providers approve \(provider.identifier) \(application.path)")
        }
        throw ProtocolError(
            .disabled, "\(application.path) is not approved as the app of \(provider.name).",
            provider: provider.identifier)
    }

    /// Forgets what a connection had begun to write when it ended.
    func dropWrites(of connection: Connection) async {
        guard connection.role == .application, let enabled = try? await directory.enabled() else { return }
        let owner = ObjectIdentifier(connection)
        for bundle in enabled where !bundle.applications.isEmpty {
            try? await stores.use(bundle.reference.identifier) { await $0.writer.dropWrites(of: owner) }
        }
    }

    // MARK: - Turning on

    /// Asks the person to turn on the provider whose app is at the other end.
    ///
    /// - Returns: whether it is on, now or within a minute.
    /// - Throws: ``ProtocolError``: `disabled` for a program that no bundle names, `busy` for one that asks too often.
    private func requestEnabling(_ connection: Connection) async throws(ProtocolError) -> Bool {
        guard let application = try await installed(connection) else {
            throw ProtocolError(.disabled, "No installed provider names this program as its app.")
        }
        let provider = application.bundle.reference
        if try await isOn(application.bundle) { return true }
        let wait = try enabling.ask(provider.identifier, program: application.path, now: clock.now)
        // Again: somebody may have turned it on before anybody waited.
        if try await isOn(application.bundle) { return true }
        notices.post(
            provider,
            "\(application.path) asks you to turn on \(provider.name). To turn it on: "
                + "keyway providers enable \(provider.identifier)")
        do throws(ProtocolError) {
            return try await Deadline.run(EnablingRequests.patience, clock, "") { await wait.answer() }
        } catch {
            guard error.code == .timedOut else { throw error }
            return try await isOn(application.bundle)
        }
    }

    private func isOn(_ bundle: ProviderBundle) async throws(ProtocolError) -> Bool {
        try await directory.enabled().contains { $0.reference.identifier == bundle.reference.identifier }
    }

    /// The installed provider whose app is at the other end: one of those that are on, else of the system, else of all.
    private func installed(_ connection: Connection) async throws(ProtocolError) -> Applications.Belonging? {
        guard let program = connection.peerProgram else { return nil }
        let enabled = try await directory.enabled()
        let sound = try await registry.snapshot().bundles.filter { $0.problem == nil }
        return applications.owner(of: program, among: enabled)
            ?? applications.owner(of: program, among: sound.filter { $0.scope == .system })
            ?? applications.owner(of: program, among: sound)
    }
}
