/// The texts of one language, as translators' tools keep them: gettext's PO files, of which `msgid` and `msgstr` are
/// read. Entries without a translation, or marked `fuzzy`, are left out; so the English text is shown.
package struct Translations: Sendable {
    /// The translations by the English text.
    package private(set) var texts: [String: String] = [:]

    /// A catalogue without texts.
    package init() {}

    /// The catalogue in the file `po` (UTF-8). What is malformed is left out: a catalogue is part of the program, and
    /// the tests read every one.
    package init(po: [UInt8]) {
        var key = ""
        var text = ""
        var isInText = false
        var isFuzzy = false
        func finished(_ texts: inout [String: String]) {
            if !key.isEmpty && !text.isEmpty && !isFuzzy { texts[key] = text }
            (key, text, isInText, isFuzzy) = ("", "", false, false)
        }
        for line in String(decoding: po, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: true) {
            if line.hasPrefix("#") {
                if isInText { finished(&texts) }
                if line.hasPrefix("#,") && line.contains("fuzzy") { isFuzzy = true }
            } else if let part = Self.quoted(line, after: "msgid ") {
                if isInText { finished(&texts) }
                key = part
            } else if let part = Self.quoted(line, after: "msgstr ") {
                isInText = true
                text = part
            } else if let part = Self.quoted(line, after: "") {
                if isInText { text += part } else { key += part }
            }
        }
        finished(&texts)
    }

    /// The string between the quotation marks behind `keyword`, without its escapes.
    private static func quoted(_ line: Substring, after keyword: String) -> String? {
        guard line.hasPrefix(keyword + "\""), line.hasSuffix("\""), line.count >= keyword.count + 2 else { return nil }
        var result = ""
        var isEscaped = false
        for character in line.dropFirst(keyword.count + 1).dropLast() {
            if isEscaped {
                result.append(character == "n" ? "\n" : character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else {
                result.append(character)
            }
        }
        return result
    }
}
