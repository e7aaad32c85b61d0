import AuthenticationServices

/// The older forms, which many providers still override.
final class OlderFormsProvider: ASCredentialProviderViewController {
    override func provideCredentialWithoutUserInteraction(for credentialIdentity: ASPasswordCredentialIdentity) {
        guard let record = credentialIdentity.recordIdentifier, let account = AccountStore.shared[record] else {
            let missing = ASExtensionError.Code.credentialIdentityNotFound
            extensionContext.cancelRequest(withError: NSError(domain: ASExtensionErrorDomain, code: missing.rawValue))
            return
        }
        let credential = ASPasswordCredential(user: account.user, password: account.password)
        extensionContext.completeRequest(withSelectedCredential: credential) { expired in
            if !expired { AccountStore.shared.save() }
        }
    }

    override func prepareInterfaceToProvideCredential(for credentialIdentity: ASPasswordCredentialIdentity) {
        extensionContext.cancelRequest(
            withError: ASExtensionError(
                .failed, userInfo: [ASExtensionLocalizedFailureReasonErrorKey: "Open the app first."]))
    }
}
