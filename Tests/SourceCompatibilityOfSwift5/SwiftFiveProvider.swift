import AuthenticationServices
import CryptoKit

/// A provider in language mode 5, as most shipping ones are: its helpers know nothing of actors, and speak with controllers
/// all the same. On Apple's systems that compiles without a warning, because what is imported counts as written before
/// concurrency.
final class SwiftFiveProvider: ASCredentialProviderViewController {
    let router = Router()

    override func viewDidLoad() {
        super.viewDidLoad()
        router.root = self
    }

    override func prepareCredentialList(for serviceIdentifiers: [ASCredentialServiceIdentifier]) {
        router.fail(with: "Nothing here.")
    }
}

/// Shows screens; isolated to nothing.
class Router {
    weak var root: ASCredentialProviderViewController?
    let field = UITextField()

    func fail(with message: String) {
        field.resignFirstResponder()
        let alert = UIAlertController(title: "Failed", message: message, preferredStyle: .alert)
        alert.addAction(UIAlertAction(title: "OK", style: .cancel, handler: { _ in self.cancel() }))
        root?.present(alert, animated: true)
    }

    func cancel() {
        root?.view.endEditing(true)
        root?.extensionContext.cancelRequest(
            withError: NSError(domain: ASExtensionErrorDomain, code: ASExtensionError.userCanceled.rawValue))
    }
}

/// Signs an app in; a delegate that is isolated to nothing.
class SignInCoordinator: NSObject, ASAuthorizationControllerDelegate,
    ASAuthorizationControllerPresentationContextProviding
{
    let window: UIWindow
    var completion: ((ASAuthorization?) -> Void)?

    init(window: UIWindow) {
        self.window = window
    }

    func start() {
        let request = ASAuthorizationPlatformPublicKeyCredentialProvider(relyingPartyIdentifier: "example.org")
            .createCredentialAssertionRequest(challenge: Data(SHA256.hash(data: Data())))
        let controller = ASAuthorizationController(authorizationRequests: [request])
        controller.delegate = self
        controller.presentationContextProvider = self
        controller.performRequests()
    }

    func presentationAnchor(for controller: ASAuthorizationController) -> ASPresentationAnchor { window }

    func authorizationController(
        controller: ASAuthorizationController, didCompleteWithAuthorization authorization: ASAuthorization
    ) {
        DispatchQueue.main.async { self.completion?(authorization) }
    }

    func authorizationController(controller: ASAuthorizationController, didCompleteWithError error: Error) {
        completion?(nil)
    }
}
