import AutoFillWire
import BrokerBase
import IdentityIndex
import KeywaySystem
import ProviderHosting

/// The identity stores and the noted versions, for the processes of their providers.
struct StoresOfProviders: ProviderStores {
    let stores: IdentityStores
    let clock: any TimeSource

    func addMethods(
        to table: inout MethodTable, for provider: String,
        checked: @escaping @Sendable () async throws(ProtocolError) -> String
    ) {
        IdentityMethods(stores: stores, clock: clock).add(to: &table) { _ throws(ProtocolError) in
            try await checked()
        }
        VersionMethods(stores: stores).add(to: &table, for: provider)
    }

    func dropWrites(of owner: ObjectIdentifier, for provider: String) async {
        try? await stores.use(provider) { await $0.writer.dropWrites(of: owner) }
    }
}
