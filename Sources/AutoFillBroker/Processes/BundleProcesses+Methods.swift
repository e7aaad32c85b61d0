import AutoFillProtocol
import Synchronization

/// Lets the methods of a process, which must exist before it does, find it.
final class PresentRelay: Sendable {
    let process = Mutex<BundleProcess?>(nil)
}

extension BundleProcesses {
    /// What a process of `bundle` may ask. Whose process it is was settled when it was started.
    nonisolated func methods(for bundle: ProviderBundle, _ relay: PresentRelay) -> MethodTable {
        var table = MethodTable()
        addIdentityMethods(&table, bundle.reference.identifier)
        table.on(ConnectService.self) { _, _ in
            ConnectService.Result(connection: try await self.connectService(of: bundle, for: .providerExtension))
        }
        table.on(ReceivedPresent.self) { parameters, _ in
            relay.process.withLock { $0 }?.present(parameters)
        }
        table.on(ServiceStateChanged.self) { parameters, _ in
            self.serviceChanged(bundle.reference.identifier, parameters.state)
        }
        return table
    }

    private nonisolated func addIdentityMethods(_ table: inout MethodTable, _ provider: String) {
        table.on(IdentityStoreState.self) { _, _ in
            let holdsAny = try await self.stores.use(provider) { try await $0.reader.holdsAny() }
            return IdentityStoreState.Result(isEnabled: true, supportsIncrementalUpdates: holdsAny)
        }
        table.on(WriteIdentities.self) { parameters, context in
            let owner = ObjectIdentifier(context.connection)
            let now = self.clock.now
            return try await self.stores.use(provider) { try await $0.writer.write(parameters, owner: owner, now: now) }
        }
        table.on(ReadIdentities.self) { parameters, _ in
            try await self.stores.use(provider) { try await $0.reader.read(parameters) }
        }
    }

    private nonisolated func serviceChanged(_ provider: String, _ state: ServiceState) {
        let before = states.set(provider, state)
        guard state == .locked, before == .ready else { return }
        log("\(provider) locked")
        Task { await endExtensions(of: provider) }
    }
}
