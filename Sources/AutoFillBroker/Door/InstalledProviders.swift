import AutoFillProtocol
import AutoFillWire
import BrokerBase
import IdentityIndex
import KeywaySystem
import ProviderHosting

/// What is installed, and what the person wants of it.
final class InstalledProviders: Sendable {
    let registry: ProviderRegistry
    let directory: ProviderDirectory
    let processes: BundleProcesses
    let stores: IdentityStores
    let deliveries: Deliveries
    let applications: Applications
    let groups: GroupFolders
    let enabling: EnablingRequests
    let decisions: ProviderDecisions
    let log: EventLog

    init(
        registry: ProviderRegistry, directory: ProviderDirectory, processes: BundleProcesses, stores: IdentityStores,
        deliveries: Deliveries, applications: Applications, groups: GroupFolders, enabling: EnablingRequests,
        decisions: ProviderDecisions, log: EventLog
    ) {
        self.registry = registry
        self.directory = directory
        self.processes = processes
        self.stores = stores
        self.deliveries = deliveries
        self.applications = applications
        self.groups = groups
        self.enabling = enabling
        self.decisions = decisions
        self.log = log
    }

    /// All of it. Where the person's choices are not believed nothing is on, and the list is what they choose from anew.
    ///
    /// - Parameter countsAccounts: whether it is told how many accounts there are; without, each count is 0.
    /// - Throws: ``ProtocolError`` with the code `locked` or `system`.
    func listProviders(countsAccounts: Bool = true) async throws(ProtocolError) -> ListProviders.Result {
        let (bundles, enabled) = try await chosenProviders()
        var list: [InstalledProvider] = []
        for bundle in bundles {
            let isEnabled = enabled.contains(bundle)
            list.append(await describe(bundle, isEnabled: isEnabled, countsAccounts: countsAccounts))
        }
        let missing = try await registry.missing()
        return ListProviders.Result(providers: list, missing: missing.isEmpty ? nil : missing)
    }

    private func chosenProviders() async throws(ProtocolError) -> (all: [ProviderBundle], enabled: [ProviderBundle]) {
        do throws(ProtocolError) {
            let enabled = try await directory.enabled()
            return (try await registry.snapshot().bundles, enabled)
        } catch {
            guard error.code == .damaged else { throw error }
            let snapshot = try await registry.snapshotToChange()
            return (snapshot.bundles, snapshot.enabled)
        }
    }

    func setProvider(
        _ identifier: String, isEnabled: Bool, mayRunUnconfined: Bool = false
    ) async throws -> SetProviderEnabled.Result {
        if isEnabled { try await claimBelongings(of: identifier) }
        var bundle = try await registry.set(identifier, isEnabled: isEnabled, mayRunUnconfined: mayRunUnconfined)
        log("\(bundle.reference.identifier) \(isEnabled ? "enabled" : "disabled")")
        bundle = try await directory.enabled().first { $0.path == bundle.path } ?? bundle
        await settleBelongings(of: identifier, isEnabled: isEnabled)
        await deliveries.forget(identifier)
        return SetProviderEnabled.Result(provider: await describe(bundle, isEnabled: isEnabled))
    }

    /// Puts the enabled providers in the person's order.
    func orderProviders(_ identifiers: [String]) async throws -> ListProviders.Result {
        _ = try await directory.enabled()
        try await registry.order(identifiers)
        return try await listProviders()
    }

    func describe(
        _ bundle: ProviderBundle, isEnabled: Bool, countsAccounts: Bool = true
    ) async -> InstalledProvider {
        let identifier = bundle.reference.identifier
        let count = isEnabled ? (try? await stores.use(identifier) { try await $0.reader.count() }) ?? 0 : 0
        var forbidden: String?
        do throws(ProtocolError) { try registry.checkAllowed(identifier) } catch { forbidden = error.message }
        let isWiped = isEnabled && countsAccounts && count == 0 ? await deliveries.isWiped(identifier) : false
        return InstalledProvider(
            reference: bundle.reference, version: bundle.version, path: bundle.path, scope: bundle.scope,
            isEnabled: isEnabled, capabilities: bundle.capabilities, hasService: bundle.servicePath != nil,
            identities: countsAccounts ? count : 0, problem: bundle.problem,
            applications: await applications.list(bundle),
            group: bundle.group, isRequested: enabling.isRequested(identifier),
            hasChanged: await registry.hasChanged(bundle), isDebugged: processes.isDebugged(identifier),
            notice: forbidden ?? (isWiped ? ProviderRequests.wipedNotice(bundle.reference) : nil),
            sandbox: bundle.sandbox,
            mayRunUnconfined: bundle.mayRunUnconfined ? true : nil)
    }

    // MARK: - Their apps and groups

    /// Approves a program of an enabled provider as it is now, or takes that back.
    func approve(
        _ parameters: ApproveApplication.Parameters, from connection: Connection
    ) async throws -> SetProviderEnabled.Result {
        let bundle = try await directory.provider(parameters.identifier)
        if parameters.isApproved, bundle.applications.contains(parameters.path) {
            try await decisions.confirmApplication(parameters.path, of: bundle.reference, from: connection)
        }
        try await applications.decide(parameters.isApproved, parameters.path, of: bundle)
        return SetProviderEnabled.Result(provider: await describe(bundle, isEnabled: true))
    }

    /// Refuses to turn on a bundle that names what belongs to another one, and makes the group it names its own.
    func claimBelongings(of identifier: String) async throws(ProtocolError) {
        await stores.openSettings()
        let snapshot = try await registry.snapshotToChange()
        guard
            let bundle = snapshot.bundles.first(where: { $0.reference.identifier == identifier && $0.problem == nil })
        else { return }
        try applications.checkBelongings(of: bundle, beside: snapshot.enabled)
        try groups.claim(for: bundle)
    }

    /// Tells apps that wait, and forgets what was approved for a provider that is off.
    func settleBelongings(of identifier: String, isEnabled: Bool) async {
        if !isEnabled { await applications.forget(identifier) }
        enabling.decide(identifier, isEnabled: isEnabled)
    }
}
