import KeywaySystem

/// Text measured and cut in the columns of a terminal, never through the middle of a character.
///
/// A cluster of several scalars is as wide as the sum of its parts, which is what most terminals give it; those that
/// draw it narrower leave a gap, and nothing ever reaches beyond the edge.
package enum Columns {
    /// How many columns `character` takes.
    package static func width(of character: Character) -> Int {
        character.unicodeScalars.reduce(0) { $0 + (SystemTerminal.width(of: $1) ?? 0) }
    }

    /// How many columns `text` takes.
    package static func width(of text: some StringProtocol) -> Int {
        text.reduce(0) { $0 + width(of: $1) }
    }

    /// As much of the beginning of `text` as fits into `columns`, with `ellipsis` at the end when something is cut.
    package static func fit(_ text: String, into columns: Int, ellipsis: String = "…") -> String {
        guard width(of: text) > columns else { return text }
        let mark = width(of: ellipsis) <= columns ? ellipsis : ""
        return prefix(of: text, columns: columns - width(of: mark)) + mark
    }

    /// As much of the end of `text` as fits into `columns`: of a host name, the end says whose it is.
    package static func fitKeepingEnd(_ text: String, into columns: Int, ellipsis: String = "…") -> String {
        guard width(of: text) > columns else { return text }
        let mark = width(of: ellipsis) <= columns ? ellipsis : ""
        var room = columns - width(of: mark)
        var kept: [Character] = []
        for character in text.reversed() {
            room -= width(of: character)
            guard room >= 0 else { break }
            kept.append(character)
        }
        return mark + String(kept.reversed())
    }

    /// The longest beginning of `text` that is at most `columns` wide.
    package static func prefix(of text: String, columns: Int) -> String {
        var room = columns
        return String(
            text.prefix {
                room -= width(of: $0)
                return room >= 0
            })
    }

    /// `text` in lines of at most `columns`, broken between words where that is possible.
    package static func wrap(_ text: String, into columns: Int) -> [String] {
        let columns = max(columns, 1)
        return text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { paragraph in
            var lines = [""]
            for word in paragraph.split(separator: " ").map(String.init) {
                append(word, to: &lines, columns)
            }
            return lines
        }
    }

    private static func append(_ word: String, to lines: inout [String], _ columns: Int) {
        let current = lines[lines.count - 1]
        let separator = current.isEmpty ? "" : " "
        if width(of: current) + separator.count + width(of: word) <= columns {
            lines[lines.count - 1] = current + separator + word
            return
        }
        if !current.isEmpty { lines.append("") }
        var rest = word
        while width(of: rest) > columns {
            var part = prefix(of: rest, columns: columns)
            if part.isEmpty { part = String(rest.prefix(1)) }
            lines[lines.count - 1] = part
            lines.append("")
            rest.removeFirst(part.count)
        }
        lines[lines.count - 1] = rest
    }
}
