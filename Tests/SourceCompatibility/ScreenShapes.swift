import AuthenticationServices

/// A controller that overrides what controllers of shipping managers override, and keeps views of its own.
final class ScreenProvider: ASCredentialProviderViewController {
    private(set) var seen: [String] = []
    private lazy var field = UITextField()
    private let child = FramedScreen()

    override func loadView() {
        view = UIView(frame: CGRect(x: 0, y: 0, width: 420, height: 240))
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        child.willMove(toParent: self)
        addChild(child)
        view.addSubview(child.view)
        child.view.frame = view.bounds
        child.didMove(toParent: self)
        field.textContentType = .password
        field.isSecureTextEntry = true
        view.addSubview(field)
        overrideUserInterfaceStyle = .dark
        modalTransitionStyle = .crossDissolve
        setNeedsStatusBarAppearanceUpdate()
    }

    /// Takes the child away again, as coordinators do between two screens.
    func showAlone() {
        field.resignFirstResponder()
        view.endEditing(true)
        child.willMove(toParent: nil)
        child.view.removeFromSuperview()
        child.removeFromParent()
    }

    override func prepareCredentialList(for serviceIdentifiers: [ASCredentialServiceIdentifier]) {
        interface = .message(InterfaceMessage(title: "Screen", text: "", actions: [.init(id: "ok", title: "OK")]))
    }

    override func interface(didReceive event: InterfaceEvent) {
        super.interface(didReceive: event)
        guard case .activated = event else { return }
        let password = ASPasswordCredential(user: seen.joined(separator: " "), password: "x")
        extensionContext.completeRequest(withSelectedCredential: password)
    }

    // MARK: Status bar, traits, layout, transitions

    override var preferredStatusBarStyle: UIStatusBarStyle { .lightContent }
    override var prefersStatusBarHidden: Bool { true }
    override var childForStatusBarStyle: UIViewController? { child }
    override var supportedInterfaceOrientations: UIInterfaceOrientationMask { [.portrait, .landscape] }

    override func traitCollectionDidChange(_ previousTraitCollection: UITraitCollection?) {
        super.traitCollectionDidChange(previousTraitCollection)
        guard traitCollection.hasDifferentColorAppearance(comparedTo: previousTraitCollection) else { return }
        if traitCollection.userInterfaceStyle == .dark { seen.append("dark") }
    }

    override func viewWillLayoutSubviews() {
        super.viewWillLayoutSubviews()
        seen.append("will")
    }

    override func viewDidLayoutSubviews() {
        super.viewDidLayoutSubviews()
        seen.append("did")
    }

    override func viewWillTransition(to size: CGSize, with coordinator: UIViewControllerTransitionCoordinator) {
        super.viewWillTransition(to: size, with: coordinator)
        coordinator.animate { _ in
            self.view.frame.size = size
        } completion: { _ in
            self.view.layoutIfNeeded()
        }
    }

    override func willTransition(
        to newCollection: UITraitCollection, with coordinator: UIViewControllerTransitionCoordinator
    ) {
        super.willTransition(to: newCollection, with: coordinator)
        coordinator.animate(alongsideTransition: nil, completion: nil)
    }

    override func didReceiveMemoryWarning() { super.didReceiveMemoryWarning() }

    // MARK: Keys, presses, responder

    override var canBecomeFirstResponder: Bool { true }

    override var keyCommands: [UIKeyCommand]? {
        [UIKeyCommand(title: "Cancel", input: UIKeyCommand.inputEscape, modifierFlags: [])]
    }

    override func pressesBegan(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        if presses.contains(where: { $0.key?.characters == "\r" }) { return }
        super.pressesBegan(presses, with: event)
    }

    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
        super.touchesBegan(touches, with: event)
        view.endEditing(true)
    }

    override func setEditing(_ editing: Bool, animated: Bool) {
        super.setEditing(editing, animated: animated)
        if editing { becomeFirstResponder() } else { resignFirstResponder() }
    }
}

/// A screen with a designated initialiser of its own: no `required init()` is asked of it.
class FramedScreen: UIViewController {
    let reason: String

    init(reason: String = "unlock") {
        self.reason = reason
        super.init(nibName: nil, bundle: nil)
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) { nil }
}

/// A first controller with one, too; the system makes it by `init?(coder:)`, or a closure does.
class InjectedProvider: ASCredentialProviderViewController {
    private let vault: AccountStore

    init(vault: AccountStore) {
        self.vault = vault
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) {
        guard coder.decodeObject(forKey: "vault") == nil else { return nil }
        vault = .shared
        super.init(coder: coder)
    }

    override func provideCredentialWithoutUserInteraction(for credentialRequest: any ASCredentialRequest) {
        let account = vault.all[0]
        extensionContext.completeRequest(withSelectedCredential: .init(user: account.user, password: account.password))
    }
}

/// A view that arranges what is in it.
final class StackOfFields: UIView {
    private(set) var arranged = 0

    override init(frame: CGRect) {
        super.init(frame: frame)
        addSubview(UITextField(frame: .zero))
        setNeedsLayout()
    }

    required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    override func layoutSubviews() {
        super.layoutSubviews()
        for (index, view) in subviews.enumerated() { view.frame.origin.y = CGFloat(index * 44) }
        arranged += 1
    }
}

/// A delegate off the main actor hands what it got to it.
final class AuthorizationRelay: NSObject {
    let received: @MainActor (ASAuthorization) -> Void

    init(received: @escaping @MainActor (ASAuthorization) -> Void) {
        self.received = received
    }

    func relay(_ authorization: ASAuthorization) -> Task<Void, Never> {
        Task { [received] in await received(authorization) }
    }
}
