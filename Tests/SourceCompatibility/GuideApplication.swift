import AuthenticationServices

/// Keeps an account where the extension finds it, and tells the system of it. Called by the app.
func keep(_ notebook: Data, of user: String, at domain: String, record: String) async throws {
    let group = "group.org.example.notebook"
    guard let folder = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: group) else {
        throw ASCredentialIdentityStoreError(.storeDisabled)
    }
    try notebook.write(to: folder.appending(path: "notebook"), options: .atomic)
    let service = ASCredentialServiceIdentifier(identifier: domain, type: .domain)
    let identity = ASPasswordCredentialIdentity(serviceIdentifier: service, user: user, recordIdentifier: record)
    try await ASCredentialIdentityStore.shared.saveCredentialIdentities([identity as any ASCredentialIdentity])
}

/// Asks the person to turn the extension on, where it is off. Called by the app when somebody opens it.
func offer() async -> Bool {
    if await ASCredentialIdentityStore.shared.state().isEnabled { return true }
    return await ASSettingsHelper.requestToTurnOnCredentialProviderExtension()
}
