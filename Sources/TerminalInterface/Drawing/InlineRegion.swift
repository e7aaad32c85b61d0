/// The lines below the prompt that we draw in, and how to get from one frame to the next.
///
/// What stood on the screen before is only ever pushed up, never overwritten. A terminal that is made narrower may fold
/// lines that were drawn before; then the folded rest stays above, which is ugly and harmless.
package struct InlineRegion {
    /// Where the cursor stands, in lines below the first.
    private var cursorRow = 0

    /// A region that starts at the cursor.
    package init() {}

    /// What to send to the terminal to show `frame` in place of what is there.
    package mutating func draw(_ frame: Frame, _ appearance: Appearance) -> String {
        var output = "\u{1B}[?25l" + home
        for (row, line) in frame.lines.enumerated() {
            if row > 0 { output += "\r\n" }
            for span in line.spans {
                let sequence = appearance.sequence(for: span.style)
                output += sequence + span.text + (sequence.isEmpty ? "" : "\u{1B}[0m")
            }
            output += "\u{1B}[K"
        }
        output += "\u{1B}[J"
        cursorRow = max(frame.lines.count - 1, 0)
        if let cursor = frame.cursor, cursor.row < frame.lines.count {
            if cursor.row < cursorRow { output += "\u{1B}[\(cursorRow - cursor.row)A" }
            output += "\r" + (cursor.column > 0 ? "\u{1B}[\(cursor.column)C" : "") + "\u{1B}[?25h"
            cursorRow = cursor.row
        }
        return output
    }

    /// What to send to take the region away and leave the cursor where it began.
    package var clearing: String { home + "\u{1B}[J\u{1B}[?25h" }

    /// Starts anew at the cursor, wherever it is now: somebody else has written since.
    package mutating func forget() { cursorRow = 0 }

    private var home: String { (cursorRow > 0 ? "\u{1B}[\(cursorRow)A" : "") + "\r" }
}
