/// How a piece of text is set off; what a terminal cannot show it leaves out.
package struct Style: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Stronger than the text around it.
    package static let bold = Style(rawValue: 1)
    /// Weaker than the text around it.
    package static let dim = Style(rawValue: 2)
    /// Foreground and background exchanged: what is selected.
    package static let reversed = Style(rawValue: 4)
    /// Asks for attention.
    package static let warning = Style(rawValue: 8)
    /// Says that something failed.
    package static let failure = Style(rawValue: 16)
}

/// Text in one style.
package struct Span: Hashable, Sendable {
    /// The text: one line, no control characters.
    package let text: String
    /// Its style.
    package let style: Style

    /// `text` in `style`.
    package init(_ text: String, _ style: Style = []) {
        self.text = text
        self.style = style
    }
}

/// One line of the screen.
package struct Line: Hashable, Sendable {
    /// What stands in it, from the left.
    package let spans: [Span]

    /// A line of `spans`.
    package init(_ spans: Span...) { self.spans = spans }

    /// A line of `spans`.
    package init(_ spans: [Span]) { self.spans = spans }

    /// The text without its styles.
    package var text: String { spans.map(\.text).joined() }
    /// How many columns it takes.
    package var width: Int { spans.reduce(0) { $0 + Columns.width(of: $1.text) } }

    /// The line cut to `columns`.
    package func fitting(_ columns: Int) -> Line {
        guard width > columns else { return self }
        var room = columns
        var kept: [Span] = []
        for span in spans where room > 0 {
            let text = Columns.fit(span.text, into: room)
            room -= Columns.width(of: text)
            kept.append(Span(text, span.style))
            if text != span.text { break }
        }
        return Line(kept)
    }

    /// The line moved to the right by `columns`.
    package func indented(_ columns: Int) -> Line {
        Line([Span(String(repeating: " ", count: columns))] + spans)
    }
}

/// What is on the screen: the outcome of drawing, as a value.
package struct Frame: Hashable, Sendable {
    /// A place in a frame, counted from 0.
    package struct Position: Hashable, Sendable {
        /// Which line.
        package let row: Int
        /// Which column.
        package let column: Int

        /// The place `column` in line `row`.
        package init(row: Int, column: Int) {
            self.row = row
            self.column = column
        }
    }

    /// The lines, from the top.
    package let lines: [Line]
    /// Where the cursor blinks; nil where it is hidden.
    package let cursor: Position?

    /// A frame of `lines`.
    package init(lines: [Line], cursor: Position? = nil) {
        self.lines = lines
        self.cursor = cursor
    }

    /// The text of all lines, for tests and plain output.
    package var text: String { lines.map(\.text).joined(separator: "\n") }
}

/// The size of a screen in characters.
package struct ScreenSize: Hashable, Sendable {
    /// Characters in a line.
    package let columns: Int
    /// Lines.
    package let rows: Int

    /// A screen of `columns` by `rows`.
    package init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }

    /// What a terminal has that does not say.
    package static let standard = ScreenSize(columns: 80, rows: 24)

    /// The most lines that are drawn at a time: what stood above stays in view.
    var region: Int { max(1, min(rows - 1, 16)) }
    /// The most columns that are drawn: a line that fills the last one may wrap.
    var width: Int { max(1, columns - 1) }
}
