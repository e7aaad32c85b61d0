import AuthenticationServices

/// Telling the system what to suggest, in the ways in which providers write it.
@MainActor
final class IdentityUpdates {
    let system = ASCredentialIdentityStore.shared
    let store = AccountStore.shared

    /// Async, current forms.
    func update() async throws {
        let state = await system.state()
        guard state.isEnabled else { return }
        let service = ASCredentialServiceIdentifier(identifier: "example.org", type: .domain)
        let identity = ASPasswordCredentialIdentity(serviceIdentifier: service, user: "ada", recordIdentifier: "7")
        identity.rank = 2
        if state.supportsIncrementalUpdates {
            try await system.saveCredentialIdentities([identity])
        } else {
            try await system.replaceCredentialIdentities(store.allIdentities)
        }
    }

    /// Completion handlers, and the error read back from one.
    func signOut() {
        system.removeAllCredentialIdentities { done, error in
            if (error as? ASCredentialIdentityStoreError)?.code == .storeBusy { self.signOut() }
            self.store.isUnlocked = !done
        }
    }

    /// The older, password-only forms.
    func replaceInTheOldWay(_ identities: [ASPasswordCredentialIdentity]) {
        system.getState { state in
            guard state.isEnabled else { return }
            if state.supportsIncrementalUpdates {
                self.system.saveCredentialIdentities(identities, completion: nil)
            } else {
                self.system.replaceCredentialIdentities(with: identities) { _, error in
                    guard let error = error as NSError?, error.domain == ASCredentialIdentityStoreErrorDomain else {
                        return
                    }
                    self.store.isUnlocked = false
                }
            }
            self.system.removeCredentialIdentities(identities)
        }
    }

    /// Asking what the store holds.
    func knows(_ domain: String) async -> Bool {
        let service = ASCredentialServiceIdentifier(identifier: domain, type: .domain)
        let known = await system.credentialIdentities(
            forService: service, credentialIdentityTypes: [.password, .passkey])
        let all = await system.credentialIdentities()
        return !known.isEmpty || all.contains { $0.serviceIdentifier.identifier == domain }
    }
}

/// The protocol with which a provider replaces the store in its own tests.
protocol CredentialIdentityStoring {
    func state() async -> ASCredentialIdentityStoreState
    func saveCredentialIdentities(_ credentialIdentities: [any ASCredentialIdentity]) async throws
    func saveCredentialIdentities(_ credentialIdentities: [ASPasswordCredentialIdentity]) async throws
    func replaceCredentialIdentities(_ newCredentialIdentities: [any ASCredentialIdentity]) async throws
    func replaceCredentialIdentities(with newCredentialIdentities: [ASPasswordCredentialIdentity]) async throws
    func removeAllCredentialIdentities() async throws
}

extension ASCredentialIdentityStore: CredentialIdentityStoring {}

/// A state that a provider's tests make up.
class MockState: ASCredentialIdentityStoreState {
    override var isEnabled: Bool { true }
    override var supportsIncrementalUpdates: Bool { true }
}
