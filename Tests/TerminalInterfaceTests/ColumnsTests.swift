import Testing

@testable import TerminalInterface

struct ColumnsTests {
    @Test(arguments: [
        ("", 0), ("ada", 3), ("é", 1), ("e\u{301}", 1), ("日本", 4), ("😀", 2), ("🇩🇪", 2), ("\u{200B}", 0),
        ("한글", 4), ("ﷺ", 1),
    ])
    func measuresWhatTerminalsDraw(text: String, width: Int) {
        #expect(Columns.width(of: text) == width)
    }

    @Test(arguments: [
        ("example", 7, "example"), ("example", 6, "examp…"), ("example", 1, "…"), ("example", 0, ""),
        ("日本語", 6, "日本語"), ("日本語", 5, "日本…"), ("日本語", 4, "日…"), ("日本語", 2, "…"),
        ("ae\u{301}iou", 3, "ae\u{301}…"),
    ])
    func cutsBetweenCharacters(text: String, columns: Int, expected: String) {
        let cut = Columns.fit(text, into: columns)
        #expect(cut == expected)
        #expect(Columns.width(of: cut) <= columns)
    }

    @Test(arguments: [
        ("login.example.com", 17, "login.example.com"), ("login.example.com", 12, "…example.com"), ("日本", 3, "…本"),
    ])
    func keepsTheEndOfHostNames(text: String, columns: Int, expected: String) {
        #expect(Columns.fitKeepingEnd(text, into: columns) == expected)
    }

    @Test(arguments: [
        ("one two three", 7, ["one two", "three"]),
        ("one\ntwo", 7, ["one", "two"]),
        ("a\n\nb", 7, ["a", "", "b"]),
        ("abcdefghij", 4, ["abcd", "efgh", "ij"]),
        ("to abcdefgh", 4, ["to", "abcd", "efgh"]),
        ("日本語", 4, ["日本", "語"]),
        ("日", 1, ["日", ""]),
        ("", 4, [""]),
    ])
    func wrapsBetweenWords(text: String, columns: Int, expected: [String]) {
        #expect(Columns.wrap(text, into: columns) == expected)
    }
}
