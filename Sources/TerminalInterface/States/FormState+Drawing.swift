extension FormState {
    /// The part between header and footer, `height` lines at most; the field that is typed into is always among them.
    func body(width: Int, height: Int, _ appearance: Appearance) -> (lines: [Line], cursor: Frame.Position?) {
        let labels = form.fields.map { Columns.fit($0.label, into: width / 2) }
        let labelWidth = labels.map { Columns.width(of: $0) }.max() ?? 0
        var drawn: [Line] = []
        var cursor: Frame.Position?
        for (index, field) in fields.enumerated() {
            let padding = String(repeating: " ", count: labelWidth - Columns.width(of: labels[index]))
            let label = labels[index] + ": " + padding
            let value = shown(field, max(width - labelWidth - 2, 1), appearance)
            if index == focus { cursor = .init(row: index, column: labelWidth + 2 + value.cursor) }
            drawn.append(Line(Span(label, index == focus ? .bold : .dim), Span(value.text)))
        }
        let above = introduction(width: width, height: max(height - min(drawn.count, height), 0))
        let room = max(height - above.count, 1)
        let first = max(0, min(focus - room / 2, drawn.count - room))
        let shown = drawn[first..<min(first + room, drawn.count)]
        return (
            above + shown,
            cursor.map { Frame.Position(row: above.count + $0.row - first, column: min($0.column, width)) }
        )
    }

    /// What the keys do.
    func help(_ appearance: Appearance) -> [String] {
        let enter =
            "Enter " + (focus == fields.count - 1 || fields.isEmpty ? form.submitTitle : InterfaceText.nextField)
        return fields.count > 1 ? [enter, "Tab \(InterfaceText.nextField)"] : [enter]
    }

    /// Title, explanation and what was wrong, the last line kept first when there is no room for all.
    private func introduction(width: Int, height: Int) -> [Line] {
        let title = form.title.isEmpty ? [] : [Line(Span(form.title, .bold)).fitting(width)]
        let error = form.error.map { Columns.wrap($0, into: width).map { Line(Span($0, .failure)) } } ?? []
        let explanation = form.explanation.map { Columns.wrap($0, into: width).map { Line(Span($0)) } } ?? []
        let kept = Array(error.prefix(height))
        let titled = Array(title.prefix(height - kept.count))
        return titled + explanation.prefix(height - kept.count - titled.count) + kept
    }

    private func shown(_ field: Field, _ columns: Int, _ appearance: Appearance) -> (text: String, cursor: Int) {
        switch field {
        case .text(let field): return field.visible(in: columns)
        case .secret(let field):
            let count = min(field.count, columns - 1)
            return (String(repeating: appearance.bullet, count: count), count)
        }
    }
}
