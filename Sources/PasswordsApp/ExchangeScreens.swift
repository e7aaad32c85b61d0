import AuthenticationServices
import AutoFillProtocol
import PasswordsProtocol

/// What a document says of itself.
protocol ExchangeSource {
    /// Who made it, as it claims.
    var exporter: String { get }
}

/// What is shown while items come to the vault, or go from it.
enum ExchangeScreens {
    private static let passwordField = "master-password"
    private static let goOn = "go-on"
    /// How many remarks are shown; all of them are in the report.
    private static let shownNotices = 8
    private static let longestText = 120

    static let unlocking = ProviderInterface.progress(
        InterfaceProgress(title: "Unlocking Passwords", text: "This takes a moment, to make guessing slow."))
    static let comparing = ProviderInterface.progress(InterfaceProgress(title: "Comparing with your vault"))
    static let storing = ProviderInterface.progress(InterfaceProgress(title: "Storing in your vault"))
    static let writing = ProviderInterface.progress(InterfaceProgress(title: "Reading your vault"))
    static let handingOver = ProviderInterface.progress(
        InterfaceProgress(title: "Handing over", text: "The other provider asks you what to do with it."))

    // MARK: - The master password

    static func unlock(_ problem: String?) -> ProviderInterface {
        form("Unlock Passwords", "Passwords is about to take over accounts of another provider.", "Unlock", problem)
    }

    static func masterPassword(_ problem: String?) -> ProviderInterface {
        form(
            "Confirm it’s you",
            "Everything in your vault is handed over: passwords, passkeys and one-time codes. Passwords keeps its copy.",
            "Hand Over", problem)
    }

    private static func form(
        _ title: String, _ text: String, _ submit: String, _ problem: String?
    ) -> ProviderInterface {
        .form(
            InterfaceForm(
                title: title, explanation: text,
                fields: [.init(id: passwordField, label: "Master password", kind: .secure)], submitTitle: submit,
                error: problem))
    }

    /// The master password that was typed.
    static func secret(_ event: InterfaceEvent) -> InterfaceSecret? {
        guard case .submitted(let values) = event, case .secret(let secret)? = values[passwordField] else { return nil }
        return secret
    }

    // MARK: - Before anything is stored

    static func preview(
        _ counts: ImportCounts, _ source: any ExchangeSource, _ notices: [KeywayExchangeReport.Notice]
    ) -> ProviderInterface {
        let isEmpty = counts.new + counts.conflicts == 0
        var lines = [
            "\(line(source.exporter.isEmpty ? "Another provider" : source.exporter)) hands over \(items(counts.total))."
        ]
        if counts.new > 0 { lines.append("New: \(counts.new)") }
        if counts.conflicts > 0 { lines.append("Already there with something else: \(counts.conflicts)") }
        if counts.duplicates > 0 { lines.append("Already there: \(counts.duplicates)") }
        if counts.refused > 0 { lines.append("Can’t be stored: \(counts.refused)") }
        lines += remarks(notices, of: notices.count)
        var actions: [InterfaceMessage.Action] = []
        if isEmpty {
            actions = [.init(id: ConflictChoice.skip.rawValue, title: "Done")]
        } else if counts.conflicts == 0 {
            actions = [.init(id: ConflictChoice.keepBoth.rawValue, title: "Import \(counts.new)")]
        } else {
            actions = [
                .init(id: ConflictChoice.keepBoth.rawValue, title: "Import and Keep Both"),
                .init(id: ConflictChoice.replace.rawValue, title: "Import and Replace"),
            ]
            if counts.new > 0 {
                actions.append(.init(id: ConflictChoice.skip.rawValue, title: "Import Only \(counts.new)"))
            }
        }
        return .message(
            InterfaceMessage(
                title: isEmpty ? "Nothing to import" : "Import into Passwords?", text: lines.joined(separator: "\n"),
                style: counts.conflicts > 0 ? .warning : .information, actions: actions))
    }

    /// What the person wants of it.
    static func conflictChoice(_ event: InterfaceEvent) -> ConflictChoice? {
        if case .activated(let action) = event { ConflictChoice(rawValue: action) } else { nil }
    }

    // MARK: - Before anything is handed over

    static func losses(
        _ count: Int, _ notices: [KeywayExchangeReport.Notice], of all: Int
    ) -> ProviderInterface {
        .message(
            InterfaceMessage(
                title: "Not everything can be handed over",
                text: (["\(items(count)) can be handed over, but:"] + remarks(notices, of: all)).joined(
                    separator: "\n"),
                style: .warning, actions: [.init(id: goOn, title: "Hand Over")]))
    }

    /// Whether the person goes on.
    static func agreed(_ event: InterfaceEvent) -> Void? {
        if case .activated(goOn) = event { () } else { nil }
    }

    // MARK: - Words

    private static func remarks(_ notices: [KeywayExchangeReport.Notice], of all: Int) -> [String] {
        guard all > 0 else { return [] }
        var lines = [""] + notices.prefix(shownNotices).map { "\(line($0.item)): \(line($0.reason))" }
        let rest = all - min(notices.count, shownNotices)
        if rest > 0 { lines.append("… \(more(rest))") }
        return lines
    }

    static func more(_ count: Int) -> String { count == 1 ? "And 1 more." : "And \(count) more." }

    static func duplicates(_ count: Int) -> String {
        count == 1 ? "1 item was there already." : "\(count) items were there already."
    }

    private static func items(_ count: Int) -> String { count == 1 ? "1 item" : "\(count) items" }

    private static func line(_ text: String) -> String {
        String(text.prefix(longestText).map { $0.isNewline ? " " : $0 })
    }
}
