import AuthenticationServices

/// A provider that writes down what it is asked and does what the test says.
@MainActor
final class ScriptedController: ASCredentialProviderViewController {
    /// What happened, in order.
    final class Journal {
        var lines: [String] = []
        var controllers: [ScriptedController] = []
        /// The request of the last entry that has one: a request, or its parameters.
        var request: Any?
    }

    private var journal = Journal()
    private var entry: @MainActor (ScriptedController) -> Void = { _ in }
    private var event: @MainActor (ScriptedController, InterfaceEvent) -> Void = { _, _ in }

    /// What makes such controllers: each runs `entry` when it is asked something, and `event` for every event.
    static func maker(
        _ journal: Journal = Journal(),
        event: @escaping @MainActor (ScriptedController, InterfaceEvent) -> Void = { _, _ in },
        entry: @escaping @MainActor (ScriptedController) -> Void
    ) -> @MainActor () -> ASCredentialProviderViewController {
        {
            let controller = ScriptedController()
            (controller.journal, controller.entry, controller.event) = (journal, entry, event)
            journal.controllers.append(controller)
            return controller
        }
    }

    func complete(user: String = "ada", password: String = "hunter2", handler: ((Bool) -> Void)? = nil) {
        extensionContext.completeRequest(
            withSelectedCredential: ASPasswordCredential(user: user, password: password), completionHandler: handler)
    }

    private func enter(_ name: String, _ request: Any? = nil) {
        journal.lines.append(name)
        journal.request = request
        entry(self)
    }

    // MARK: Life

    override func viewDidLoad() {
        super.viewDidLoad()
        journal.lines.append("viewDidLoad")
    }

    override func viewWillAppear(_ animated: Bool) { journal.lines.append("viewWillAppear") }
    override func viewDidAppear(_ animated: Bool) { journal.lines.append("viewDidAppear") }
    override func viewWillDisappear(_ animated: Bool) { journal.lines.append("viewWillDisappear") }
    override func viewDidDisappear(_ animated: Bool) { journal.lines.append("viewDidDisappear") }

    override func interface(didReceive event: InterfaceEvent) {
        journal.lines.append("event \(event)")
        self.event(self, event)
    }

    // MARK: Entries

    override func prepareCredentialList(for serviceIdentifiers: [ASCredentialServiceIdentifier]) {
        enter("list \(serviceIdentifiers.map(\.identifier))")
    }

    override func prepareCredentialList(
        for serviceIdentifiers: [ASCredentialServiceIdentifier],
        requestParameters: ASPasskeyCredentialRequestParameters
    ) {
        enter("list with passkeys \(serviceIdentifiers.map(\.identifier))", requestParameters)
    }

    override func prepareOneTimeCodeCredentialList(for serviceIdentifiers: [ASCredentialServiceIdentifier]) {
        enter("codes \(serviceIdentifiers.map(\.identifier))")
    }

    override func prepareInterfaceForUserChoosingTextToInsert() { enter("text") }

    override func provideCredentialWithoutUserInteraction(for credentialRequest: any ASCredentialRequest) {
        enter("provide \(credentialRequest.credentialIdentity.recordIdentifier ?? "-")", credentialRequest)
    }

    override func prepareInterfaceToProvideCredential(for credentialRequest: any ASCredentialRequest) {
        enter("prepare \(credentialRequest.credentialIdentity.recordIdentifier ?? "-")", credentialRequest)
    }

    override func prepareInterface(forPasskeyRegistration registrationRequest: any ASCredentialRequest) {
        enter("register", registrationRequest)
    }

    override func performWithoutUserInteractionIfPossible(
        passkeyRegistration registrationRequest: ASPasskeyCredentialRequest
    ) {
        enter("register silently", registrationRequest)
    }

    override func performWithoutUserInteractionIfPossible(savePasswordRequest: ASSavePasswordRequest) {
        enter("save silently", savePasswordRequest)
    }

    override func prepareInterface(for savePasswordRequest: ASSavePasswordRequest) {
        enter("save", savePasswordRequest)
    }

    override func performWithoutUserInteraction(generatePasswordsRequest: ASGeneratePasswordsRequest) {
        enter("generate silently", generatePasswordsRequest)
    }

    override func prepareInterface(for generatePasswordsRequest: ASGeneratePasswordsRequest) {
        enter("generate", generatePasswordsRequest)
    }

    override func prepareInterfaceForExtensionConfiguration() { enter("configure") }

    // MARK: Reports

    override func reportPublicKeyCredentialUpdate(
        forRelyingParty relyingParty: String, userHandle: Data, newName: String
    ) {
        enter("updated \(relyingParty) \(Array(userHandle)) \(newName)")
    }

    override func reportUnknownPublicKeyCredential(forRelyingParty relyingParty: String, credentialID: Data) {
        enter("unknown \(relyingParty) \(Array(credentialID))")
    }

    override func reportAllAcceptedPublicKeyCredentials(
        forRelyingParty relyingParty: String, userHandle: Data, acceptedCredentialIDs: [Data]
    ) {
        enter("accepted \(relyingParty) \(Array(userHandle)) \(acceptedCredentialIDs.map(Array.init))")
    }

    override func reportUnusedPasswordCredential(forDomain domain: String, userName: String) {
        enter("unused \(domain) \(userName)")
    }
}
