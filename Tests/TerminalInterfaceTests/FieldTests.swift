import Testing

@testable import TerminalInterface

extension String {
    /// The keys that type this text.
    var keys: [Key] { unicodeScalars.map(Key.text) }
}

struct TextFieldTests {
    private func type(_ keys: [Key], into text: String = "") -> TextField {
        var field = TextField(text)
        for key in keys { _ = field.handle(key) }
        return field
    }

    @Test(
        arguments: [
            ("", "abc".keys, "abc", 3),
            ("abc", [.backspace], "ab", 2),
            ("abc", [.left, .left, .delete], "ac", 1),
            ("abc", [.home, .text("x")], "xabc", 1),
            ("abc", [.home, .backspace], "abc", 0),
            ("abc", [.delete], "abc", 3),
            ("abc", [.left, .control("u")], "c", 0),
            ("abc", [.left, .control("k")], "ab", 2),
            ("one two  ", [.control("w")], "one ", 4),
            ("one", [.control("w")], "", 0),
            ("", [.control("w"), .control("u"), .backspace], "", 0),
            ("日本", [.backspace], "日", 1),
            ("e", [.text("\u{301}")], "e\u{301}", 1),
            ("e\u{301}", [.backspace], "", 0),
            ("a", [.text("\u{7}")], "a", 1),
        ] as [(String, [Key], String, Int)])
    func editsByCharacters(text: String, keys: [Key], expected: String, cursor: Int) {
        let field = type(keys, into: text)
        #expect(field.text == expected)
        #expect(field.cursor == cursor)
    }

    @Test func showsThePartAroundTheCursor() {
        #expect(TextField("abcdefgh").visible(in: 5) == ("…fgh", 4))
        #expect(type([.home], into: "abcdefgh").visible(in: 5) == ("abcde", 0))
        #expect(TextField("日本語").visible(in: 4) == ("…語", 3))
    }

    @Test func takesNoMoreThanItsLimit() {
        #expect(type(Array(repeating: .text("a"), count: TextField.limit + 5)).text.count == TextField.limit)
    }

    @Test(arguments: [Key.enter, .tab, .up, .escape, .pageDown, .control("n")])
    func leavesOtherKeysToOthers(key: Key) {
        var field = TextField()
        let isTaken = field.handle(key)
        #expect(!isTaken)
    }
}

struct SecretFieldTests {
    private func typed(_ keys: [Key]) -> [UInt8] {
        let field = SecretField()
        for key in keys { _ = field.handle(key) }
        return field.finish().withUnsafeBytes { Array($0) }
    }

    @Test(
        arguments: [
            ("pässwörd".keys, "pässwörd"),
            ("abc".keys + [.backspace], "ab"),
            ("aß".keys + [.backspace], "a"),
            ("a日".keys + [.backspace, .text("b")], "ab"),
            ("a😀".keys + [.backspace], "a"),
            ([.backspace] + "a".keys, "a"),
            ("abc".keys + [.control("u")] + "d".keys, "d"),
        ] as [([Key], String)])
    func holdsTheBytesThatWereTyped(keys: [Key], expected: String) {
        #expect(typed(keys) == Array(expected.utf8))
    }

    @Test func handingOverEmptiesTheField() throws {
        let field = SecretField()
        for key in "secret".keys { _ = field.handle(key) }
        #expect(field.count == 6)
        let memory = try field.seal()
        #expect(try memory.withUnsafeBytes { String(decoding: $0, as: UTF8.self) } == "secret")
        #expect(field.count == 0)
        #expect(field.finish().isEmpty)
    }

    @Test func showsNothingOfItself() {
        let field = SecretField()
        for key in "hunter2".keys { _ = field.handle(key) }
        var dumped = ""
        dump(field, to: &dumped)
        #expect(!dumped.contains("hunter2"))
    }

    @Test func takesNoMoreThanItsLimit() {
        #expect(typed(Array(repeating: .text("日"), count: 2000)).count <= SecretField.limit)
    }
}
