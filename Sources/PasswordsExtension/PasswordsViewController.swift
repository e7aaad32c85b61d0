import AuthenticationServices
import AutoFillProtocol
import LocalAuthentication
import PasswordsProtocol

/// The extension of Passwords, the provider that comes with Keyway. It answers from the vault, whose service is
/// another process.
///
/// It decides nothing itself: it carries out what ``PasswordsModel`` decides, and reports the results to it.
final class PasswordsViewController: ASCredentialProviderViewController {
    private var model = PasswordsModel(.list([]))
    private var work: Task<Void, Never>?
    /// The line to the service; tests have one of their own.
    var line = ServiceLine.shared
    /// Makes what verifies the person; likewise.
    var makeContext: () -> LAContext = { LAContext() }
    private var vault: VaultClient {
        VaultClient(line: line) { [extensionContext] in try await extensionContext.connectToService() }
    }

    // MARK: Entries

    override func provideCredentialWithoutUserInteraction(for credentialRequest: any ASCredentialRequest) {
        begin(request(credentialRequest, isSilent: true))
    }

    override func prepareInterfaceToProvideCredential(for credentialRequest: any ASCredentialRequest) {
        begin(request(credentialRequest, isSilent: false))
    }

    override func prepareCredentialList(for serviceIdentifiers: [ASCredentialServiceIdentifier]) {
        begin(.list(serviceIdentifiers))
    }

    override func prepareCredentialList(
        for serviceIdentifiers: [ASCredentialServiceIdentifier], requestParameters: ASPasskeyCredentialRequestParameters
    ) {
        begin(requestParameters.wire.map { .list(serviceIdentifiers, passkeys: $0) })
    }

    override func prepareInterfaceForUserChoosingTextToInsert() {
        begin(.text)
    }

    override func prepareOneTimeCodeCredentialList(for serviceIdentifiers: [ASCredentialServiceIdentifier]) {
        begin(.codes(serviceIdentifiers))
    }

    override func prepareInterface(forPasskeyRegistration registrationRequest: any ASCredentialRequest) {
        begin(registration(registrationRequest, isSilent: false))
    }

    override func performWithoutUserInteractionIfPossible(
        passkeyRegistration registrationRequest: ASPasskeyCredentialRequest
    ) {
        begin(registration(registrationRequest, isSilent: true))
    }

    override func performWithoutUserInteractionIfPossible(savePasswordRequest: ASSavePasswordRequest) {
        begin(keeping(savePasswordRequest).map { .keep($0, isSilent: true) })
    }

    override func prepareInterface(for savePasswordRequest: ASSavePasswordRequest) {
        begin(keeping(savePasswordRequest).map { .keep($0, isSilent: false) })
    }

    override func performWithoutUserInteraction(generatePasswordsRequest: ASGeneratePasswordsRequest) {
        do {
            extensionContext.completeGeneratePasswordRequest(
                results: try PasswordProposals(generatePasswordsRequest).make())
        } catch {
            cancel(.failed, "\(error)")
        }
    }

    override func prepareInterface(for codeSetup: KeywayCodeSetup) {
        begin(.setUp(CodeKeeping(issuer: codeSetup.issuer, account: codeSetup.account, link: codeSetup.link)))
    }

    override func reportPublicKeyCredentialUpdate(
        forRelyingParty relyingParty: String, userHandle: Data, newName: String
    ) {
        pass(.passkeyUpdated(relyingParty: relyingParty, userHandle: userHandle, newName: newName))
    }

    override func reportUnknownPublicKeyCredential(forRelyingParty relyingParty: String, credentialID: Data) {
        pass(.passkeyUnknown(relyingParty: relyingParty, credentialID: credentialID))
    }

    override func reportAllAcceptedPublicKeyCredentials(
        forRelyingParty relyingParty: String, userHandle: Data, acceptedCredentialIDs: [Data]
    ) {
        pass(
            .passkeysAccepted(
                relyingParty: relyingParty, userHandle: userHandle, credentialIDs: acceptedCredentialIDs))
    }

    override func reportUnusedPasswordCredential(forDomain domain: String, userName: String) {
        pass(.passwordUnused(domain: domain, userName: userName))
    }

    override func interface(didReceive event: InterfaceEvent) {
        super.interface(didReceive: event)
        handle(.event(event))
    }

    override func viewDidDisappear(_ animated: Bool) {
        super.viewDidDisappear(animated)
        work?.cancel()
    }

    // MARK: Requests

    private func request(_ asked: any ASCredentialRequest, isSilent: Bool) -> PasswordsModel.Request? {
        let record = asked.credentialIdentity.recordIdentifier
        guard asked.type != .oneTimeCode else { return .code(record: record, isSilent: isSilent) }
        guard let asked = asked as? ASPasskeyCredentialRequest else {
            return isSilent ? .silently(record: record) : .openly(record: record)
        }
        guard case .assertion(let parameters)? = asked.wire else { return nil }
        return .sign(record: record, parameters, isSilent: isSilent)
    }

    private func registration(_ asked: any ASCredentialRequest, isSilent: Bool) -> PasswordsModel.Request? {
        guard let asked = asked as? ASPasskeyCredentialRequest, case .registration(let registration)? = asked.wire
        else { return nil }
        return .make(registration, isSilent: isSilent)
    }

    private func keeping(_ asked: ASSavePasswordRequest) -> PasswordKeeping? {
        guard let password = try? SealedPassword(asked.credential), password.isText else { return nil }
        return PasswordKeeping(
            service: ServiceIdentifier(asked.serviceIdentifier),
            site: asked.serviceIdentifier.displayName ?? asked.serviceIdentifier.identifier,
            user: asked.credential.user,
            password: password.memory, title: asked.title, isPending: asked.event == .generatedPasswordFilled,
            isWanted: asked.event == .userInitiated)
    }

    /// Nobody waits for what comes of a report, and it outlives this object.
    private func pass(_ report: CredentialReport) {
        Task { [vault] in _ = await vault.answer(.report(report)) }
    }

    // MARK: Between the model and the world

    private func begin(_ request: PasswordsModel.Request?) {
        guard let request else { return cancel(.failed, nil) }
        model = PasswordsModel(request)
        perform(model.begin())
    }

    private func handle(_ input: PasswordsModel.Input) {
        let before = model.answeredSearches
        let effect = model.handle(input)
        perform(effect, answersSearch: model.answeredSearches != before)
    }

    /// - Parameter answersSearch: whether the interface is shown again although it may be the same.
    private func perform(_ effect: PasswordsModel.Effect?, answersSearch: Bool = false) {
        if let newest = model.interface, answersSearch || newest != interface { interface = newest }
        switch effect {
        case .ask(let question): ask(question)
        case .complete(let user, let password): complete(user) { $0.finish(user, password) }
        case .completeCode(let answer): complete(answer.item.user) { $0.finish(answer) }
        case .insert(let text, let title): insert(text, of: title)
        case .signed(let credential):
            extensionContext.completeAssertionRequest(using: ASPasskeyAssertionCredential(credential))
        case .made(let credential):
            extensionContext.completeRegistrationRequest(using: ASPasskeyRegistrationCredential(credential))
        case .keptCode: extensionContext.completeCodeSetup()
        case .kept: extensionContext.completeSavePasswordRequest(completionHandler: nil)
        case .verify(let account, let isRequired): verify(account, isRequired: isRequired)
        case .cancel(let code, let reason): cancel(code, reason)
        case nil: break
        }
    }

    /// One question at a time: a new one, such as the next letter of a search, takes the place of the one before.
    private func ask(_ question: VaultQuestion) {
        work?.cancel()
        work = Task {
            let answer = await vault.answer(question)
            if !Task.isCancelled { handle(.answer(answer)) }
        }
    }

    /// What was asked for goes on in the memory file that it came in.
    private func complete(_ user: String, _ finish: @escaping @MainActor (PasswordsViewController) -> Void) {
        guard model.mayAskPerson else { return finish(self) }
        work?.cancel()
        work = Task {
            do {
                try await verifyIfWanted("to use the account \(user)")
                if !Task.isCancelled { finish(self) }
            } catch {
                if !Task.isCancelled { cancel(.userCanceled, nil) }
            }
        }
    }

    /// A vault that is open already gives what was chosen from its list to whoever sits there: where the person wants to
    /// be verified, they are.
    private func verifyIfWanted(_ reason: String) async throws {
        let context = makeContext()
        guard await context.isVerificationWanted else { return }
        try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: reason)
    }

    /// A text goes on as a password does.
    private func insert(_ text: SealedPassword, of title: String) {
        work?.cancel()
        work = Task {
            do {
                try await verifyIfWanted("to insert a text of \(title)")
                guard !Task.isCancelled else { return }
                guard text.isText else { return cancel(.failed, nil) }
                extensionContext.completeRequest(withSealedTextToInsert: text.memory)
            } catch {
                if !Task.isCancelled { cancel(.userCanceled, nil) }
            }
        }
    }

    private func finish(_ user: String, _ password: SealedPassword) {
        guard password.isText else { return cancel(.failed, nil) }
        extensionContext.completeRequest(
            withSelectedCredential: ASPasswordCredential(user: user, sealed: password.memory))
    }

    private func finish(_ answer: MakeCode.Result) {
        guard let code = try? answer.code.sealedMemory() else { return cancel(.failed, nil) }
        let end = answer.validUntil.map { Date(timeIntervalSince1970: $0) }
        extensionContext.completeOneTimeCodeRequest(
            using: ASOneTimeCodeCredential(sealed: code, validUntil: end), completionHandler: nil)
    }

    // MARK: Passkeys

    /// Before a passkey is used or made, so that what it says of the person is what happened.
    private func verify(_ account: String, isRequired: Bool) {
        work?.cancel()
        work = Task {
            let outcome = await verification(account, isRequired: isRequired)
            if !Task.isCancelled { handle(.verification(outcome)) }
        }
    }

    private func verification(_ account: String, isRequired: Bool) async -> PasswordsModel.Verification {
        let context = makeContext()
        if !isRequired, await !context.isVerificationWanted { return .unwanted }
        return await evaluated(context, account)
    }

    private func evaluated(_ context: LAContext, _ account: String) async -> PasswordsModel.Verification {
        let reason = account.isEmpty ? "to use a passkey" : "to use the passkey for \(account)"
        do {
            try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: reason)
            return .verified
        } catch {
            switch (error as? LAError)?.code {
            case .userCancel, .appCancel, .systemCancel, nil: return .refused
            // Whoever could not be verified that way still knows the master password, or does not.
            default: return .unavailable
            }
        }
    }

    private func cancel(_ code: ASExtensionError.Code, _ reason: String?) {
        let userInfo = reason.map { [ASExtensionLocalizedFailureReasonErrorKey: $0] } ?? [:]
        extensionContext.cancelRequest(withError: ASExtensionError(code, userInfo: userInfo))
    }
}
