import AuthenticationServices
import LocalAuthentication

/// One provider with everything that providers commonly do, in the words in which they write it.
final class UsageProvider: ASCredentialProviderViewController {
    private let store = UsageStore()
    private var accounts: [Account] = []

    // MARK: A list, one choice, or none

    override func viewDidLoad() { super.viewDidLoad() }

    override func prepareCredentialList(for serviceIdentifiers: [ASCredentialServiceIdentifier]) {
        accounts = store.accounts(preferring: serviceIdentifiers.map(\.identifier))
        choose(accounts[0])
    }

    func choose(_ account: Account) {
        let credential = ASPasswordCredential(user: account.user, password: account.password)
        extensionContext.completeRequest(withSelectedCredential: credential, completionHandler: nil)
    }

    func cancel() {
        extensionContext.cancelRequest(
            withError: NSError(
                domain: ASExtensionErrorDomain,
                code: ASExtensionError.userCanceled.rawValue))
    }

    // MARK: One chosen suggestion, first without interface

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
        case .passkeyAssertion:
            guard let request = credentialRequest as? ASPasskeyCredentialRequest else { return }
            Task { await extensionContext.completeAssertionRequest(using: try sign(request)) }
        case .oneTimeCode:
            Task {
                await extensionContext.completeOneTimeCodeRequest(using: ASOneTimeCodeCredential(code: store.code()))
            }
        default:
            extensionContext.cancelRequest(withError: ASExtensionError(.failed))
        }
    }

    // MARK: The old forms

    override func provideCredentialWithoutUserInteraction(for credentialIdentity: ASPasswordCredentialIdentity) {
        extensionContext.cancelRequest(withError: ASExtensionError(.failed))
    }

    // MARK: Codes and text

    override func prepareOneTimeCodeCredentialList(for serviceIdentifiers: [ASCredentialServiceIdentifier]) {
        Task { await extensionContext.completeOneTimeCodeRequest(using: ASOneTimeCodeCredential(code: "492039")) }
    }

    override func prepareInterfaceForUserChoosingTextToInsert() {
        Task {
            await extensionContext.completeRequest(withTextToInsert: accounts.first?.user ?? "ada")
        }
    }

    // MARK: Passkeys: list, registration, silent registration

    override func prepareCredentialList(
        for serviceIdentifiers: [ASCredentialServiceIdentifier],
        requestParameters: ASPasskeyCredentialRequestParameters
    ) {
        guard requestParameters.allowedCredentials.isEmpty else { return cancel() }
        prepareCredentialList(for: serviceIdentifiers)
    }

    override func prepareInterface(forPasskeyRegistration registrationRequest: any ASCredentialRequest) {
        guard let request = registrationRequest as? ASPasskeyCredentialRequest,
            let identity = request.credentialIdentity as? ASPasskeyCredentialIdentity
        else { return cancel() }
        if request.excludedCredentials?.contains(where: { store.has($0.credentialID) }) == true {
            return extensionContext.cancelRequest(withError: ASExtensionError(.matchedExcludedCredential))
        }
        guard request.supportedAlgorithms.contains(.ES256) else { return cancel() }
        let credential = ASPasskeyRegistrationCredential(
            relyingParty: identity.relyingPartyIdentifier, clientDataHash: request.clientDataHash,
            credentialID: Data([2]), attestationObject: Data([3]))
        extensionContext.completeRegistrationRequest(using: credential) { _ in }
    }

    override func performWithoutUserInteractionIfPossible(
        passkeyRegistration registrationRequest: ASPasskeyCredentialRequest
    ) {
        prepareInterface(forPasskeyRegistration: registrationRequest)
    }

    private func sign(_ request: ASPasskeyCredentialRequest) throws -> ASPasskeyAssertionCredential {
        guard let identity = request.credentialIdentity as? ASPasskeyCredentialIdentity else {
            throw ASExtensionError(.failed)
        }
        return ASPasskeyAssertionCredential(
            userHandle: identity.userHandle, relyingParty: identity.relyingPartyIdentifier, signature: Data([1]),
            clientDataHash: request.clientDataHash, authenticatorData: Data([1]), credentialID: identity.credentialID)
    }

    // MARK: Turned on in Settings

    override func prepareInterfaceForExtensionConfiguration() {
        Task {
            try? await publish()
            extensionContext.completeExtensionConfigurationRequest()
        }
    }

    static func askToBeTurnedOn() async -> Bool {
        let isOn = await ASSettingsHelper.requestToTurnOnCredentialProviderExtension()
        return isOn
    }

    // MARK: Telling the system what to suggest

    func publish() async throws {
        let system = ASCredentialIdentityStore.shared
        let state = await system.state()
        guard state.isEnabled else { return }
        let service = ASCredentialServiceIdentifier(identifier: "example.org", type: .domain)
        let identity = ASPasswordCredentialIdentity(serviceIdentifier: service, user: "ada", recordIdentifier: "7")
        identity.rank = 2
        if state.supportsIncrementalUpdates {
            try await system.saveCredentialIdentities([identity])
        } else {
            try await system.replaceCredentialIdentities(store.allIdentities)
        }
        system.removeAllCredentialIdentities { done, error in
            if !done, (error as? ASCredentialIdentityStoreError)?.code == .storeBusy { print("later") }
        }
    }

    // MARK: The provider verifies the person itself

    func verify() async throws -> Bool {
        let context = LAContext()
        var reason: NSError?
        if context.canEvaluatePolicy(.deviceOwnerAuthentication, error: &reason) {
            try await context.evaluatePolicy(
                .deviceOwnerAuthentication, localizedReason: "Show the list of accounts")
            return true
        }
        return false
    }

    // MARK: Saving and generating for a page

    override func performWithoutUserInteractionIfPossible(savePasswordRequest: ASSavePasswordRequest) {
        extensionContext.completeSavePasswordRequest()
    }

    override func performWithoutUserInteraction(generatePasswordsRequest: ASGeneratePasswordsRequest) {
        extensionContext.completeGeneratePasswordRequest(results: [.init(kind: .strong, value: "x7")])
    }
}

/// What a provider's own store may look like, with more than passwords.
@MainActor
final class UsageStore {
    var isUnlocked = true

    subscript(id: String) -> Account? { AccountStore.shared[id] }

    func accounts(preferring identifiers: [String]) -> [Account] { AccountStore.shared.all }
    func has(_ credentialID: Data) -> Bool { credentialID == Data([1]) }
    func code() -> String { "492039" }

    var allIdentities: [any ASCredentialIdentity] {
        let service = ASCredentialServiceIdentifier(identifier: "example.org", type: .domain)
        let passkey = ASPasskeyCredentialIdentity(
            relyingPartyIdentifier: "example.org", userName: "ada", credentialID: Data([1]), userHandle: Data([2]),
            recordIdentifier: "7")
        let code = ASOneTimeCodeCredentialIdentity(serviceIdentifier: service, label: "ada", recordIdentifier: "7")
        return AccountStore.shared.allIdentities + [passkey, code]
    }
}
