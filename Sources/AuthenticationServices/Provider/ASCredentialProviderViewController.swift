public import Foundation

/// The heart of a provider's extension: a subclass of it answers the system's requests.
///
/// For every request the system makes a new controller, loads its view, and calls exactly one of the methods below. The
/// controller ends the request through ``extensionContext``. The implementations here end it with a failure, except that
/// requests for passwords go on to the older methods, which take an ``ASPasswordCredentialIdentity``.
@preconcurrency
@MainActor
open class ASCredentialProviderViewController: UIViewController {
    /// The request's context; replaced before the view is loaded.
    package var requestContext = ASCredentialProviderExtensionContext()

    /// Ends the request.
    open override var extensionContext: ASCredentialProviderExtensionContext { requestContext }

    // MARK: Lists

    /// Prepares a list of credentials to choose from. `serviceIdentifiers`, most specific first, help to sort it; all
    /// credentials must be in reach, also when none fits and when there is no identifier.
    open func prepareCredentialList(for serviceIdentifiers: [ASCredentialServiceIdentifier]) {
        cancelAsUnsupported()
    }

    /// Prepares a list of passwords and passkeys, while a page or an application waits for a signature. The choice of a
    /// passkey signs what `requestParameters` say; a password may be given instead. This implementation prepares the list
    /// without passkeys.
    open func prepareCredentialList(
        for serviceIdentifiers: [ASCredentialServiceIdentifier],
        requestParameters: ASPasskeyCredentialRequestParameters
    ) {
        prepareCredentialList(for: serviceIdentifiers)
    }

    /// Prepares a list of accounts that have one-time codes.
    open func prepareOneTimeCodeCredentialList(for serviceIdentifiers: [ASCredentialServiceIdentifier]) {
        cancelAsUnsupported()
    }

    /// Prepares a list of anything whose text the person may want in a field.
    open func prepareInterfaceForUserChoosingTextToInsert() {
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

    // MARK: New passkeys

    /// Prepares the interface in which the person agrees to a new passkey. The request is an
    /// ``ASPasskeyCredentialRequest``.
    open func prepareInterface(forPasskeyRegistration registrationRequest: any ASCredentialRequest) {
        cancelAsUnsupported()
    }

    /// Makes a passkey for an account that has a password, where that needs nobody: at once and without an interface,
    /// then or later. Declining is an ordinary answer.
    open func performWithoutUserInteractionIfPossible(
        passkeyRegistration registrationRequest: ASPasskeyCredentialRequest
    ) {
        cancelAsUnsupported()
    }

    // MARK: New passwords

    /// Keeps a password, at once and without an interface. Where the person is needed first, the request is cancelled
    /// with `userInteractionRequired` and comes back through ``prepareInterface(for:)-(ASSavePasswordRequest)``.
    open func performWithoutUserInteractionIfPossible(savePasswordRequest: ASSavePasswordRequest) {
        cancelAsUnsupported()
    }

    /// Prepares the interface in which the person agrees that a password is kept.
    open func prepareInterface(for savePasswordRequest: ASSavePasswordRequest) {
        cancelAsUnsupported()
    }

    /// Offers new passwords, at once and without an interface; nothing is kept.
    open func performWithoutUserInteraction(generatePasswordsRequest: ASGeneratePasswordsRequest) {
        cancelAsUnsupported()
    }

    /// Prepares the interface in which the person makes a new password; nothing is kept.
    open func prepareInterface(for generatePasswordsRequest: ASGeneratePasswordsRequest) {
        cancelAsUnsupported()
    }

    // MARK: Setting codes up

    /// Prepares the interface in which the person says where the one-time codes of a link are kept; ended by
    /// `completeCodeSetup()`. Called only where the Info.plist declares `KeywaySetsUpOneTimeCodes`.
    open func prepareInterface(for codeSetup: KeywayCodeSetup) {
        cancelAsUnsupported()
    }

    // MARK: Reports

    /// A relying party says that an account has another name. Like all reports: without an interface, and no answer is
    /// expected. This implementation does nothing.
    open func reportPublicKeyCredentialUpdate(forRelyingParty relyingParty: String, userHandle: Data, newName: String) {
    }

    /// A relying party says that it does not know a passkey. This implementation does nothing.
    open func reportUnknownPublicKeyCredential(forRelyingParty relyingParty: String, credentialID: Data) {}

    /// A relying party says which passkeys it accepts for an account; all others of the account may go. This
    /// implementation does nothing.
    open func reportAllAcceptedPublicKeyCredentials(
        forRelyingParty relyingParty: String, userHandle: Data, acceptedCredentialIDs: [Data]
    ) {}

    /// A service says that an account has no password any more. This implementation does nothing.
    open func reportUnusedPasswordCredential(forDomain domain: String, userName: String) {}

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
