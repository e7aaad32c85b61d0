public import AuthenticationServices

/// The app of the provider, as the system starts it: takes entries over from another manager, and hands them over.
public final class PasswordStoreActivities: KeywayActivityController {
    private var conversation: Conversation?
    var makeStore: () -> PasswordStore = { PasswordStore(.current()) }
    var system: any SystemIdentities = SystemIdentityStore()

    public override func application(continue userActivity: NSUserActivity) async throws -> KeywayExchangeReport {
        let person = Conversation { [weak self] in self?.interface = $0 }
        conversation = person
        defer { conversation = nil }
        let requests = StoreRequests(store: makeStore(), updates: IdentityUpdates(system), person: person)
        let exchange = StoreExchange(requests: requests, person: person)
        do {
            switch userActivity.activityType {
            case ASCredentialExchangeActivity:
                guard let token = userActivity.userInfo?[ASCredentialImportToken] as? UUID else {
                    throw StoreError.failed("The activity brings nothing to import.")
                }
                try requests.store.check()
                let data = try await ASCredentialImportManager().importCredentials(token: token)
                return KeywayExchangeReport(try await exchange.take(data))
            case KeywayCredentialExportActivity: return try await export(exchange)
            default: throw StoreError.failed("The password store can't continue this activity.")
            }
        } catch let error as StoreError {
            throw ASExtensionError(.failed, userInfo: [NSLocalizedDescriptionKey: error.reason])
        }
    }

    private func export(_ exchange: StoreExchange) async throws -> KeywayExchangeReport {
        try exchange.requests.store.check()
        let manager = ASCredentialExportManager(presentationAnchor: UIWindow())
        _ = try await manager.requestExport()
        let export = try await exchange.collect()
        if !export.notices.isEmpty { try await exchange.confirm(export) }
        exchange.person.tell(ExchangeScreens.handingOver)
        try await manager.exportCredentials(export.data(at: Date()))
        return KeywayExchangeReport(
            .init(items: export.count, notices: export.notices.map { ($0.name, $0.reason) }))
    }

    public override func interface(didReceive event: InterfaceEvent) {
        super.interface(didReceive: event)
        conversation?.receive(event)
    }

    public override func viewDidDisappear(_ animated: Bool) {
        super.viewDidDisappear(animated)
        conversation?.end()
    }
}

extension KeywayExchangeReport {
    /// What the system is told of an exchange.
    fileprivate init(_ account: StoreExchange.Account) {
        self.init(items: account.items, notices: account.notices.map { .init(item: $0.item, reason: $0.reason) })
    }
}
