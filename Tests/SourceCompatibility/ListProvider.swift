import AuthenticationServices

struct Account: Identifiable {
    let id: String
    let user: String
    let password: String
}

/// What a provider's own store may look like.
@MainActor
final class AccountStore {
    static let shared = AccountStore()
    var isUnlocked = true
    var all = [Account(id: "7", user: "ada", password: "correct horse")]

    subscript(id: String) -> Account? { all.first { $0.id == id } }

    func accounts(preferring identifiers: [String]) -> [Account] { all }

    /// What is done late, when the system has the credential.
    func save() {}

    var allIdentities: [any ASCredentialIdentity] {
        let service = ASCredentialServiceIdentifier(identifier: "example.org", type: .domain)
        return all.map {
            ASPasswordCredentialIdentity(serviceIdentifier: service, user: $0.user, recordIdentifier: $0.id)
        }
    }
}

/// A list, one choice, or none.
final class CredentialProviderViewController: ASCredentialProviderViewController {
    private let store = AccountStore.shared
    private var accounts: [Account] = []

    override func viewDidLoad() {
        super.viewDidLoad()
        title = "Accounts"
    }

    override func prepareCredentialList(for serviceIdentifiers: [ASCredentialServiceIdentifier]) {
        accounts = store.accounts(preferring: serviceIdentifiers.map(\.identifier))
        interface = .list(
            InterfaceList(
                title: "Accounts", sections: [.init(rows: accounts.map { .init(id: $0.id, title: $0.user) })],
                emptyText: "There are no accounts yet."))
    }

    override func interface(didReceive event: InterfaceEvent) {
        switch event {
        case .chose(let row):
            if let account = accounts.first(where: { $0.id == row }) { choose(account) }
        case .cancelled: cancel()
        default: break
        }
    }

    func choose(_ account: Account) {
        let credential = ASPasswordCredential(user: account.user, password: account.password)
        extensionContext.completeRequest(withSelectedCredential: credential, completionHandler: nil)
    }

    func cancel() {
        extensionContext.cancelRequest(
            withError: NSError(
                domain: ASExtensionErrorDomain,
                code: ASExtensionError.userCanceled.rawValue))
    }
}
