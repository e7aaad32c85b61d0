import AuthenticationServices
import LocalAuthentication

/// The extension of Passwords, the provider in the box: answers from the vault, whose service is another process.
///
/// It decides nothing: ``PasswordsModel`` does. This class carries out what the model wants, and tells it what came of it.
@main
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
        begin(.silently(record: credentialRequest.credentialIdentity.recordIdentifier))
    }

    override func prepareInterfaceToProvideCredential(for credentialRequest: any ASCredentialRequest) {
        begin(.openly(record: credentialRequest.credentialIdentity.recordIdentifier))
    }

    override func prepareCredentialList(for serviceIdentifiers: [ASCredentialServiceIdentifier]) {
        begin(.list(serviceIdentifiers))
    }

    override func interface(didReceive event: InterfaceEvent) {
        super.interface(didReceive: event)
        handle(.event(event))
    }

    override func viewDidDisappear(_ animated: Bool) {
        super.viewDidDisappear(animated)
        work?.cancel()
    }

    // MARK: Between the model and the world

    private func begin(_ request: PasswordsModel.Request) {
        model = PasswordsModel(request)
        perform(model.begin())
    }

    private func handle(_ input: PasswordsModel.Input) {
        perform(model.handle(input))
    }

    private func perform(_ effect: PasswordsModel.Effect?) {
        if let newest = model.interface, newest != interface { interface = newest }
        switch effect {
        case .ask(let question): ask(question)
        case .complete(let user, let password): complete(user, password)
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

    /// The password becomes a string here and nowhere earlier: the API takes no other form.
    private func complete(_ user: String, _ password: SealedPassword) {
        guard model.mayAskPerson else { return finish(user, password) }
        work?.cancel()
        work = Task {
            do {
                try await verifyIfWanted(user)
                if !Task.isCancelled { finish(user, password) }
            } catch {
                if !Task.isCancelled { cancel(.userCanceled, nil) }
            }
        }
    }

    /// A vault that is open already gives what was chosen from its list to whoever sits there: where the person wants to
    /// be verified, they are.
    private func verifyIfWanted(_ user: String) async throws {
        let context = makeContext()
        guard await context.isVerificationWanted else { return }
        try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "to use the account \(user)")
    }

    private func finish(_ user: String, _ password: SealedPassword) {
        guard let text = password.text else { return cancel(.failed, nil) }
        extensionContext.completeRequest(withSelectedCredential: ASPasswordCredential(user: user, password: text))
    }

    private func cancel(_ code: ASExtensionError.Code, _ reason: String?) {
        let userInfo = reason.map { [ASExtensionLocalizedFailureReasonErrorKey: $0] } ?? [:]
        extensionContext.cancelRequest(withError: ASExtensionError(code, userInfo: userInfo))
    }
}
