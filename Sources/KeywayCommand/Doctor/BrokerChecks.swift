import AutoFillProtocol
import AutoFillWire
import KeywaySystem
import PasswordsProtocol

/// Whether the broker answers, and what it knows of providers and of the vault.
struct BrokerChecks {
    let context: CommandContext

    func run() async -> [Check] {
        let connection: Connection
        do {
            connection = try await context.connect()
        } catch {
            let error = CommandError(any: error)
            return [Check("broker", .failed, error.message, remedy: error.hint)]
        }
        defer { connection.close() }
        do {
            // The stores of enabled providers are counted: by then it is settled where their key is. That they cannot be
            // listed must not hide why.
            let list = await providers(connection)
            let status = try await connection.call(BrokerStatus.self, Nothing())
            let paths = try KeywayPaths(environment: context.surroundings.environment)
            let folder = paths.identities
            let settings = (status.disbelieved ?? []).map {
                Check("settings", .failed, $0, remedy: Strings.settingsAgain(paths))
            }
            // A broker of another release may know nothing of it.
            let verification = try? await connection.call(VerificationState.self, Nothing())
            return [broker(status)] + policy(status.policy) + settings + (await clients(connection))
                + (verification.map { VerificationChecks(state: $0).run() } ?? [])
                + StoreKeyCheck(state: status.storeKey, folder: folder).run()
                + ConfinementCheck(state: status.confinement, limits: status.sharedLimits).run() + list.checks
                + (await vault(list.providers))
        } catch {
            return [Check("broker", .failed, CommandError(any: error).message)]
        }
    }

    /// What the administrator has set: no fault, unless it cannot be read.
    private func policy(_ policy: PolicyState?) -> [Check] {
        guard let policy else { return [] }
        let faults = policy.faults.map { Check("policy", .failed, $0.sentence, remedy: Strings.askAdministrator) }
        guard !policy.settings.isEmpty else { return faults }
        return faults + [Check("policy", .ok, Strings.policyHolds(policy))]
    }

    private func broker(_ status: BrokerStatus.Result) -> Check {
        guard status.version == ProtocolVersion.release else {
            return Check(
                "broker", .warning, Strings.otherRelease(status.version), remedy: Strings.restartBroker)
        }
        guard status.isReplaced != true else {
            return Check("broker", .warning, Strings.replacedProgram, remedy: Strings.restartBroker)
        }
        return Check("broker", .ok, Strings.broker(status))
    }

    /// The programs that asked; nothing where this one may not know.
    private func clients(_ connection: Connection) async -> [Check] {
        do {
            let clients = try await connection.call(ListClients.self, Nothing()).clients
            guard !clients.isEmpty else { return [Check("clients", .ok, Strings.noClients)] }
            let waiting = clients.first { $0.decision == .waiting }
            return [
                Check(
                    "clients", waiting == nil ? .ok : .warning, Strings.clients(clients),
                    remedy: waiting.map(Strings.approveClient))
            ]
        } catch {
            let error = CommandError(any: error)
            return [Check("clients", .warning, error.message, remedy: error.hint)]
        }
    }

    /// What is installed, as far as the broker says it, and what that means.
    private func providers(_ connection: Connection) async -> (providers: [InstalledProvider], checks: [Check]) {
        do {
            let list = try await connection.call(ListProviders.self, Nothing())
            let missing = (list.missing ?? []).map { identifier in
                Check(
                    "provider:\(identifier)", .warning, Strings.providerVanished(identifier),
                    remedy: Strings.installAgain)
            }
            return (list.providers, providers(list.providers) + missing)
        } catch {
            let error = CommandError(any: error)
            return ([], [Check("providers", .failed, error.message, remedy: error.hint)])
        }
    }

    private func providers(_ providers: [InstalledProvider]) -> [Check] {
        guard !providers.isEmpty else {
            return [Check("providers", .failed, Strings.noProviderInstalled, remedy: Strings.reinstall)]
        }
        let broken = providers.compactMap { provider in
            provider.problem.map { Check("provider:\(provider.reference.identifier)", .failed, $0) }
        }
        let changed = providers.filter(\.hasChanged).map { provider in
            Check(
                "provider:\(provider.reference.identifier)", .warning, Strings.providerChanged(provider.reference.name),
                remedy: "keyway providers enable \(provider.reference.identifier)")
        }
        let enabled = providers.filter(\.isEnabled)
        guard enabled.isEmpty else {
            return [Check("providers", .ok, enabled.map(Strings.provider).joined(separator: "; "))] + changed + broken
        }
        let usable = providers.filter { $0.problem == nil }.map(\.reference.identifier)
        // The one in the box first: it needs no other program.
        let command =
            usable.contains(PasswordsProvider.identifier)
            ? "keyway setup" : usable.first.map { "keyway providers enable \($0)" }
        // What the person had on comes before what they could have.
        let remedy = changed.first?.remedy ?? command
        return [Check("providers", .warning, Strings.noProviderEnabled, remedy: remedy)] + changed + broken
    }

    private func backup(_ status: VaultStatus.Result) -> Check {
        guard let note = status.backup else {
            return Check("backup", .warning, Strings.noBackupMade, remedy: Strings.makeBackup)
        }
        return Check("backup", .ok, Strings.backupMade(note))
    }

    private func vault(_ providers: [InstalledProvider]) async -> [Check] {
        guard providers.contains(where: { $0.reference.identifier == PasswordsProvider.identifier && $0.isEnabled })
        else { return [] }
        do {
            let status = try await VaultDoor(context: context).open { service in
                try await service.call(VaultStatus.self, Nothing())
            }
            switch status.access {
            case .missing: return [Check("vault", .warning, Strings.noVault, remedy: "keyway setup")]
            case .locked:
                if let problem = status.problem { return [Check("vault", .failed, problem)] }
                return [Check("vault", .ok, Strings.vaultAtLocked(status.path)), backup(status)]
            case .open: return [Check("vault", .ok, Strings.vaultOpen(status)), backup(status)]
            }
        } catch {
            let error = CommandError(any: error)
            return [Check("vault", .failed, error.message, remedy: error.hint)]
        }
    }
}
