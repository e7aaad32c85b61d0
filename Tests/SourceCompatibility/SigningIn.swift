import AuthenticationServices

// Only the imports differ from an application for Apple's systems that signs in, and upgrades a password by itself.

@MainActor
final class SignInModel: NSObject, ASAuthorizationControllerDelegate,
    ASAuthorizationControllerPresentationContextProviding
{
    let challenge = Data(count: 32)
    let id = Data(count: 16)
    let provider = ASAuthorizationPlatformPublicKeyCredentialProvider(relyingPartyIdentifier: "example.org")
    private(set) var sent: [Data] = []
    private(set) var problem: ASAuthorizationError.Code?
    private(set) var done: (() -> Void)?

    func signIn(done: @escaping () -> Void) {
        self.done = done
        let controller = ASAuthorizationController(authorizationRequests: [
            ASAuthorizationPasswordProvider().createRequest(),
            provider.createCredentialAssertionRequest(challenge: challenge),
        ])
        controller.delegate = self
        controller.presentationContextProvider = self
        controller.performRequests(options: .preferImmediatelyAvailableCredentials)
    }

    func presentationAnchor(for controller: ASAuthorizationController) -> ASPresentationAnchor {
        ASPresentationAnchor()
    }

    func authorizationController(
        controller: ASAuthorizationController, didCompleteWithAuthorization authorization: ASAuthorization
    ) {
        switch authorization.credential {
        case let password as ASPasswordCredential:
            sent.append(Data(password.user.utf8))
        case let assertion as ASAuthorizationPlatformPublicKeyCredentialAssertion:
            sent += [assertion.signature, assertion.rawAuthenticatorData, assertion.rawClientDataJSON]
        default:
            break
        }
        done?()
    }

    func authorizationController(controller: ASAuthorizationController, didCompleteWithError error: Error) {
        guard let error = error as? ASAuthorizationError else { return }
        switch error.code {
        case .canceled: problem = nil
        default: problem = error.code
        }
        done?()
    }
}

@MainActor
struct UpgradeView {
    @Environment(\.authorizationController) private var authorizationController
    @Environment(\.credentialDataManager) private var credentialDataManager

    func upgrade(_ model: SignInModel, send: (Data?, Data) -> Void) async throws {
        let upgrade = model.provider.createCredentialRegistrationRequest(
            challenge: model.challenge, name: "ada", userID: model.id,
            requestStyle: .conditional)
        switch try await authorizationController.performRequest(upgrade) {
        case .passkeyRegistration(let passkey): send(passkey.rawAttestationObject, passkey.rawClientDataJSON)
        default: break
        }
    }

    func forget(_ user: String) async throws {
        try await credentialDataManager.reportUnusedPasswordCredential(domain: "example.org", userName: user)
    }
}
