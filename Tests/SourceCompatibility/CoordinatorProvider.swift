import AuthenticationServices
import LocalAuthentication

/// A provider with screens of their own: an unlock screen that is presented, a list that is a child, and a delegate that
/// hears what they did. The person is verified in the provider's own interface.
final class CoordinatorProvider: ASCredentialProviderViewController {
    private var pending: (() -> Void)?
    private var serviceIdentifiers: [ASCredentialServiceIdentifier] = []
    private lazy var list = ListScreen(delegate: self)
    private(set) var wasVerified = false

    override func viewDidLoad() {
        super.viewDidLoad()
        list.loadViewIfNeeded()
    }

    override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        preferredContentSize = CGSize(width: 320, height: 480)
    }

    override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        Task { await verify() }
    }

    override func prepareCredentialList(for serviceIdentifiers: [ASCredentialServiceIdentifier]) {
        self.serviceIdentifiers = serviceIdentifiers
        pending = { [unowned self] in install(list) }
    }

    override func prepareInterfaceToProvideCredential(for credentialRequest: any ASCredentialRequest) {
        guard let request = credentialRequest as? ASPasswordCredentialRequest else {
            let error = NSError(
                domain: ASExtensionErrorDomain, code: ASExtensionError.Code.failed.rawValue,
                userInfo: [
                    NSLocalizedDescriptionKey: "Passwords only", ASExtensionLocalizedFailureReasonErrorKey: "No.",
                ])
            extensionContext.cancelRequest(withError: error)
            return
        }
        pending = { [weak self] in self?.choose(request.credentialIdentity.recordIdentifier) }
    }

    override func prepareInterfaceForExtensionConfiguration() {
        let welcome = UnlockScreen()
        welcome.onUnlock = { [weak self] in
            self?.dismiss(animated: true) { self?.extensionContext.completeExtensionConfigurationRequest() }
        }
        present(welcome, animated: true)
    }

    /// What the person can be asked by the system is asked there; else the provider's own screen asks.
    private func verify() async {
        guard let pending else { return }
        let context = LAContext()
        var reason: NSError?
        if context.canEvaluatePolicy(.deviceOwnerAuthentication, error: &reason) {
            do {
                try await context.evaluatePolicy(
                    .deviceOwnerAuthentication, localizedReason: "Show the list of accounts")
                wasVerified = true
                return pending()
            } catch LAError.userCancel {
                return extensionContext.cancelRequest(withError: ASExtensionError(.userCanceled))
            } catch {
                reason = error as NSError
            }
        }
        let unlock = UnlockScreen()
        unlock.onUnlock = { [unowned unlock] in
            unlock.dismiss(animated: true, completion: pending)
        }
        present(unlock, animated: true, completion: nil)
    }

    private func install(_ child: UIViewController) {
        for old in children {
            old.willMove(toParent: nil)
            old.removeFromParent()
        }
        addChild(child)
        child.didMove(toParent: self)
    }

    fileprivate func choose(_ record: String?) {
        guard let record, let account = AccountStore.shared[record] else {
            extensionContext.cancelRequest(withError: ASExtensionError(.credentialIdentityNotFound))
            return
        }
        let credential = ASPasswordCredential(user: account.user, password: account.password)
        extensionContext.completeRequest(withSelectedCredential: credential) { expired in
            if !expired { AccountStore.shared.save() }
        }
    }
}

@MainActor
protocol ListScreenDelegate: AnyObject {
    func listScreen(_ screen: ListScreen, didChoose record: String)
    func listScreenDidCancel(_ screen: ListScreen)
}

extension CoordinatorProvider: ListScreenDelegate {
    func listScreen(_ screen: ListScreen, didChoose record: String) { choose(record) }

    func listScreenDidCancel(_ screen: ListScreen) {
        extensionContext.cancelRequest(withError: ASExtensionError(.userCanceled))
    }
}

final class ListScreen: UIViewController {
    private weak var delegate: (any ListScreenDelegate)?

    init(delegate: any ListScreenDelegate) {
        self.delegate = delegate
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) {
        fatalError("init(coder:) has not been implemented")
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        let rows = AccountStore.shared.all.map { InterfaceList.Row(id: $0.id, title: $0.user) }
        interface = .list(InterfaceList(title: "Accounts", sections: [.init(rows: rows)]))
    }

    override func interface(didReceive event: InterfaceEvent) {
        switch event {
        case .chose(let row): delegate?.listScreen(self, didChoose: row)
        case .cancelled: delegate?.listScreenDidCancel(self)
        default: break
        }
    }
}

final class UnlockScreen: UIViewController {
    var onUnlock: (() -> Void)?

    override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        let field = InterfaceForm.Field(id: "master", label: "Master password", kind: .secure)
        interface = .form(InterfaceForm(title: "Unlock", fields: [field], submitTitle: "Unlock"))
    }

    override func interface(didReceive event: InterfaceEvent) {
        if case .submitted = event { onUnlock?() }
    }
}
