import AuthenticationServices

/// The shape of macOS: `NSViewController`, life-cycle methods without arguments, a size, and a list as the first screen.
final class MacProvider: ASCredentialProviderViewController {
    private var appeared = false

    override func viewDidLoad() {
        super.viewDidLoad()
        preferredContentSize = NSSize(width: 480, height: 320)
    }

    override func viewWillAppear() {
        super.viewWillAppear()
        appeared = true
    }

    override func prepareCredentialList(for serviceIdentifiers: [ASCredentialServiceIdentifier]) {
        let controller = AccountsViewController()
        controller.onChoose = { [weak self] in self?.passwordSelected($0) }
        addChild(controller)
    }

    private func passwordSelected(_ account: Account) {
        let passwordCredential = ASPasswordCredential(user: account.user, password: account.password)
        self.extensionContext.completeRequest(
            withSelectedCredential: passwordCredential, completionHandler: nil)
    }
}

final class AccountsViewController: NSViewController {
    var onChoose: ((Account) -> Void)?

    init() {
        super.init(nibName: nil, bundle: nil)
        title = "Accounts"
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) {
        fatalError("init(coder:) has not been implemented")
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        let rows = AccountStore.shared.all.map { InterfaceList.Row(id: $0.id, title: $0.user) }
        interface = .list(InterfaceList(title: title ?? "", sections: [.init(rows: rows)]))
    }

    override func interface(didReceive event: InterfaceEvent) {
        guard case .chose(let row) = event, let account = AccountStore.shared[row] else { return }
        onChoose?(account)
    }
}
