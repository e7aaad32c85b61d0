/// Text of others, made harmless to show: no control characters (an escape sequence could repaint a terminal), no
/// marks that change the writing direction of what stands beside it.
package enum DisplayText {
    /// The most characters of a line.
    package static let maximumLine = 300
    /// The most characters of a paragraph.
    package static let maximumParagraph = 4000

    /// One line.
    package static func line(_ text: String) -> String {
        clean(text, limit: maximumLine) { $0 == "\n" || $0 == "\t" ? " " : nil }
    }

    /// Several lines.
    package static func paragraph(_ text: String) -> String {
        clean(text, limit: maximumParagraph) { $0 == "\n" ? "\n" : $0 == "\t" ? " " : nil }
    }

    private static func clean(
        _ text: String, limit: Int, _ replacement: (Unicode.Scalar) -> Unicode.Scalar?
    ) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.prefix(limit * 8) {
            if let replaced = replacement(scalar) {
                result.append(replaced)
            } else if isHarmless(scalar) {
                result.append(scalar)
            }
        }
        let clean = String(result)
        return clean.count <= limit ? clean : clean.prefix(limit - 1) + "…"
    }

    private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate: false
        case .format: scalar == "\u{200C}" || scalar == "\u{200D}"  // joiners that scripts and emoji need
        default: true
        }
    }
}

extension String {
    /// Without the white space before and after.
    package var trimmed: String {
        let start = firstIndex { !$0.isWhitespace } ?? endIndex
        let end = lastIndex { !$0.isWhitespace }.map { index(after: $0) } ?? endIndex
        return start < end ? String(self[start..<end]) : ""
    }
}
