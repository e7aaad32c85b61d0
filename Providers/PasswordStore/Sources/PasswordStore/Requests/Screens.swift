import AuthenticationServices
import PassEntries

/// The words and rows of what is shown.
enum Screens {
    /// The field for the passphrase.
    static let passphraseField = "passphrase"
    /// The field for the store's folder, and the one for an entry's name.
    static let textField = "text"
    /// The button that goes on.
    static let goOn = "go-on"
    /// The most rows of one list; more are found by searching.
    static let maximumRows = 400
    private static let longestText = 100

    // MARK: The key

    static func unlock(_ name: EntryName, error: String?) -> ProviderInterface {
        .form(
            InterfaceForm(
                title: "Unlock your GnuPG key",
                explanation: "\(line(name.text)) is encrypted. What you type goes to gpg, whose agent remembers it "
                    + "for as long as it is set up to.",
                fields: [.init(id: passphraseField, label: "Passphrase", kind: .secure)],
                submitTitle: "Unlock", error: error))
    }

    static let unlocking = ProviderInterface.progress(InterfaceProgress(title: "Asking gpg"))

    static func unlockElsewhere(_ name: EntryName, _ error: StoreError) -> ProviderInterface {
        message(
            "Unlock it with your pinentry",
            "\(error.reason) Type this in a terminal, and then try again: pass show \(shellWord(name.text))",
            style: .information)
    }

    static func failure(_ error: StoreError) -> ProviderInterface {
        message("The password store cannot answer", error.reason, style: .error)
    }

    private static func message(_ title: String, _ text: String, style: InterfaceMessage.Style) -> ProviderInterface {
        .message(
            InterfaceMessage(title: title, text: text, style: style, actions: [.init(id: goOn, title: "Try again")]))
    }

    // MARK: Lists

    /// Entries to choose from: those for a service first. A row is known by its section and its place in `entries`.
    static func list(_ entries: EntryList) -> ProviderInterface {
        var sections: [InterfaceList.Section] = []
        if entries.search.isEmpty, !entries.matches.isEmpty {
            let rows = entries.matches.prefix(maximumRows).map { row($0, in: entries, "match") }
            sections.append(.init(title: entries.serviceName.map { "For \(line($0))" }, rows: rows))
        }
        let rows = entries.found.prefix(maximumRows).map { row($0, in: entries, "entry") }
        let title = rows.count < entries.found.count ? " (\(rows.count) of \(entries.found.count); type to search)" : ""
        if !rows.isEmpty {
            sections.append(.init(title: (entries.search.isEmpty ? "All" : "Found") + title, rows: rows))
        }
        return .list(
            InterfaceList(
                title: "Password Store", sections: sections, search: .provider,
                emptyText: entries.search.isEmpty
                    ? "There is nothing to choose. Add something in a terminal: pass insert example.com/ada"
                    : "Nothing matches “\(line(entries.search))”."))
    }

    private static func row(_ index: Int, in entries: EntryList, _ section: String) -> InterfaceList.Row {
        let name = entries.names[index]
        let folder = name.folder
        return InterfaceList.Row(
            id: "\(section):\(index)", title: line(String(name.last)), subtitle: folder.isEmpty ? nil : line(folder),
            service: entries.service(of: index)?.identifier.identifier)
    }

    /// The place of the row's entry.
    static func index(ofRow row: String) -> Int? {
        row.lastIndex(of: ":").flatMap { Int(row[row.index(after: $0)...]) }
    }

    /// The parts of an entry to choose from; what they hold is not shown.
    static func parts(_ name: EntryName, _ parts: [EntryPart]) -> ProviderInterface {
        let rows = parts.enumerated().map { InterfaceList.Row(id: "part:\($0)", title: line($1.label)) }
        return .list(
            InterfaceList(
                title: line(name.text), sections: [.init(rows: rows)], search: .rows, emptyText: "It is empty."))
    }

    // MARK: Saving

    static func replace(_ name: EntryName) -> ProviderInterface {
        .message(
            InterfaceMessage(
                title: "Change the password of \(line(name.text))?",
                text: "The entry has another password. Its other lines stay as they are.", style: .warning,
                actions: [.init(id: goOn, title: "Change it")]))
    }

    // MARK: Configuration

    static func folder(_ folder: String, error: String?) -> ProviderInterface {
        .form(
            InterfaceForm(
                title: "Your password store",
                explanation:
                    "The folder of pass. Its entries are suggested by their names; none is decrypted for that.",
                fields: [.init(id: textField, label: "Folder", kind: .text(initial: folder))], submitTitle: "Use it",
                error: error))
    }

    // MARK: Text

    private static func line(_ text: String) -> String { String(text.prefix(longestText)) }

    /// Text as a word of a shell command.
    private static func shellWord(_ text: String) -> String {
        let isPlain = text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "/.-_@".contains($0)) }
        return isPlain ? text : "'\(text.replacingOccurrences(of: "'", with: "'\\''"))'"
    }
}
