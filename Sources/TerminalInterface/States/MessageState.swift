package import AutoFillProtocol

/// A message on the screen, and which of its buttons is selected: those of the provider, then the one that cancels.
package struct MessageState: Sendable {
    /// The message, made harmless.
    package let message: InterfaceMessage
    /// The button that Enter presses; the one behind the last action cancels.
    package private(set) var selection: Int
    private(set) var scrolled = 0

    /// A message as it comes.
    ///
    /// - Parameter cancelsFirst: whether Enter cancels unless another button is selected.
    package init(_ message: InterfaceMessage, cancelsFirst: Bool = false) {
        self.message = message
        selection = cancelsFirst ? message.actions.count : 0
    }

    /// Takes a key.
    package mutating func handle(_ key: Key, page: Int) -> Reaction {
        switch key {
        case .left, .backTab, .control("b"): selection = max(selection - 1, 0)
        case .right, .tab, .control("f"): selection = min(selection + 1, message.actions.count)
        case .up, .control("p"): scrolled = max(scrolled - 1, 0)
        case .down, .control("n"): scrolled += 1
        case .pageUp: scrolled = max(scrolled - page, 0)
        case .pageDown: scrolled += page
        case .enter:
            guard message.actions.indices.contains(selection) else { return .event(.cancelled) }
            return .event(.activated(action: message.actions[selection].id))
        default: return .none
        }
        // Whoever scrolled beyond the end scrolls back from the end.
        scrolled = min(scrolled, message.text.count)
        return .redraw
    }

    /// The part between header and footer, `height` lines at most; the buttons are always among them.
    func body(width: Int, height: Int) -> (lines: [Line], cursor: Frame.Position?) {
        let style: Style =
            switch message.style {
            case .information: []
            case .warning: .warning
            case .error: .failure
            }
        let title = message.title.isEmpty || height < 3 ? [] : [Line(Span(message.title, style.union(.bold)))]
        let room = max(height - title.count - 1, 0)
        let text = Columns.wrap(message.text, into: width)
        let first = max(0, min(scrolled, text.count - room))
        let shown = text[first..<min(first + room, text.count)].map { Line(Span($0)) }
        return ((title + shown + [buttons]).map { $0.fitting(width) }, nil)
    }

    /// What the keys do.
    var help: [String] { ["Enter \(InterfaceText.choose)", "Tab \(InterfaceText.move)"] }

    private var buttons: Line {
        let titles = message.actions.map(\.title) + [InterfaceText.cancel]
        return Line(
            titles.enumerated().flatMap { index, title in
                [Span("[ \(title) ]", index == selection ? .reversed : []), Span(" ")]
            })
    }
}
