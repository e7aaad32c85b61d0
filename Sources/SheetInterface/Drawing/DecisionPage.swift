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

    /// How many rows of names, and how many others, most questions have at most.
    private static let usual = (names: 4, others: 6)

    var onAnswer: (SheetAnswer) -> Void = { _ in }

    private let title: Label
    private let scroller: ScrolledWindow
    private let content: Box
    private let text: Label
    private let facts: PreferencesGroup
    private let refuse: Button
    private let allow: Button
    private let never: Button
    private let consideration: Consideration
    /// The rows that there are; making one takes longer than anything else here. Names look different, and keep their
    /// rows: one that has just changed its style is measured as it was.
    private var names: [FactRow] = []
    private var others: [FactRow] = []

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
        scroller.keepBarOnRight(isRightToLeft: language.isRightToLeft)
        never = try file.object("never")
        refuse.on("clicked") { [weak self] in self?.onAnswer(.refused) }
        never.on("clicked") { [weak self] in
            // As little as yes is it said to what appeared under somebody's fingers.
            guard let self, consideration.isOver else { return }
            onAnswer(.never)
        }
        allow.on("clicked") { [weak self] in
            guard let self, consideration.isOver else { return }
            onAnswer(.allowed)
        }
    }

    /// Makes what the first question will need, a little at a time; true while there is more to do.
    func prepare() -> Bool {
        if names.count < Self.usual.names {
            names.append(FactRow(isName: true))
        } else if others.count < Self.usual.others {
            others.append(FactRow(isName: false))
        } else {
            return false
        }
        return true
    }

    func show(_ decision: Decision) {
        title.text = decision.title
        text.text = decision.text
        text.isVisible = !decision.text.isEmpty
        facts.removeAll()
        var used = (names: 0, others: 0)
        for fact in decision.facts {
            let row: FactRow
            if fact.isName {
                row = Self.row(used.names, of: &names, isName: true)
                used.names += 1
            } else {
                row = Self.row(used.others, of: &others, isName: false)
                used.others += 1
            }
            row.show(fact)
            facts.append(row.row)
        }
        refuse.title = decision.buttons.refuse
        allow.title = decision.buttons.allow
        never.isVisible = decision.buttons.never != nil
        if let title = decision.buttons.never { never.title = title }
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

    private static func row(_ index: Int, of rows: inout [FactRow], isName: Bool) -> FactRow {
        while rows.count <= index { rows.append(FactRow(isName: isName)) }
        return rows[index]
    }
}

/// One thing to know.
@MainActor
private final class FactRow {
    let row = ActionRow()
    private let icon = Image(icon: "object-select-symbolic")

    /// A row; the name of something stands small above it.
    init(isName: Bool) {
        row.addPrefix(icon)
        row.setStyle("sheet-fact", isName)
    }

    func show(_ fact: Decision.Fact) {
        row.title = fact.title
        row.subtitle = fact.detail
        icon.show(icon: fact.kind.icon)
        icon.setStyle("warning", fact.kind == .warning || fact.kind == .doubtfulName)
        // It keeps its place, so that the texts of all rows begin at one line.
        icon.setStyle("sheet-blank", fact.kind == .name)
    }
}

extension Decision.Fact {
    fileprivate var isName: Bool { (kind == .name || kind == .doubtfulName) && !detail.isEmpty }
}

extension Decision.Fact.Kind {
    fileprivate var icon: String {
        switch self {
        case .name, .ability: "object-select-symbolic"
        case .assurance: "security-high-symbolic"
        case .warning, .doubtfulName: "dialog-warning-symbolic"
        }
    }
}
