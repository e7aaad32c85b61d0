import Adwaita
import AutoFillProtocol

/// Something to read, with buttons; and the question whether a program may ask.
@MainActor
final class MessagePage {
    /// How long the button that allows waits, in milliseconds: nobody says yes to what appeared under their fingers.
    private static let patience: UInt32 = 700

    var onPress: (String) -> Void = { _ in }
    var onConsent: (Bool) -> Void = { _ in }

    private let icon: Image
    private let title: Label
    private let scroller: ScrolledWindow
    private let text: Label
    private let facts: PreferencesGroup
    private let actions: Box
    private let language: SheetLanguage
    /// The button that has the focus at first.
    private var first: Button?
    private var generation = 0

    init(_ file: InterfaceFile, _ language: SheetLanguage) throws(DesktopError) {
        icon = try file.object("message-icon")
        title = try file.object("message-title")
        scroller = try file.object("message-scroller")
        text = try file.object("message-text")
        facts = try file.object("facts")
        actions = try file.object("message-actions")
        self.language = language
    }

    func show(_ message: InterfaceMessage) {
        begin(icon: message.style.icon, title: message.title, text: message.text)
        facts.isVisible = false
        let buttons = message.actions.enumerated().map { index, action in
            button(action.title, style: index == 0 ? "suggested-action" : nil) { [weak self] in
                self?.onPress(action.id)
            }
        }
        first = buttons.first
    }

    func show(_ consent: AskPerson.Consent) {
        begin(
            icon: "dialog-question-symbolic", title: language.text(.consentTitle, ["program": consent.program]),
            text: "")
        facts.isVisible = true
        facts.append(ActionRow(title: language.text(.program), subtitle: consent.path))
        for permission in consent.permissions {
            facts.append(ActionRow(title: language.text(permission.text), subtitle: ""))
        }
        let refuse = button(language.text(.refuse), style: nil) { [weak self] in self?.onConsent(false) }
        let allow = button(language.text(.allow), style: "suggested-action") { [weak self] in self?.onConsent(true) }
        allow.isSensitive = false
        let current = generation
        Desktop.after(milliseconds: Self.patience) { [weak self] in
            if self?.generation == current { allow.isSensitive = true }
        }
        first = refuse
    }

    /// Where Enter begins: the first button of a message, the one that refuses of a consent; false without buttons.
    func focusFirst() -> Bool { first?.grabFocus() ?? false }

    func setWorking(_ isWorking: Bool) {
        actions.isSensitive = !isWorking
    }

    private func begin(icon name: String, title text: String, text body: String) {
        generation += 1
        icon.show(icon: name)
        title.text = text
        title.isVisible = !text.isEmpty
        self.text.text = body
        scroller.isVisible = !body.isEmpty
        scroller.scrollToTop()
        facts.removeAll()
        actions.removeAll()
        first = nil
        actions.isSensitive = true
    }

    private func button(
        _ title: String, style: String?, _ body: @escaping @MainActor () -> Void
    ) -> Button {
        let button = Button(title)
        button.setStyle("pill")
        if let style { button.setStyle(style) }
        button.on("clicked", body)
        actions.append(button)
        return button
    }
}

extension InterfaceMessage.Style {
    fileprivate var icon: String {
        switch self {
        case .information: "dialog-information-symbolic"
        case .warning: "dialog-warning-symbolic"
        case .error: "dialog-error-symbolic"
        }
    }
}

extension AskPerson.Permission {
    fileprivate var text: SheetText {
        switch self {
        case .seeAccounts: .seeAccounts
        case .receiveCredentials: .receiveCredentials
        case .changeProviders: .changeProviders
        case .useService: .useService
        }
    }
}
