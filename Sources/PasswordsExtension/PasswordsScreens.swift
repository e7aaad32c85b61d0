import AuthenticationServices
import AutoFillProtocol
import AutoFillWire
import KeywaySystem
import PasswordsProtocol

/// The words and rows of the screens.
enum PasswordsScreens {
    /// The field of the form in which the master password is typed.
    static let masterField = "master"
    /// The button of a message that begins anew.
    static let againAction = "again"
    /// The button that agrees to a new passkey.
    static let saveAction = "save"

    static let missingVault = PasswordsModel.Screen.message(
        title: "No vault yet", text: "Create one in a terminal, then try again: keyway passwords init",
        isError: false)

    static let emptyVault = PasswordsModel.Screen.message(
        title: "The vault is empty", text: "Add a password in a terminal: keyway passwords add", isError: false)

    static let goneItem = PasswordsModel.Screen.message(
        title: "Password not found", text: "It was removed in the meantime.", isError: true)

    /// A failure, in the words of the service, which say what to do.
    static func message(for error: ProtocolError) -> PasswordsModel.Screen {
        let title =
            switch error.code {
            case .damaged: "The vault is damaged"
            case .refused: "Couldn’t open the vault"
            default: "Passwords has a problem"
            }
        return .message(title: title, text: error.message, isError: true)
    }

    // MARK: Rows

    /// The most characters of a line, so that a full list fits what the system takes.
    private static let longestText = 100

    /// A row stands for the same item in two sections, so its id says which: `match:` or `item:`.
    private static func row(_ item: ItemSummary, _ section: String) -> InterfaceList.Row {
        let place = item.addresses.first.map {
            ASCredentialServiceIdentifier(identifier: $0, type: .URL).displayName ?? $0
        }
        let subtitle = [item.user, place ?? ""].filter { !$0.isEmpty }.joined(separator: " · ")
        return InterfaceList.Row(
            id: "\(section):\(item.id)", title: String(item.title.prefix(longestText)),
            subtitle: subtitle.isEmpty ? nil : String(subtitle.prefix(longestText)),
            service: item.place)
    }

    /// A passkey stands in a section of its own, so its row says that.
    private static func row(ofPasskey item: ItemSummary) -> InterfaceList.Row {
        InterfaceList.Row(
            id: passkeyRow + item.id, title: String((item.user.isEmpty ? item.title : item.user).prefix(longestText)),
            subtitle: "Passkey", service: item.passkey?.relyingParty)
    }

    private static let passkeyRow = "passkey:"

    /// Whether a row stands for a passkey.
    static func isPasskey(row: String) -> Bool { row.hasPrefix(passkeyRow) }

    /// The item that a row stands for.
    static func record(ofRow row: String) -> String? {
        guard let colon = row.firstIndex(of: ":") else { return nil }
        return String(row[row.index(after: colon)...])
    }

    /// The list: passkeys that will do, then matches, then everything.
    static func list(_ listing: ItemListing, for services: [ASCredentialServiceIdentifier]) -> ProviderInterface {
        var sections: [InterfaceList.Section] = []
        if let party = listing.passkeys.first?.passkey?.relyingParty {
            sections.append(.init(title: "Passkeys for \(party)", rows: listing.passkeys.map(row(ofPasskey:))))
        }
        if !listing.matches.isEmpty {
            let name = services.first.map { $0.displayName ?? $0.identifier }
            sections.append(
                .init(title: name.map { "For \($0)" }, rows: listing.matches.map { row($0, "match") }))
        }
        let rows = listing.items.map { row($0, "item") }
        sections.append(.init(title: title("All passwords", listing), rows: rows))
        return .list(InterfaceList(title: "Passwords", sections: sections, search: .provider))
    }

    /// What a search found.
    static func list(_ listing: ItemListing, search: String) -> ProviderInterface {
        let rows = listing.items.map { row($0, "item") }
        let section = InterfaceList.Section(title: title("Search results", listing), rows: rows)
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

    /// The question for the master password: to open the vault, or to be sure who is there. For a new passkey it is the
    /// question whether that is wanted, too.
    static func unlock(error: String?, _ goal: PasswordsModel.Goal?, isOpen: Bool) -> ProviderInterface {
        var title = isOpen ? "Confirm it’s you" : "Unlock Passwords"
        var why = isOpen ? "The site asks Keyway to verify you." : "The vault is locked."
        var submitTitle = isOpen ? "Confirm" : "Unlock"
        if case .make(let registration)? = goal {
            (title, submitTitle) = ("Save a passkey", "Save passkey")
            why = "\(why) Passwords will save a passkey \(place(of: registration)) in it."
        }
        return .form(
            InterfaceForm(
                title: title, explanation: "\(why) What you type goes only to the vault.",
                fields: [.init(id: masterField, label: "Master password", kind: .secure)],
                submitTitle: submitTitle, error: error))
    }

    /// The question whether a passkey is wanted.
    static func propose(_ registration: PasskeyRegistration) -> ProviderInterface {
        .message(
            InterfaceMessage(
                title: "Save a passkey?",
                text:
                    "With a passkey \(place(of: registration)), you sign in without a password. Your vault "
                    + "keeps it.", style: .information, actions: [.init(id: saveAction, title: "Save passkey")]))
    }

    private static func place(of registration: PasskeyRegistration) -> String {
        let user = DisplayText.line(String(registration.userName.prefix(longestText)))
        let party = String(registration.relyingParty.prefix(longestText))
        return user.isEmpty ? "for \(party)" : "for “\(user)” at \(party)"
    }

    static let deriving = ProviderInterface.progress(
        InterfaceProgress(
            title: "Unlocking Passwords", text: "This takes a moment, to make guessing slow."))
}

extension PasswordsModel {
    /// What is to be shown; nil while there is nothing.
    var interface: ProviderInterface? {
        switch screen {
        case .none: nil
        case .unlocking(let error):
            PasswordsScreens.unlock(error: error, goal, isOpen: verifiesByMasterPassword)
        case .proposal(let registration): PasswordsScreens.propose(registration)
        case .deriving: PasswordsScreens.deriving
        case .list(let listing, nil): PasswordsScreens.list(listing, for: services)
        case .list(let listing, .some(let search)): PasswordsScreens.list(listing, search: search)
        case .message(let title, let text, let isError):
            .message(
                InterfaceMessage(
                    title: title, text: text, style: isError ? .error : .information,
                    actions: [.init(id: PasswordsScreens.againAction, title: "Try again")]))
        }
    }
}
