import AuthenticationServices

/// A provider that writes down what it is asked and does what the test says.
@MainActor
final class ScriptedController: ASCredentialProviderViewController {
    /// What happened, in order.
    final class Journal {
        var lines: [String] = []
        var controllers: [ScriptedController] = []
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

    private func enter(_ name: String) {
        journal.lines.append(name)
        entry(self)
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        journal.lines.append("viewDidLoad")
    }

    override func viewWillAppear(_ animated: Bool) { journal.lines.append("viewWillAppear") }
    override func viewDidAppear(_ animated: Bool) { journal.lines.append("viewDidAppear") }
    override func viewWillDisappear(_ animated: Bool) { journal.lines.append("viewWillDisappear") }
    override func viewDidDisappear(_ animated: Bool) { journal.lines.append("viewDidDisappear") }

    override func prepareCredentialList(for serviceIdentifiers: [ASCredentialServiceIdentifier]) {
        enter("list \(serviceIdentifiers.map(\.identifier))")
    }

    override func provideCredentialWithoutUserInteraction(for credentialRequest: any ASCredentialRequest) {
        enter("provide \(credentialRequest.credentialIdentity.recordIdentifier ?? "-")")
    }

    override func prepareInterfaceToProvideCredential(for credentialRequest: any ASCredentialRequest) {
        enter("prepare \(credentialRequest.credentialIdentity.recordIdentifier ?? "-")")
    }

    override func prepareInterfaceForExtensionConfiguration() { enter("configure") }

    override func interface(didReceive event: InterfaceEvent) {
        journal.lines.append("event \(event)")
        self.event(self, event)
    }
}
