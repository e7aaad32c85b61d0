import AuthenticationServices

/// What the system may suggest: who has an account where, and never a secret.
enum Suggestions {
    /// Tells the system everything, where the person has turned the provider on. Call it whenever the store has changed.
    static func publish(_ accounts: [SampleStore.Account]) async {
        let store = ASCredentialIdentityStore.shared
        guard await store.state().isEnabled else { return }
        let identities = accounts.map { account in
            ASPasswordCredentialIdentity(
                serviceIdentifier: ASCredentialServiceIdentifier(identifier: account.domain, type: .domain),
                user: account.user, recordIdentifier: account.id)
        }
        // A store that is busy takes them the next time.
        try? await store.replaceCredentialIdentities(identities)
    }
}
