import Adwaita

/// The clock of the desktop.
package struct DesktopTimer: SheetTimer {
    /// The clock of the desktop.
    package init() {}

    package func after(milliseconds: UInt32, _ body: @escaping @MainActor () -> Void) {
        Desktop.after(milliseconds: milliseconds, body)
    }
}

/// A question of the system's own, with what to know before it is answered. Enter begins on the button that refuses.
@MainActor
final class DecisionPage {
    /// The most room for what is to be known, in pixels: with the rest, less than the lowest screens have.
    private static let limit: Int32 = 440

    var onAnswer: (Bool) -> Void = { _ in }

    private let title: Label
    private let scroller: ScrolledWindow
    private let content: Box
    private let text: Label
    private let facts: PreferencesGroup
    private let refuse: Button
    private let allow: Button
    private let consideration: Consideration

    init(_ file: InterfaceFile, _ language: SheetLanguage, timer: any SheetTimer) throws(DesktopError) {
        title = try file.object("decision-title")
        scroller = try file.object("decision-scroller")
        content = try file.object("decision-content")
        text = try file.object("decision-text")
        facts = try file.object("facts")
        refuse = try file.object("refuse")
        let allow: Button = try file.object("allow")
        self.allow = allow
        consideration = Consideration(timer: timer) { allow.isSensitive = $0 }
        refuse.title = language.text(.refuse)
        allow.title = language.text(.allow)
        refuse.on("clicked") { [weak self] in self?.onAnswer(false) }
        allow.on("clicked") { [weak self] in
            guard let self, consideration.isOver else { return }
            onAnswer(true)
        }
    }

    func show(_ decision: Decision) {
        title.text = decision.title
        text.text = decision.text
        text.isVisible = !decision.text.isEmpty
        facts.removeAll()
        for fact in decision.facts { facts.append(Self.row(for: fact)) }
        allow.setStyle("destructive-action", decision.isRisky)
        allow.setStyle("suggested-action", !decision.isRisky)
        scroller.makeRoom(for: content, width: SheetWindow.contentWidth, limit: Self.limit)
        scroller.scrollToTop()
        consideration.begin()
    }

    func clear() {
        consideration.end()
        facts.removeAll()
    }

    func considerAgain() {
        consideration.beginAgain()
    }

    func focusFirst() {
        refuse.grabFocus()
    }

    private static func row(for fact: Decision.Fact) -> ActionRow {
        let row = ActionRow(title: fact.title, subtitle: fact.detail)
        switch fact.kind {
        case .name: row.setStyle("sheet-fact")
        case .ability: row.addPrefix(Image(icon: "object-select-symbolic"))
        case .warning:
            let image = Image(icon: "dialog-warning-symbolic")
            image.setStyle("warning")
            row.addPrefix(image)
        }
        return row
    }
}
