/// A look at a property list before it is decoded: the decoder of XML calls itself for every level, and so would be
/// led to overrun its stack.
enum PropertyListForm {
    /// The most arrays and dictionaries of one list, and so how deep they can stand. A bundle has about ten.
    static let maximumContainers = 300

    /// Whether the bytes are a binary list whose objects lie in it, or XML in UTF-8 with few enough containers.
    static func isSafe(_ bytes: [UInt8]) -> Bool {
        if bytes.starts(with: Array("bplist".utf8)) { return BinaryPropertyList(bytes)?.isWhole ?? false }
        // Other encodings would hide the tags from this scan; they have zeros in every tag.
        guard bytes.first(where: { !isSpace($0) && !mark.contains($0) }) == UInt8(ascii: "<"), !bytes.contains(0) else {
            return false
        }
        return containers(bytes[...]) <= maximumContainers
    }

    /// The byte order mark of UTF-8.
    private static let mark: Set<UInt8> = [0xEF, 0xBB, 0xBF]

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || (9...13).contains(byte)
    }

    /// How many arrays and dictionaries begin. Not how deep they stand: an end in a comment is none.
    private static func containers(_ bytes: ArraySlice<UInt8>) -> Int {
        let names = [Array("array".utf8), Array("dict".utf8)]
        var count = 0
        var rest = bytes
        while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
            rest = rest[(start + 1)...]
            if names.contains(where: { rest.starts(with: $0) }) && !isEmptyElement(rest) { count += 1 }
        }
        return count
    }

    /// Whether a tag is written as `<dict/>`.
    private static func isEmptyElement(_ tag: ArraySlice<UInt8>) -> Bool {
        guard let end = tag.firstIndex(of: UInt8(ascii: ">")), end > tag.startIndex else { return false }
        return tag[end - 1] == UInt8(ascii: "/")
    }
}
