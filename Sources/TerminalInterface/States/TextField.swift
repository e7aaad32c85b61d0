/// A line of text that is typed, with a cursor in it.
package struct TextField: Hashable, Sendable {
    /// The most characters: what is longer is cut.
    package static let limit = 1000

    /// What was typed.
    package private(set) var text: String
    /// How many characters stand before the cursor.
    package private(set) var cursor: Int

    /// A field that holds `text`.
    package init(_ text: String = "") {
        self.text = text
        cursor = text.count
    }

    /// Takes a key; whether it meant anything here.
    package mutating func handle(_ key: Key) -> Bool {
        switch key {
        case .text(let scalar): insert(scalar)
        case .backspace, .control("h"): replace(cursor - 1..<cursor)
        case .delete, .control("d"): replace(cursor..<cursor + 1)
        case .left, .control("b"): cursor = max(cursor - 1, 0)
        case .right, .control("f"): cursor = min(cursor + 1, text.count)
        case .home, .control("a"): cursor = 0
        case .end, .control("e"): cursor = text.count
        case .control("u"): replace(0..<cursor)
        case .control("k"): replace(cursor..<text.count)
        case .control("w"): replace(startOfWord..<cursor)
        default: return false
        }
        return true
    }

    /// The part around the cursor that fits into `columns`, and the column of the cursor in it.
    package func visible(in columns: Int) -> (text: String, cursor: Int) {
        let before = Columns.fitKeepingEnd(String(text.prefix(cursor)), into: max(columns - 1, 0))
        let column = Columns.width(of: before)
        return (before + Columns.prefix(of: String(text.dropFirst(cursor)), columns: columns - column), column)
    }

    private mutating func insert(_ scalar: Unicode.Scalar) {
        guard text.count < Self.limit, scalar.properties.generalCategory != .control else { return }
        var before = String(text.prefix(cursor))
        let after = text.dropFirst(cursor)
        before.unicodeScalars.append(scalar)
        text = before + after
        cursor = min(before.count, text.count)
    }

    /// Takes the characters of `range` away, as far as they exist.
    private mutating func replace(_ range: Range<Int>) {
        let range = range.clamped(to: 0..<text.count)
        guard !range.isEmpty else { return }
        text = String(text.prefix(range.lowerBound)) + text.dropFirst(range.upperBound)
        cursor = range.lowerBound
    }

    private var startOfWord: Int {
        let before = Array(text.prefix(cursor))
        let end = (before.lastIndex { $0 != " " } ?? -1) + 1
        return (before[..<end].lastIndex(of: " ") ?? -1) + 1
    }
}
