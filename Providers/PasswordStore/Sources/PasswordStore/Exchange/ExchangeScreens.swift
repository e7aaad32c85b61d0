import AuthenticationServices

/// What is shown while credentials come from another manager, or go to one.
enum ExchangeScreens {
    /// The button that stores everything.
    static let store = "store"
    /// The button that stores what is beside nothing.
    static let storeNew = "store-new"
    /// How many remarks are shown before the person agrees; all of them are in the report.
    private static let shownNotices = 8
    private static let longestText = 120

    static let comparing = ProviderInterface.progress(InterfaceProgress(title: "Comparing with the password store"))

    /// What would become of everything, and the buttons for it.
    static func preview(_ plan: ImportPlan, from exporter: String) -> ProviderInterface {
        var actions: [InterfaceMessage.Action] = []
        if plan.entries.isEmpty {
            actions = [.init(id: store, title: "Done")]
        } else {
            actions = [.init(id: store, title: "Import \(plan.entries.count)")]
            let new = plan.entries.count - plan.conflicts
            if plan.conflicts > 0, new > 0 { actions.append(.init(id: storeNew, title: "Import Only \(new)")) }
        }
        return .message(
            InterfaceMessage(
                title: plan.entries.isEmpty ? "Nothing to import" : "Import into the password store?",
                text: text(plan, exporter), style: plan.conflicts > 0 ? .warning : .information, actions: actions))
    }

    private static func text(_ plan: ImportPlan, _ exporter: String) -> String {
        var lines = ["\(exporter) hands over \(count(plan.items, "item", "items"))."]
        let new = plan.entries.count - plan.conflicts
        if new > 0 { lines.append("New: \(new)") }
        if plan.conflicts > 0 {
            lines.append("Stored beside another entry for the same account: \(plan.conflicts)")
        }
        if plan.duplicates > 0 { lines.append("Already there: \(plan.duplicates)") }
        if plan.leftOut > 0 { lines.append("Left out: \(plan.leftOut)") }
        lines += remarks(plan.notices.map { ($0.title, $0.reason) })
        return lines.joined(separator: "\n")
    }

    private static func remarks(_ notices: [(String, String)]) -> [String] {
        guard !notices.isEmpty else { return [] }
        var lines = [""] + notices.prefix(shownNotices).map { "\(line($0)): \(line($1))" }
        let more = notices.count - shownNotices
        if more > 0 { lines.append("… and \(count(more, "more remark", "more remarks")).") }
        return lines
    }

    /// What can't be handed over, before anything is.
    static func losses(_ export: AccountExport) -> ProviderInterface {
        let lines = ["\(count(export.count, "entry", "entries")) can be handed over, but:"]
        return .message(
            InterfaceMessage(
                title: "Not everything can be handed over",
                text: (lines + remarks(export.notices.map { ($0.name, $0.reason) })).joined(separator: "\n"),
                style: .warning, actions: [.init(id: store, title: "Hand Over")]))
    }

    static let handingOver = ProviderInterface.progress(
        InterfaceProgress(title: "Handing over", text: "The other provider asks you what to do with it."))

    static func duplicates(_ number: Int) -> String {
        number == 1 ? "1 item was there already." : "\(number) items were there already."
    }

    static func writing(_ done: Int, of all: Int) -> ProviderInterface {
        progress("Encrypting entries", done, all)
    }

    static func reading(_ done: Int, of all: Int) -> ProviderInterface {
        progress("Decrypting entries", done, all)
    }

    private static func progress(_ title: String, _ done: Int, _ all: Int) -> ProviderInterface {
        .progress(
            InterfaceProgress(
                title: title, text: "\(done) of \(all)", fraction: all > 0 ? Double(done) / Double(all) : nil))
    }

    private static func count(_ number: Int, _ one: String, _ several: String) -> String {
        number == 1 ? "1 \(one)" : "\(number) \(several)"
    }

    /// Text of another manager as part of a line.
    static func line(_ text: String) -> String {
        String(text.prefix(longestText).map { $0.isNewline ? " " : $0 })
    }
}
