/// The language that the sheets speak, with its direction.
package struct SheetLanguage: Sendable {
    /// The tag of the language, such as `de`.
    package let tag: String
    private let texts: [String: String]

    /// English, which needs no catalogue.
    package static let english = SheetLanguage(tag: "en", catalogue: Translations())

    /// The languages that there are catalogues for; the catalogues are part of the program.
    package static let translated: [String: [UInt8]] = [
        "ar": PackageResources.ar_po,
        "de": PackageResources.de_po,
    ]

    /// The language called `tag`, with its catalogue.
    package init(tag: String, catalogue: Translations) {
        self.tag = tag
        texts = catalogue.texts
    }

    /// The first language of the environment that there is a catalogue for, as gettext chooses: `LANGUAGE` names several,
    /// then `LC_ALL`, `LC_MESSAGES` and `LANG` name one. The locale `C` speaks English whatever `LANGUAGE` says.
    package init(environment: [String: String]) {
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? "C"
        let isPlain = locale == "C" || locale == "POSIX" || locale.hasPrefix("C.")
        let named = (environment["LANGUAGE"] ?? "").split(separator: ":").map(String.init)
        for wanted in isPlain ? [] : named + [locale] {
            let tag = String(wanted.prefix { $0 != "_" && $0 != "." && $0 != "@" })
            if tag == "en" { break }
            if let catalogue = Self.translated[tag] {
                self.init(tag: tag, catalogue: Translations(po: catalogue))
                return
            }
        }
        self = .english
    }

    /// Whether it is written from right to left.
    package var isRightToLeft: Bool { ["ar", "fa", "he", "ur"].contains(tag) }

    /// `text` in this language, with the words in braces replaced by `values`.
    ///
    /// A value keeps its own direction and cannot disturb that of the sentence around it (Unicode, UAX 9: isolates).
    package func text(_ text: SheetText, _ values: [String: String] = [:]) -> String {
        var result = ""
        var rest = Substring(texts[text.rawValue] ?? text.rawValue)
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            let name = String(rest[rest.index(after: open)..<close])
            result += rest[..<open]
            result += values[name].map { "\u{2068}\($0)\u{2069}" } ?? ""
            rest = rest[rest.index(after: close)...]
        }
        return result + rest
    }

    /// What stands before and after the one value of `text`, for where that is shown by itself.
    package func words(around text: SheetText) -> (before: String, after: String) {
        let whole = Substring(texts[text.rawValue] ?? text.rawValue)
        guard let open = whole.firstIndex(of: "{"), let close = whole[open...].firstIndex(of: "}") else {
            return (String(whole), "")
        }
        func trimmed(_ part: Substring) -> String {
            String(part.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
        }
        return (trimmed(whole[..<open]), trimmed(whole[close...].dropFirst()))
    }
}
