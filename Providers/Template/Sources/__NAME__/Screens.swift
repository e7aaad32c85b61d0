import AuthenticationServices

/// What the person sees. The system draws these values, and names the provider and the site beside them.
enum Screens {
    static func accounts(_ accounts: [SampleStore.Account]) -> ProviderInterface {
        .list(
            InterfaceList(
                title: "Accounts",
                sections: [.init(rows: accounts.map { .init(id: $0.id, title: $0.user, subtitle: $0.domain) })],
                emptyText: "There are no accounts yet."))
    }

    static func unlock(error: String? = nil) -> ProviderInterface {
        .form(
            InterfaceForm(
                title: "Unlock __NAME__", explanation: "The word of the sample stands in word.txt.",
                fields: [.init(id: "word", label: "Word", kind: .secure)], submitTitle: "Unlock", error: error))
    }

    static let configuration = ProviderInterface.message(
        InterfaceMessage(
            title: "__NAME__ is ready", text: "Lock it to see how unlocking works.",
            actions: [.init(id: "lock", title: "Lock"), .init(id: "done", title: "Leave it open")]))
}
