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
    /// The button that agrees to another password's going.
    static let replaceAction = "replace"

    static let missingVault = PasswordsModel.Screen.message(
        title: "No vault yet", text: "Create one in a terminal, then try again: keyway passwords init",
        isError: false)

    static let emptyVault = PasswordsModel.Screen.message(
        title: "The vault is empty", text: "Add a password in a terminal: keyway passwords add", isError: false)

    static let goneItem = PasswordsModel.Screen.message(
        title: "Password not found", text: "It was removed in the meantime.", isError: true)

    static let noCodes = PasswordsModel.Screen.message(
        title: "No one-time codes", text: "Add one in a terminal: keyway passwords edit ITEM --code", isError: false)

    static let goneCode = PasswordsModel.Screen.message(
        title: "Code not found", text: "It was removed in the meantime.", isError: true)

    static let gonePlace = PasswordsModel.Screen.message(
        title: "Item not found", text: "It was removed in the meantime.", isError: true)

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

    static let goneText = PasswordsModel.Screen.message(
        title: "Text not found", text: "It was removed in the meantime.", isError: true)

    // MARK: Texts

    /// The row that leads back to all items.
    static let backRow = "back"
    private static let textRow = "text:"

    /// The place of the text that a row stands for.
    static func place(ofText row: String) -> Int? {
        row.hasPrefix(textRow) ? Int(row.dropFirst(textRow.count)) : nil
    }

    /// The items to take a text of.
    static func items(_ listing: ItemListing, search: String?) -> ProviderInterface {
        let words = search == nil ? "Notes and fields of" : "Search results"
        let section = InterfaceList.Section(
            title: title(words, listing), rows: listing.items.map { row($0, "item") })
        return .list(
            InterfaceList(
                title: "Insert from Passwords", sections: listing.items.isEmpty ? [] : [section], search: .provider,
                emptyText: search.map { "Nothing matches “\($0)”." }))
    }

    /// What of an item can be inserted.
    static func texts(_ texts: ItemTexts) -> ProviderInterface {
        let rows = texts.entries.prefix(longestList).enumerated().map { place, entry in
            InterfaceList.Row(
                id: "\(textRow)\(place)", title: DisplayText.line(String(entry.name.prefix(longestText))),
                subtitle: entry.isHidden ? "Hidden" : nil)
        }
        let back = InterfaceList.Row(id: backRow, title: "All items", subtitle: "Go back")
        let heading = rows.isEmpty ? "No notes or fields" : DisplayText.line(String(texts.title.prefix(longestText)))
        return .list(
            InterfaceList(
                title: "Insert from Passwords",
                sections: [.init(title: heading, rows: rows), .init(title: nil, rows: [back])],
                // The field holds what found the item, and goes on finding items.
                search: .provider))
    }

    /// The most texts of one item that are offered.
    private static let longestList = 500

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
            id: "\(section):\(CodeRecordName(item: item.id, section: item.code).record)",
            title: String(item.title.prefix(longestText)),
            subtitle: subtitle.isEmpty ? nil : String(subtitle.prefix(longestText)),
            service: item.place)
    }

    /// A passkey stands in a section of its own, so its row says that.
    private static func row(ofPasskey item: ItemSummary, in passkeys: [ItemSummary]) -> InterfaceList.Row {
        InterfaceList.Row(
            id: rowID(ofPasskey: item, in: passkeys),
            title: String((item.user.isEmpty ? item.title : item.user).prefix(longestText)),
            subtitle: "Passkey", service: item.passkey?.relyingParty)
    }

    private static let passkeyRow = "passkey:"

    /// Where an item has several of the passkeys, the row says which of them, by its place among them.
    static func rowID(ofPasskey item: ItemSummary, in passkeys: [ItemSummary]) -> String {
        let same = passkeys.filter { $0.id == item.id }
        guard same.count > 1, let place = same.firstIndex(of: item) else { return passkeyRow + item.id }
        return "\(passkeyRow)\(item.id):\(place)"
    }

    /// Whether a row stands for a passkey.
    static func isPasskey(row: String) -> Bool { row.hasPrefix(passkeyRow) }

    /// The item that a row stands for.
    static func record(ofRow row: String) -> String? {
        let parts = row.split(separator: ":", omittingEmptySubsequences: false)
        return parts.count > 1 ? String(parts[1]) : nil
    }

    /// The code that a row of a list of codes stands for.
    static func code(ofRow row: String) -> String? {
        row.firstIndex(of: ":").map { String(row[row.index(after: $0)...]) }
    }

    /// The list: passkeys that will do, then matches, then everything.
    static func list(_ listing: ItemListing, for services: [ASCredentialServiceIdentifier]) -> ProviderInterface {
        var sections: [InterfaceList.Section] = []
        if let party = listing.passkeys.first?.passkey?.relyingParty {
            sections.append(
                .init(
                    title: "Passkeys for \(party)",
                    rows: listing.passkeys.map { row(ofPasskey: $0, in: listing.passkeys) }))
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

    /// The list of codes: matches, then all.
    static func codes(_ listing: ItemListing, for services: [ASCredentialServiceIdentifier]) -> ProviderInterface {
        var sections: [InterfaceList.Section] = []
        if !listing.matches.isEmpty {
            let name = services.first.map { $0.displayName ?? $0.identifier }
            sections.append(.init(title: name.map { "For \($0)" }, rows: listing.matches.map { row($0, "match") }))
        }
        let rows = listing.items.map { row($0, "item") }
        sections.append(.init(title: title("All one-time codes", listing), rows: rows))
        return .list(InterfaceList(title: "Passwords", sections: sections, search: .provider))
    }

    /// The row for an item of its own.
    static let newItemRow = "new"

    /// Where the codes of a link can be kept: a new item, those that look like theirs, then all.
    static func places(_ listing: ItemListing, for keeping: CodeKeeping, search: String?) -> ProviderInterface {
        func short(_ text: String) -> String { DisplayText.line(String(text.prefix(longestText))) }
        let issuer = short(keeping.issuer)
        let name = [issuer, short(keeping.account)].first { !$0.isEmpty } ?? "One-time codes"
        let new = InterfaceList.Row(
            id: newItemRow, title: "New item: \(name)",
            subtitle: issuer.isEmpty || keeping.account.isEmpty ? nil : short(keeping.account))
        // Whoever searches means an item that there is.
        var sections = search == nil ? [InterfaceList.Section(title: nil, rows: [new])] : []
        if search == nil, !listing.matches.isEmpty {
            sections.append(.init(title: "For \(issuer)", rows: listing.matches.map { row($0, "match") }))
        }
        let words = search == nil ? "All items" : "Search results"
        if !listing.items.isEmpty {
            sections.append(.init(title: title(words, listing), rows: listing.items.map { row($0, "item") }))
        }
        if search != nil { sections.append(.init(title: nil, rows: [new])) }
        return .list(InterfaceList(title: "Where to keep the one-time codes", sections: sections, search: .provider))
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
        } else if case .keep(let keeping)? = goal {
            (title, submitTitle) = ("Save a password", "Unlock and save")
            why = "\(why) Passwords will save the password \(place(of: keeping)) in it."
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

    /// The question whether another password may go.
    static func replace(_ keeping: PasswordKeeping) -> ProviderInterface {
        .message(
            InterfaceMessage(
                title: "Replace the password?",
                text:
                    "Your vault has another password \(place(of: keeping)). That one stays in the history of its item.",
                style: .information, actions: [.init(id: replaceAction, title: "Replace password")]))
    }

    private static func place(of keeping: PasswordKeeping) -> String {
        let user = DisplayText.line(String(keeping.user.prefix(longestText)))
        let site = String(keeping.site.prefix(longestText))
        return user.isEmpty ? "for \(site)" : "for “\(user)” at \(site)"
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
    private var isForText: Bool { if case .text = request { true } else { false } }

    /// What is to be shown; nil while there is nothing.
    var interface: ProviderInterface? {
        switch screen {
        case .none: nil
        case .unlocking(let error):
            PasswordsScreens.unlock(error: error, goal, isOpen: verifiesByMasterPassword)
        case .proposal(let registration): PasswordsScreens.propose(registration)
        case .replacement(let keeping): PasswordsScreens.replace(keeping)
        case .deriving: PasswordsScreens.deriving
        case .list(let listing, let search) where isForText: PasswordsScreens.items(listing, search: search)
        case .texts(let texts, _, _): PasswordsScreens.texts(texts)
        case .list(let listing, let search) where settingUp != nil:
            settingUp.map { PasswordsScreens.places(listing, for: $0, search: search) }
        case .list(let listing, nil) where choosesCode: PasswordsScreens.codes(listing, for: services)
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
