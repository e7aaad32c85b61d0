import AuthenticationServices
import SampleAccounts

/// The extension of the sample manager: it answers from what the app keeps in the folder that they share.
@main
final class SampleProvider: ASCredentialProviderViewController {
    override func provideCredentialWithoutUserInteraction(for credentialRequest: any ASCredentialRequest) {
        provide(credentialRequest.credentialIdentity.recordIdentifier)
    }

    override func prepareCredentialList(for serviceIdentifiers: [ASCredentialServiceIdentifier]) {
        let accounts = (try? AccountFile()?.read()) ?? []
        interface = .list(
            InterfaceList(
                title: "Sample Manager",
                sections: [
                    .init(rows: accounts.map { .init(id: $0.record, title: $0.user, subtitle: $0.domain) })
                ],
                emptyText: "The app keeps no account yet."))
    }

    override func interface(didReceive event: InterfaceEvent) {
        super.interface(didReceive: event)
        if case .chose(let record) = event { provide(record) }
    }

    private func provide(_ record: String?) {
        guard let file = AccountFile(), let account = try? file.read().first(where: { $0.record == record }) else {
            return extensionContext.cancelRequest(withError: ASExtensionError(.credentialIdentityNotFound))
        }
        extensionContext.completeRequest(
            withSelectedCredential: ASPasswordCredential(user: account.user, password: account.password))
    }
}
