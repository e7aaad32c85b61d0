extension PickerState {
    /// The part between header and footer, `height` lines at most.
    func body(width: Int, height: Int, _ appearance: Appearance) -> (lines: [Line], cursor: Frame.Position?) {
        var lines: [Line] = []
        var cursor: Frame.Position?
        if !list.title.isEmpty && height > 4 { lines.append(Line(Span(list.title, .bold))) }
        if list.search != .none && height > 1 {
            let label = InterfaceText.search + ": "
            let visible = query.visible(in: max(width - Columns.width(of: label), 1))
            cursor = Frame.Position(row: lines.count, column: Columns.width(of: label) + visible.cursor)
            lines.append(Line(Span(label, .dim), Span(visible.text)))
        }
        lines += listing(width: width, height: max(height - lines.count, 1), appearance)
        return (lines, cursor)
    }

    /// What the keys do.
    func help(_ appearance: Appearance) -> [String] {
        rows.isEmpty
            ? []
            : [
                "\(appearance.arrows) \(InterfaceText.move)", "Enter \(InterfaceText.choose)",
            ]
    }

    /// Where the selection stands among all rows.
    var position: String? {
        rows.isEmpty ? nil : InterfaceText.position(selection + 1, of: rows.count)
    }

    /// How many lines of the list a body of `height` lines shows.
    static func page(height: Int) -> Int { max(height - 3, 1) }

    private func listing(width: Int, height: Int, _ appearance: Appearance) -> [Line] {
        guard rows.indices.contains(selection) else {
            let text = query.text.isEmpty ? list.emptyText ?? InterfaceText.nothingHere : InterfaceText.nothingFound
            return Columns.wrap(text, into: width).prefix(height).map { Line(Span($0, .dim)) }
        }
        let selected = rows[selection]
        // The selection stays in the middle, except near both ends; the heading of the first row is not cut off.
        let first = max(0, min(selected - height / 2, entries.count - height))
        return entries[first..<min(first + height, entries.count)].enumerated().map { index, entry in
            line(entry, isSelected: first + index == selected, width, appearance)
        }
    }

    private func line(_ entry: Entry, isSelected: Bool, _ width: Int, _ appearance: Appearance) -> Line {
        switch entry {
        case .heading(let title): return Line(Span(title, .dim)).fitting(width)
        case .row(let row):
            let mark = isSelected ? appearance.marker + " " : "  "
            let room = width - Columns.width(of: mark)
            // A long title leaves the subtitle, which tells accounts apart, a third of the line.
            let least = row.subtitle.map { min(Columns.width(of: $0) + 2, room / 3) } ?? 0
            let title = Columns.fit(row.title, into: room - least)
            var spans = [Span(mark + title, isSelected ? .reversed : [])]
            if let subtitle = row.subtitle, !subtitle.isEmpty {
                let rest = Columns.fit("  " + subtitle, into: max(room - Columns.width(of: title), 0))
                spans.append(Span(rest, isSelected ? .reversed : .dim))
            }
            return Line(spans)
        }
    }
}
