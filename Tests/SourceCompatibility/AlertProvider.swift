import AuthenticationServices

/// A provider that says what is wrong in alerts and shows its screens in a stack.
class AlertProvider: ASCredentialProviderViewController {
    private let screens: UINavigationController
    private var problem: String?

    override init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
        screens = UINavigationController(rootViewController: UIViewController())
        super.init(nibName: nibNameOrNil, bundle: nibBundleOrNil)
    }

    required init?(coder aDecoder: NSCoder) {
        fatalError("init(coder:) has not been implemented")
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        modalPresentationStyle = .popover
        screens.willMove(toParent: self)
        addChild(screens)
        screens.didMove(toParent: self)
    }

    override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        guard let problem else { return }
        let alert = UIAlertController(title: "Unlock Failed", message: problem, preferredStyle: .alert)
        alert.addAction(
            UIAlertAction(title: "OK", style: .default) { [weak self] _ in
                self?.extensionContext.cancelRequest(
                    withError: NSError(
                        domain: ASExtensionErrorDomain, code: ASExtensionError.failed.rawValue,
                        userInfo: [NSLocalizedDescriptionKey: problem]))
            })
        alert.addAction(UIAlertAction(title: "Try Again", style: .cancel, handler: nil))
        present(alert, animated: true)
    }

    // A label of its own, and the protocol without `any`, as older code has it.
    override func prepareInterfaceToProvideCredential(for request: ASCredentialRequest) {
        problem = "No encryption key found."
    }

    override func prepareCredentialList(for serviceIdentifiers: [ASCredentialServiceIdentifier]) {
        let list = ListScreen(delegate: self)
        screens.pushViewController(list, animated: false)
    }

    override func prepareInterface(forPasskeyRegistration registrationRequest: ASCredentialRequest) {
        guard let request = registrationRequest as? ASPasskeyCredentialRequest,
            let identity = request.credentialIdentity as? ASPasskeyCredentialIdentity
        else { return cancel(.failed) }
        let published = ASPasskeyCredentialIdentity(
            relyingPartyIdentifier: identity.relyingPartyIdentifier, userName: identity.userName,
            credentialID: Data([3]), userHandle: identity.userHandle,
            recordIdentifier: identity.credentialID.base64EncodedString())
        let credential = ASPasskeyRegistrationCredential(
            relyingParty: identity.relyingPartyIdentifier, clientDataHash: request.clientDataHash,
            credentialID: Data([3]), attestationObject: Data())
        ASCredentialIdentityStore.shared.saveCredentialIdentities([published]) { success, _ in
            Task { @MainActor in
                guard success else { return self.cancel(.failed) }
                self.extensionContext.completeRegistrationRequest(using: credential) { expired in
                    Task { @MainActor in
                        guard expired else { return }
                        ASCredentialIdentityStore.shared.removeCredentialIdentities([published]) { _, _ in }
                    }
                }
            }
        }
    }

    private func cancel(_ code: ASExtensionError.Code = .userCanceled) {
        extensionContext.cancelRequest(withError: NSError(domain: ASExtensionErrorDomain, code: code.rawValue))
    }
}

extension AlertProvider: ListScreenDelegate {
    func listScreen(_ screen: ListScreen, didChoose record: String) {
        screen.navigationController?.popViewController(animated: true)
        extensionContext.completeRequest(
            withSelectedCredential: ASPasswordCredential(user: record, password: "x"), completionHandler: nil)
    }

    func listScreenDidCancel(_ screen: ListScreen) { cancel() }
}
