import AuthenticationServices

@main
final class __NAME__Provider: ASCredentialProviderViewController {
    /// What the person is looking at, and what comes when the lock is open.
    private enum Step {
        case list
        case fill(record: String?)
        case configuration
    }

    private let store = SampleStore()
    private var step = Step.list

    // MARK: Requests

    /// A suggestion was chosen. Answer at once; nothing may be shown.
    override func provideCredentialWithoutUserInteraction(for credentialRequest: any ASCredentialRequest) {
        if store.isLocked { return cancel(.userInteractionRequired) }
        provide(credentialRequest.credentialIdentity.recordIdentifier)
    }

    /// That answer was `userInteractionRequired`: unlock, then give the same credential.
    override func prepareInterfaceToProvideCredential(for credentialRequest: any ASCredentialRequest) {
        begin(.fill(record: credentialRequest.credentialIdentity.recordIdentifier))
    }

    /// The person wants to choose. The identifiers may help to sort; they never hide anything.
    override func prepareCredentialList(for serviceIdentifiers: [ASCredentialServiceIdentifier]) {
        begin(.list)
    }

    /// The person turned the provider on.
    override func prepareInterfaceForExtensionConfiguration() {
        step = .configuration
        interface = Screens.configuration
        publish()
    }

    // MARK: What the person does

    override func interface(didReceive event: InterfaceEvent) {
        super.interface(didReceive: event)
        switch event {
        case .chose(let row): provide(row)
        case .submitted(let values): unlock(values["word"])
        case .activated("lock"): finishConfiguration(locks: true)
        case .activated: finishConfiguration(locks: false)
        default: break
        }
    }

    private func begin(_ step: Step) {
        self.step = step
        if store.isLocked { interface = Screens.unlock() } else { goOn() }
    }

    private func unlock(_ value: InterfaceValue?) {
        guard case .secret(let word) = value, (try? word.withUnsafeBytes(store.open)) == true else {
            interface = Screens.unlock(error: "That is another word.")
            return
        }
        goOn()
    }

    private func goOn() {
        switch step {
        case .list:
            interface = Screens.accounts(store.accounts)
            publish()
        case .fill(let record): provide(record)
        case .configuration: break
        }
    }

    private func finishConfiguration(locks: Bool) {
        if locks { try? store.close() }
        extensionContext.completeExtensionConfigurationRequest()
    }

    // MARK: Endings

    private func provide(_ record: String?) {
        guard let account = record.flatMap({ store[$0] }) else { return cancel(.credentialIdentityNotFound) }
        extensionContext.completeRequest(
            withSelectedCredential: ASPasswordCredential(user: account.user, password: account.password))
    }

    private func cancel(_ code: ASExtensionError.Code) {
        extensionContext.cancelRequest(withError: ASExtensionError(code))
    }

    private func publish() {
        let accounts = store.accounts
        Task { await Suggestions.publish(accounts) }
    }
}
