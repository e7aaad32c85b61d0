/// What the broker says itself. It speaks English, as terminals show it; the sheets find its words in the catalogue.
extension SheetLanguage {
    /// `words` of the broker in this language, beginning like a sentence. Words that are no text of ours stay as they are.
    func text(ofBroker words: String) -> String {
        for text in SheetText.brokers {
            guard let values = text.values(in: words) else { continue }
            let translated = self.text(text, values)
            return translated.prefix(1).uppercased() + translated.dropFirst()
        }
        return words
    }
}

extension SheetText {
    /// What stands in `words` in place of the one word in braces, if they are this text otherwise.
    fileprivate func values(in words: String) -> [String: String]? {
        guard let open = rawValue.firstIndex(of: "{"), let close = rawValue[open...].firstIndex(of: "}") else {
            return words == rawValue ? [:] : nil
        }
        let (before, after) = (rawValue[..<open], rawValue[rawValue.index(after: close)...])
        guard words.hasPrefix(before), words.hasSuffix(after), words.utf8.count > before.utf8.count + after.utf8.count
        else { return nil }
        let name = String(rawValue[rawValue.index(after: open)..<close])
        return [name: String(words.dropFirst(before.count).dropLast(after.count))]
    }
}
