import AuthenticationServices

/// What the system was told to suggest. A seam: tests have a store of their own.
protocol SystemIdentities: Sendable {
    /// Whether the person turned the provider on, and whether the store holds anything.
    func state() async -> (isEnabled: Bool, holdsAny: Bool)
    /// All that it holds.
    func all() async -> [StoreIdentity]
    func save(_ identities: [StoreIdentity]) async throws
    func remove(_ identities: [StoreIdentity]) async throws
    func replace(_ identities: [StoreIdentity]) async throws
}

/// The system's own store.
struct SystemIdentityStore: SystemIdentities {
    func state() async -> (isEnabled: Bool, holdsAny: Bool) {
        let state = await ASCredentialIdentityStore.shared.state()
        return (state.isEnabled, state.supportsIncrementalUpdates)
    }

    func all() async -> [StoreIdentity] {
        await ASCredentialIdentityStore.shared.credentialIdentities().compactMap(StoreIdentity.init)
    }

    func save(_ identities: [StoreIdentity]) async throws {
        try await ASCredentialIdentityStore.shared.saveCredentialIdentities(identities.map(\.forSystem))
    }

    func remove(_ identities: [StoreIdentity]) async throws {
        try await ASCredentialIdentityStore.shared.removeCredentialIdentities(identities.map(\.forSystem))
    }

    func replace(_ identities: [StoreIdentity]) async throws {
        try await ASCredentialIdentityStore.shared.replaceCredentialIdentities(identities.map(\.forSystem))
    }
}
