import Foundation

/// The heart of a provider's extension: a subclass of it answers the system's requests.
///
/// For every request the system makes a new controller, loads its view, and calls exactly one of the methods below. The
/// controller ends the request through ``extensionContext``. The implementations here end it with a failure, except that
/// requests for passwords go on to the older methods, which take an ``ASPasswordCredentialIdentity``.
@MainActor
open class ASCredentialProviderViewController: UIViewController {
    /// The request's context; replaced before the view is loaded.
    package var requestContext = ASCredentialProviderExtensionContext()

    /// Ends the request.
    open var extensionContext: ASCredentialProviderExtensionContext { requestContext }

    // MARK: A list

    /// Prepares a list of credentials to choose from. `serviceIdentifiers`, most specific first, help to sort it; all
    /// credentials must be in reach, also when none fits and when there is no identifier.
    open func prepareCredentialList(for serviceIdentifiers: [ASCredentialServiceIdentifier]) {
        cancelAsUnsupported()
    }

    // MARK: One credential

    /// Provides the credential of a suggestion that the person chose, at once and without an interface. Where the person
    /// is needed first, the request is cancelled with `userInteractionRequired` and comes back through
    /// ``prepareInterfaceToProvideCredential(for:)-(ASCredentialRequest)``.
    open func provideCredentialWithoutUserInteraction(for credentialRequest: any ASCredentialRequest) {
        guard let identity = credentialRequest.passwordIdentity else { return cancelAsUnsupported() }
        (self as any PasswordIdentityEntries).provideCredentialWithoutUserInteraction(for: identity)
    }

    /// The older form for passwords.
    @available(*, deprecated, message: "Override the form that takes an ASCredentialRequest.")
    open func provideCredentialWithoutUserInteraction(for credentialIdentity: ASPasswordCredentialIdentity) {
        cancelAsUnsupported()
    }

    /// Prepares the interface that is needed before the chosen credential can be provided, to unlock it for example.
    open func prepareInterfaceToProvideCredential(for credentialRequest: any ASCredentialRequest) {
        guard let identity = credentialRequest.passwordIdentity else { return cancelAsUnsupported() }
        (self as any PasswordIdentityEntries).prepareInterfaceToProvideCredential(for: identity)
    }

    /// The older form for passwords.
    @available(*, deprecated, message: "Override the form that takes an ASCredentialRequest.")
    open func prepareInterfaceToProvideCredential(for credentialIdentity: ASPasswordCredentialIdentity) {
        cancelAsUnsupported()
    }

    // MARK: Configuration

    /// Prepares the interface for setting the provider up, when the person turned it on. Called only where its
    /// Info.plist says that there is one.
    open func prepareInterfaceForExtensionConfiguration() {
        cancelAsUnsupported()
    }

    // MARK: Interface

    /// Receives what the person did. This implementation ends the request with `userCanceled` when the person backed out;
    /// the system does so in any case when the request is still open afterwards.
    open override func interface(didReceive event: InterfaceEvent) {
        if case .cancelled = event { extensionContext.cancelRequest(withError: ASExtensionError(.userCanceled)) }
    }

    private func cancelAsUnsupported() {
        extensionContext.cancelRequest(withError: ASExtensionError(.failed))
    }
}

/// The older methods under their own names but without the deprecation, for the one place that must call them.
@MainActor
private protocol PasswordIdentityEntries {
    func provideCredentialWithoutUserInteraction(for credentialIdentity: ASPasswordCredentialIdentity)
    func prepareInterfaceToProvideCredential(for credentialIdentity: ASPasswordCredentialIdentity)
}

extension ASCredentialProviderViewController: PasswordIdentityEntries {}

extension ASCredentialRequest {
    /// The identity of a request for a password.
    fileprivate var passwordIdentity: ASPasswordCredentialIdentity? {
        type == .password ? credentialIdentity as? ASPasswordCredentialIdentity : nil
    }
}
