import AuthenticationServices
import AutoFillProtocol
import PasswordsProtocol

/// The words and rows of the screens.
enum PasswordsScreens {
    /// The field of the form in which the master password is typed.
    static let masterField = "master"
    /// The button of a message that begins anew.
    static let againAction = "again"

    static let missingVault = PasswordsModel.Screen.message(
        title: "There is no vault yet", text: "Make one in a terminal, then come back: keyway passwords init",
        isError: false)

    static let emptyVault = PasswordsModel.Screen.message(
        title: "The vault is empty", text: "Add a password in a terminal: keyway passwords add", isError: false)

    static let goneItem = PasswordsModel.Screen.message(
        title: "That password is gone", text: "It was removed in the meantime.", isError: true)

    /// A failure, in the words of the service, which say what to do.
    static func message(for error: ProtocolError) -> PasswordsModel.Screen {
        let title =
            switch error.code {
            case .damaged: "The vault is damaged"
            case .refused: "The vault was not opened"
            default: "Passwords cannot answer"
            }
        return .message(title: title, text: error.message, isError: true)
    }

    // MARK: Rows

    /// The most characters of a line, so that a full list fits what the system takes.
    private static let longestText = 100

    /// A row stands for the same item in two sections, so its id says which: `match:` or `item:`.
    private static func row(
        _ item: ItemSummary, _ section: String, _ services: [ASCredentialServiceIdentifier]
    ) -> InterfaceList.Row {
        let place = item.addresses.first.map {
            ASCredentialServiceIdentifier(identifier: $0, type: .URL).displayName ?? $0
        }
        let subtitle = [item.user, place ?? ""].filter { !$0.isEmpty }.joined(separator: " · ")
        return InterfaceList.Row(
            id: "\(section):\(item.id)", title: String(item.title.prefix(longestText)),
            subtitle: subtitle.isEmpty ? nil : String(subtitle.prefix(longestText)),
            service: ItemPlace.closest(of: item.addresses, to: services.map(\.identifier)))
    }

    /// The item that a row stands for.
    static func record(ofRow row: String) -> String? {
        guard let colon = row.firstIndex(of: ":") else { return nil }
        return String(row[row.index(after: colon)...])
    }

    /// The list: matches first, then everything.
    static func list(_ listing: ItemListing, for services: [ASCredentialServiceIdentifier]) -> ProviderInterface {
        var sections: [InterfaceList.Section] = []
        if !listing.matches.isEmpty {
            let name = services.first.map { $0.displayName ?? $0.identifier }
            sections.append(
                .init(title: name.map { "For \($0)" }, rows: listing.matches.map { row($0, "match", services) }))
        }
        let rows = listing.items.map { row($0, "item", services) }
        sections.append(.init(title: title("All passwords", listing), rows: rows))
        return .list(InterfaceList(title: "Passwords", sections: sections, search: .provider))
    }

    /// What a search found.
    static func list(
        _ listing: ItemListing, search: String, for services: [ASCredentialServiceIdentifier]
    ) -> ProviderInterface {
        let rows = listing.items.map { row($0, "item", services) }
        let section = InterfaceList.Section(title: title("Found", listing), rows: rows)
        return .list(
            InterfaceList(
                title: "Passwords", sections: listing.items.isEmpty ? [] : [section], search: .provider,
                emptyText: "Nothing matches “\(search)”."))
    }

    private static func title(_ words: String, _ listing: ItemListing) -> String {
        listing.items.count < listing.total
            ? "\(words) (\(listing.items.count) of \(listing.total); type to search)" : words
    }

    // MARK: The master password

    static func unlock(error: String?) -> ProviderInterface {
        .form(
            InterfaceForm(
                title: "Unlock Passwords",
                explanation: "The vault is locked. What you type goes to the vault and nowhere else.",
                fields: [.init(id: masterField, label: "Master password", kind: .secure)],
                submitTitle: "Unlock", error: error))
    }

    static let deriving = ProviderInterface.progress(
        InterfaceProgress(
            title: "Unlocking Passwords", text: "Making the key takes a moment, so that guessing is slow."))
}

extension PasswordsModel {
    /// What is to be shown; nil while there is nothing.
    var interface: ProviderInterface? {
        switch screen {
        case .none: nil
        case .unlocking(let error): PasswordsScreens.unlock(error: error)
        case .deriving: PasswordsScreens.deriving
        case .list(let listing, nil): PasswordsScreens.list(listing, for: services)
        case .list(let listing, .some(let search)): PasswordsScreens.list(listing, search: search, for: services)
        case .message(let title, let text, let isError):
            .message(
                InterfaceMessage(
                    title: title, text: text, style: isError ? .error : .information,
                    actions: [.init(id: PasswordsScreens.againAction, title: "Try again")]))
        }
    }
}
