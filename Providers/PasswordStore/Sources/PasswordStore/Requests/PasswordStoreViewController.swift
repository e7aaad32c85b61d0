public import AuthenticationServices
import PassEntries

/// The extension of the provider: turns every request into one of ``StoreRequests``, and its end into the API's.
public final class PasswordStoreViewController: ASCredentialProviderViewController {
    private var conversation: Conversation?
    private var work: Task<Void, Never>?
    /// What is asked where. Tests have a store of their own.
    var makeStore: () -> PasswordStore = { PasswordStore(.current()) }
    var system: any SystemIdentities = SystemIdentityStore()

    // MARK: One credential

    public override func provideCredentialWithoutUserInteraction(for credentialRequest: any ASCredentialRequest) {
        answer(asking: false) { requests in
            do {
                try await self.provide(credentialRequest, requests)
            } catch let error as StoreError where error.needsPerson {
                // The answer does not wait for that.
                Task { await self.awaitKey(of: credentialRequest.credentialIdentity.recordIdentifier) }
                throw error
            }
        }
    }

    /// Has the service look after a locked key: where nothing can be shown, the person may unlock it in a terminal.
    private func awaitKey(of record: String?) async {
        guard let name = record.flatMap(EntryName.init), let service = try? await extensionContext.connectToService()
        else { return }
        EntryMessage.send(name, service)
    }

    public override func prepareInterfaceToProvideCredential(for credentialRequest: any ASCredentialRequest) {
        answer(asking: true) { try await self.provide(credentialRequest, $0) }
    }

    private func provide(_ request: any ASCredentialRequest, _ requests: StoreRequests) async throws {
        let record = request.credentialIdentity.recordIdentifier
        switch request.type {
        case .password: complete(try await requests.password(of: record))
        case .oneTimeCode: complete(try await requests.code(of: record))
        default: throw StoreError.failed("A password store has no passkeys.")
        }
    }

    // MARK: A choice

    public override func prepareCredentialList(for serviceIdentifiers: [ASCredentialServiceIdentifier]) {
        answer(asking: true) { requests in
            let name = try await requests.choice(for: serviceIdentifiers)
            self.complete(try await requests.password(of: name.text))
        }
    }

    public override func prepareOneTimeCodeCredentialList(for serviceIdentifiers: [ASCredentialServiceIdentifier]) {
        answer(asking: true) { requests in
            let name = try await requests.choice(for: serviceIdentifiers, codes: true)
            self.complete(try await requests.code(of: name.text))
        }
    }

    public override func prepareInterfaceForUserChoosingTextToInsert() {
        answer(asking: true) { requests in
            let text = try await requests.text()
            self.extensionContext.completeRequest(withTextToInsert: text, completionHandler: nil)
        }
    }

    // MARK: New passwords

    public override func performWithoutUserInteractionIfPossible(savePasswordRequest: ASSavePasswordRequest) {
        answer(asking: false) { try await self.save(savePasswordRequest, $0) }
    }

    public override func prepareInterface(for savePasswordRequest: ASSavePasswordRequest) {
        answer(asking: true) { try await self.save(savePasswordRequest, $0) }
    }

    private func save(_ request: ASSavePasswordRequest, _ requests: StoreRequests) async throws {
        let offer = OfferedPassword(
            service: request.serviceIdentifier, user: request.credential.user, password: request.credential.password,
            title: request.title, session: request.sessionID, isPending: request.event == .generatedPasswordFilled)
        try await requests.save(offer)
        extensionContext.completeSavePasswordRequest(completionHandler: nil)
    }

    public override func performWithoutUserInteraction(generatePasswordsRequest: ASGeneratePasswordsRequest) {
        let rules = [
            generatePasswordsRequest.passwordFieldPasswordRules,
            generatePasswordsRequest.confirmPasswordFieldPasswordRules,
            generatePasswordsRequest.passwordRulesFromQuirks,
        ].compactMap { $0 }.joined(separator: ";")
        answer(asking: false) { requests in
            let passwords = PasswordGenerator(length: requests.store.settings.generatedLength).proposals(rules)
            guard !passwords.isEmpty else { throw StoreError.failed("No password keeps the rules of the page.") }
            self.extensionContext.completeGeneratePasswordRequest(results: passwords, completionHandler: nil)
        }
    }

    // MARK: Configuration

    public override func prepareInterfaceForExtensionConfiguration() {
        answer(asking: true) { requests in
            try await requests.configure()
            self.extensionContext.completeExtensionConfigurationRequest()
        }
    }

    // MARK: The interface

    public override func interface(didReceive event: InterfaceEvent) {
        super.interface(didReceive: event)
        conversation?.receive(event)
    }

    public override func viewDidDisappear(_ animated: Bool) {
        super.viewDidDisappear(animated)
        work?.cancel()
        conversation?.end()
    }

    // MARK: Between the request and its end

    /// Answers the request with `body`; where it fails and the person is there, says so and begins again when they want.
    private func answer(asking: Bool, _ body: @escaping @MainActor (StoreRequests) async throws -> Void) {
        conversation = asking ? Conversation { [weak self] in self?.interface = $0 } : nil
        work = Task {
            let requests = StoreRequests(
                store: makeStore(), updates: IdentityUpdates(system), person: conversation)
            while !Task.isCancelled {
                do {
                    return try await body(requests)
                } catch let error as StoreError {
                    guard error != .notFound, let conversation,
                        (try? await conversation.ask(Screens.failure(error))) != nil
                    else { return cancel(error) }
                } catch is CancellationError {
                    return cancel(.userCanceled)
                } catch {
                    return cancel(.failed, "The request failed.")
                }
            }
        }
    }

    private func complete(_ account: (user: String, password: String)) {
        let credential = ASPasswordCredential(user: account.user, password: account.password)
        extensionContext.completeRequest(withSelectedCredential: credential)
    }

    private func complete(_ code: (code: String, validUntil: Date?)) {
        let credential = ASOneTimeCodeCredential(code: code.code, validUntil: code.validUntil)
        extensionContext.completeOneTimeCodeRequest(using: credential, completionHandler: nil)
    }

    private func cancel(_ error: StoreError) {
        switch error {
        case .notFound: cancel(.credentialIdentityNotFound)
        case _ where error.needsPerson: cancel(.userInteractionRequired)
        default: cancel(.failed, error.reason)
        }
    }

    private func cancel(_ code: ASExtensionError.Code, _ reason: String? = nil) {
        let userInfo = reason.map { [ASExtensionLocalizedFailureReasonErrorKey: $0] } ?? [:]
        extensionContext.cancelRequest(withError: ASExtensionError(code, userInfo: userInfo))
    }
}

extension PasswordGenerator {
    /// What is proposed under these rules: a password of all characters, and one without punctuation.
    func proposals(_ rules: String) -> [ASGeneratedPassword] {
        var random = SystemRandomNumberGenerator()
        let rules = PasswordRules(rules)
        let strong = password(rules, using: &random).map { ASGeneratedPassword(kind: .strong, value: $0) }
        let plain = password(rules, symbols: false, using: &random)
            .map { ASGeneratedPassword(kind: .alphanumeric, value: $0) }
        return [strong, plain].compactMap { $0 }
    }
}
