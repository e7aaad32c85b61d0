import AuthenticationServices

final class NotebookProvider: ASCredentialProviderViewController {
    /// Stands for your own storage.
    private var notebook: [String: (user: String, password: String)] {
        ["7": (user: "ada", password: "correct horse battery staple")]
    }

    /// A suggestion was chosen. Answer at once, without an interface.
    override func provideCredentialWithoutUserInteraction(for credentialRequest: any ASCredentialRequest) {
        provide(credentialRequest.credentialIdentity.recordIdentifier)
    }

    /// The person wants to choose. Describe a list; the system draws it when this method has returned.
    override func prepareCredentialList(for serviceIdentifiers: [ASCredentialServiceIdentifier]) {
        let rows = notebook.map { InterfaceList.Row(id: $0.key, title: $0.value.user) }
        interface = .list(
            InterfaceList(title: "Notebook", sections: [.init(rows: rows)], emptyText: "The notebook is empty."))
    }

    /// The person did something. Backing out is handled by `super`.
    override func interface(didReceive event: InterfaceEvent) {
        super.interface(didReceive: event)
        if case .chose(let row) = event { provide(row) }
    }

    private func provide(_ record: String?) {
        guard let record, let entry = notebook[record] else {
            return extensionContext.cancelRequest(withError: ASExtensionError(.credentialIdentityNotFound))
        }
        extensionContext.completeRequest(
            withSelectedCredential: ASPasswordCredential(user: entry.user, password: entry.password))
    }
}

/// Tells the system what to suggest. Call it from the extension, whenever the notebook has changed.
func publish(_ users: [(record: String, user: String, domain: String)]) async throws {
    let store = ASCredentialIdentityStore.shared
    guard await store.state().isEnabled else { return }
    try await store.replaceCredentialIdentities(
        users.map {
            let service = ASCredentialServiceIdentifier(identifier: $0.domain, type: .domain)
            return ASPasswordCredentialIdentity(serviceIdentifier: service, user: $0.user, recordIdentifier: $0.record)
        })
}
