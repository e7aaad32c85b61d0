import AuthenticationServices

/// Codes and text: lists whose choice is given with `async` endings or with handlers.
final class CodesAndTextProvider: ASCredentialProviderViewController {
    struct Item {
        let name: String
        let value: String
    }

    private enum Mode {
        case codes
        case text
    }

    private let items = [Item(name: "IBAN", value: "DE02 1203")]
    private var mode = Mode.codes

    override func prepareOneTimeCodeCredentialList(for serviceIdentifiers: [ASCredentialServiceIdentifier]) {
        mode = .codes
        show(["ada"])
    }

    override func prepareInterfaceForUserChoosingTextToInsert() {
        mode = .text
        show(items.map(\.name))
    }

    private func show(_ names: [String]) {
        interface = .list(
            InterfaceList(title: "Choose", sections: [.init(rows: names.map { .init(id: $0, title: $0) })]))
    }

    override func interface(didReceive event: InterfaceEvent) {
        super.interface(didReceive: event)
        guard case .chose = event else { return }
        Task { @MainActor in
            switch mode {
            case .codes:
                await extensionContext.completeOneTimeCodeRequest(using: ASOneTimeCodeCredential(code: "492039"))
            case .text:
                await extensionContext.completeRequest(withTextToInsert: items[0].value)
            }
        }
    }

    /// The same with handlers.
    func choose(_ item: Item) {
        extensionContext.completeRequest(withTextToInsert: item.value) { [weak self] expired in
            if !expired { self?.title = item.name }
        }
        extensionContext.completeOneTimeCodeRequest(using: .init(code: "492039"), completionHandler: nil)
    }
}

/// Saving and generating for a page.
final class NewPasswordProvider: ASCredentialProviderViewController {
    private var kept: [String: ASPasswordCredential] = [:]

    override func performWithoutUserInteractionIfPossible(savePasswordRequest: ASSavePasswordRequest) {
        switch savePasswordRequest.event {
        case .userInitiated, .generatedPasswordFilled:
            keep(savePasswordRequest)
            extensionContext.completeSavePasswordRequest()
        case .formDidDisappear where kept[savePasswordRequest.credential.user] != nil:
            extensionContext.cancelRequest(withError: ASExtensionError(.userInteractionRequired))
        case .formDidDisappear:
            keep(savePasswordRequest)
            Task { await extensionContext.completeSavePasswordRequest() }
        @unknown default:
            extensionContext.cancelRequest(withError: ASExtensionError(.failed))
        }
    }

    override func prepareInterface(for savePasswordRequest: ASSavePasswordRequest) {
        let name = savePasswordRequest.title ?? savePasswordRequest.serviceIdentifier.displayName ?? "Login"
        interface = .message(
            InterfaceMessage(title: name, text: "Save?", actions: [.init(id: "save", title: "Save")]))
    }

    override func interface(didReceive event: InterfaceEvent) {
        super.interface(didReceive: event)
        if case .chose = event { extensionContext.completeSavePasswordRequest { _ in } }
    }

    override func performWithoutUserInteraction(generatePasswordsRequest: ASGeneratePasswordsRequest) {
        let rules =
            generatePasswordsRequest.passwordRulesFromQuirks ?? generatePasswordsRequest.passwordFieldPasswordRules
        var results = [ASGeneratedPassword(kind: .strong, value: "x7-" + (rules ?? "none"))]
        results.append(ASGeneratedPassword(kind: ASGeneratedPassword.Kind.passphrase, value: "correct horse"))
        extensionContext.completeGeneratePasswordRequest(results: results)
    }

    override func prepareInterface(for generatePasswordsRequest: ASGeneratePasswordsRequest) {
        Task {
            await extensionContext.completeGeneratePasswordRequest(results: [.init(kind: .alphanumeric, value: "x7")])
        }
    }

    private func keep(_ request: ASSavePasswordRequest) {
        kept[request.credential.user] = request.credential
    }

    /// What the system is told of it, from the extension or from the app.
    func publish(_ request: ASSavePasswordRequest) {
        let identity = ASPasswordCredentialIdentity(
            serviceIdentifier: request.serviceIdentifier, user: request.credential.user,
            recordIdentifier: request.sessionID)
        Task { try? await ASCredentialIdentityStore.shared.saveCredentialIdentities([identity]) }
    }
}
