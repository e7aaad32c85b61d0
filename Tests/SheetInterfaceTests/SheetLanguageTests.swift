import Testing

@testable import SheetInterface

@Suite struct SheetLanguageTests {
    /// The words in braces, sorted.
    private func words(of text: String) -> [String] {
        text.matches(of: /\{([a-z]+)\}/).map { String($0.1) }.sorted()
    }

    @Test(arguments: SheetLanguage.translated.keys.sorted())
    func everyTextIsTranslatedAndNothingElse(tag: String) throws {
        let catalogue = Translations(po: try #require(SheetLanguage.translated[tag]))
        #expect(Set(catalogue.texts.keys) == Set(SheetText.allCases.map(\.rawValue)))
    }

    @Test(arguments: SheetLanguage.translated.keys.sorted())
    func aTranslationFillsInTheSameWords(tag: String) throws {
        for (english, text) in Translations(po: try #require(SheetLanguage.translated[tag])).texts {
            #expect(
                words(of: english) == words(of: text),
                "\(tag): \(english)")
        }
    }

    @Test(arguments: [
        (["LANG": "de_DE.UTF-8"], "de"),
        (["LANG": "de"], "de"),
        (["LANG": "ar_EG.UTF-8"], "ar"),
        (["LANG": "de_DE.UTF-8", "LC_ALL": "ar"], "ar"),
        (["LANG": "en_US.UTF-8", "LANGUAGE": "de:ar"], "de"),
        (["LANG": "de_DE.UTF-8", "LANGUAGE": "en:de"], "en"),
        (["LANG": "xx_XX.UTF-8", "LANGUAGE": "yy:ar"], "ar"),
        (["LANG": "C", "LANGUAGE": "de"], "en"),
        (["LANG": "C.UTF-8", "LANGUAGE": "de"], "en"),
        (["LC_ALL": "", "LANG": "de_DE.UTF-8"], "de"),
        ([:], "en"),
    ])
    func theEnvironmentChooses(environment: [String: String], tag: String) {
        #expect(SheetLanguage(environment: environment).tag == tag)
    }

    @Test func valuesKeepTheirOwnDirection() {
        let text = SheetLanguage.english.text(.windowForSite, ["provider": "P", "site": "S"])
        #expect(text == "\u{2068}P\u{2069} for \u{2068}S\u{2069}")
    }

    @Test(arguments: [("en", "for"), ("de", "für"), ("ar", "لموقع")])
    func wordsAroundAValueStandByThemselves(tag: String, before: String) {
        let words = SheetLanguage(environment: ["LANG": tag]).words(around: .forSite)
        #expect(words == (before, ""))
    }

    @Test func aValueMayStandFirst() {
        let catalogue = Translations(po: Array("msgid \"for {site}\"\nmsgstr \"{site} için\"\n".utf8))
        #expect(SheetLanguage(tag: "tr", catalogue: catalogue).words(around: .forSite) == ("", "için"))
    }

    @Test func aValueIsNotReadForWordsInBraces() {
        let text = SheetLanguage.english.text(.windowForSite, ["provider": "{site}", "site": "S"])
        #expect(text == "\u{2068}{site}\u{2069} for \u{2068}S\u{2069}")
    }

    @Test(arguments: [
        ("msgid \"a\"\nmsgstr \"b\"\n", ["a": "b"]),
        ("msgid \"\"\n\"a\"\nmsgstr \"\"\n\"b\"\n\"c\"\n", ["a": "bc"]),
        ("msgid \"a\"\nmsgstr \"say \\\"b\\\"\\n\"", ["a": "say \"b\"\n"]),
        ("#, fuzzy\nmsgid \"a\"\nmsgstr \"b\"\n\nmsgid \"c\"\nmsgstr \"d\"\n", ["c": "d"]),
        ("msgid \"a\"\nmsgstr \"\"\n", [:]),
        ("msgid \"a\"\nmsgstr b\n", [:]),
        ("msgid \"\nmsgstr \"\n", [:]),
        ("", [:]),
    ])
    func catalogsAreReadAsGettextDoes(file: String, texts: [String: String]) {
        #expect(Translations(po: Array(file.utf8)).texts == texts)
    }

    @Test func everyTruncationOfACatalogIsReadWithoutATrap() throws {
        let file = try #require(SheetLanguage.translated["ar"])
        for length in stride(from: 0, to: min(file.count, 1500), by: 1) {
            _ = Translations(po: Array(file[..<length]))
        }
    }
}
