import Adwaita
import AutoFillProtocol

/// Something to read, with buttons.
@MainActor
final class MessagePage {
    /// The most room for the text, in pixels.
    private static let limit: Int32 = 280

    var onPress: (String) -> Void = { _ in }

    private let icon: Image
    private let title: Label
    private let scroller: ScrolledWindow
    private let text: Label
    private let actions: Box
    /// The button that has the focus at first.
    private var first: Button?

    init(_ file: InterfaceFile) throws(DesktopError) {
        icon = try file.object("message-icon")
        title = try file.object("message-title")
        scroller = try file.object("message-scroller")
        text = try file.object("message-text")
        actions = try file.object("message-actions")
    }

    func show(_ message: InterfaceMessage) {
        begin(icon: message.style.icon, title: message.title, text: message.text)
        let buttons = message.actions.enumerated().map { index, action in
            button(action.title, style: index == 0 ? "suggested-action" : nil) { [weak self] in
                self?.onPress(action.id)
            }
        }
        first = buttons.first
    }

    /// Where Enter begins: the first button; false where there is none.
    func focusFirst() -> Bool { first?.grabFocus() ?? false }

    func setWorking(_ isWorking: Bool) {
        actions.isSensitive = !isWorking
    }

    private func begin(icon name: String, title text: String, text body: String) {
        icon.show(icon: name)
        title.text = text
        title.isVisible = !text.isEmpty
        self.text.text = body
        scroller.isVisible = !body.isEmpty
        scroller.makeRoom(for: self.text, width: SheetWindow.contentWidth - 36, limit: Self.limit)
        scroller.scrollToTop()
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
