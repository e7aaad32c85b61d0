import AuthenticationServices

/// One chosen suggestion, first without interface.
final class RequestProvider: ASCredentialProviderViewController {
    private let store = AccountStore.shared
    private var request: (any ASCredentialRequest)?

    override func provideCredentialWithoutUserInteraction(for credentialRequest: any ASCredentialRequest) {
        guard store.isUnlocked else {
            return extensionContext.cancelRequest(withError: ASExtensionError(.userInteractionRequired))
        }
        switch credentialRequest.type {
        case .password:
            guard let identity = credentialRequest.credentialIdentity as? ASPasswordCredentialIdentity,
                let id = identity.recordIdentifier, let account = store[id]
            else { return extensionContext.cancelRequest(withError: ASExtensionError(.credentialIdentityNotFound)) }
            extensionContext.completeRequest(
                withSelectedCredential: .init(user: account.user, password: account.password))
        default:
            extensionContext.cancelRequest(withError: ASExtensionError(.failed))
        }
    }

    override func prepareInterfaceToProvideCredential(for credentialRequest: ASCredentialRequest) {
        request = credentialRequest
        let field = InterfaceForm.Field(id: "password", label: "Password", kind: .secure)
        interface = .form(InterfaceForm(title: "Unlock", fields: [field], submitTitle: "Unlock"))
    }

    override func prepareInterfaceForExtensionConfiguration() {
        extensionContext.completeExtensionConfigurationRequest()
    }
}

/// A provider with initialisers of its own, as UIKit has them.
class InitialisedProvider: ASCredentialProviderViewController {
    let store: AccountStore

    override init(nibName: String?, bundle: Bundle?) {
        store = .shared
        super.init(nibName: nibName, bundle: bundle)
    }

    required init?(coder: NSCoder) {
        store = .shared
        super.init(coder: coder)
    }
}
