import AutoFillWire
package import KeywaySystem

/// What a presenter can rely on: sizes are bounded and text is text.
extension ProviderInterface {
    /// The most rows of one list; more are found by searching.
    package static let maximumRows = 1000
    /// The most fields of one form.
    package static let maximumFields = 20
    /// The most buttons of one message.
    package static let maximumActions = 6

    /// The same interface with every text stripped of control characters and cut to a length that can be shown.
    ///
    /// - Throws: ``ProtocolError`` with the code `invalidParameters` when there are too many rows, fields or buttons.
    package func bounded() throws(ProtocolError) -> ProviderInterface {
        switch self {
        case .list(let list): .list(try list.bounded())
        case .form(let form): .form(try form.bounded())
        case .message(let message): .message(try message.bounded())
        case .progress(let progress): .progress(progress.bounded())
        }
    }
}

extension InterfaceList {
    fileprivate func bounded() throws(ProtocolError) -> InterfaceList {
        guard sections.reduce(0, { $0 + $1.rows.count }) <= ProviderInterface.maximumRows,
            sections.count <= ProviderInterface.maximumRows
        else { throw .tooMany("rows") }
        var list = self
        list.title = DisplayText.line(title)
        list.emptyText = emptyText.map(DisplayText.paragraph)
        list.sections = sections.map { section in
            Section(
                title: section.title.map(DisplayText.line),
                rows: section.rows.map {
                    Row(
                        id: $0.id, title: DisplayText.line($0.title), subtitle: $0.subtitle.map(DisplayText.line),
                        service: $0.service.map(DisplayText.line))
                })
        }
        return list
    }
}

extension InterfaceForm {
    fileprivate func bounded() throws(ProtocolError) -> InterfaceForm {
        guard fields.count <= ProviderInterface.maximumFields else { throw .tooMany("fields") }
        var form = self
        form.title = DisplayText.line(title)
        form.explanation = explanation.map(DisplayText.paragraph)
        form.submitTitle = DisplayText.line(submitTitle)
        form.error = error.map(DisplayText.paragraph)
        form.fields = fields.map { field in
            var kind = field.kind
            if case .text(let initial) = kind { kind = .text(initial: DisplayText.line(initial)) }
            return Field(id: field.id, label: DisplayText.line(field.label), kind: kind)
        }
        return form
    }
}

extension InterfaceMessage {
    fileprivate func bounded() throws(ProtocolError) -> InterfaceMessage {
        guard actions.count <= ProviderInterface.maximumActions else { throw .tooMany("buttons") }
        return InterfaceMessage(
            title: DisplayText.line(title), text: DisplayText.paragraph(text), style: style,
            actions: actions.map { Action(id: $0.id, title: DisplayText.line($0.title)) })
    }
}

extension InterfaceProgress {
    fileprivate func bounded() -> InterfaceProgress {
        let known = fraction.flatMap { $0.isFinite ? min(max($0, 0), 1) : nil }
        return InterfaceProgress(title: DisplayText.line(title), text: text.map(DisplayText.line), fraction: known)
    }
}

extension ProtocolError {
    fileprivate static func tooMany(_ what: String) -> ProtocolError {
        ProtocolError(.invalidParameters, "The interface has too many \(what).")
    }
}
