import Glibc

/// Folds text so that search finds it in any case and with or without the accents of Latin letters.
///
/// Each scalar is mapped to upper and then to lower case (so `ß` becomes `ss` and `ς` becomes `σ`), combining marks are
/// dropped, Latin letters lose what stands after `WITH` in their Unicode name (`é`, `ø`), controls become spaces.
enum TextFolding {
    /// Adds the folded form of UTF-8 text.
    static func fold(_ text: UnsafeRawBufferPointer, into folded: inout [UInt8]) {
        // Nearly all text is ASCII: looked at first, then written at once.
        guard let other = text.firstIndex(where: { $0 >= 0x80 }) else { return foldASCII(text, into: &folded) }
        foldASCII(UnsafeRawBufferPointer(rebasing: text[..<other]), into: &folded)
        foldScalars(UnsafeRawBufferPointer(rebasing: text[other...]), into: &folded)
    }

    /// The words of a query, folded; no word twice.
    static func words(_ query: String) -> [[UInt8]] {
        var folded: [UInt8] = []
        var query = query
        query.withUTF8 { fold(UnsafeRawBufferPointer($0), into: &folded) }
        var words: [[UInt8]] = []
        for word in folded.split(separator: 0x20) where !words.contains(Array(word)) { words.append(Array(word)) }
        return words
    }

    /// The folded form of a whole text, such as a title.
    static func fold(_ text: String) -> [UInt8] {
        var folded: [UInt8] = []
        var text = text
        text.withUTF8 { fold(UnsafeRawBufferPointer($0), into: &folded) }
        return folded
    }

    private static func foldASCII(_ text: UnsafeRawBufferPointer, into folded: inout [UInt8]) {
        let start = folded.count
        folded.append(contentsOf: text)
        folded.withUnsafeMutableBufferPointer { folded in
            for index in start..<folded.count { folded[index] = fold(ascii: folded[index]) }
        }
    }

    @inline(__always)
    private static func fold(ascii byte: UInt8) -> UInt8 {
        switch byte {
        case 0x41...0x5a: byte | 0x20
        case 0x00..<0x20, 0x7f: 0x20
        default: byte
        }
    }

    private static func foldScalars(_ text: UnsafeRawBufferPointer, into folded: inout [UInt8]) {
        for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
            if scalar.isASCII {
                folded.append(fold(ascii: UInt8(scalar.value)))
            } else if let letters = plainLatin[scalar.value] {
                folded.append(contentsOf: letters)
            } else {
                fold(scalar.properties, into: &folded)
            }
        }
    }

    private static func fold(_ properties: Unicode.Scalar.Properties, into folded: inout [UInt8]) {
        guard properties.canonicalCombiningClass == .notReordered else { return }
        for upper in properties.uppercaseMapping.unicodeScalars {
            for lower in upper.properties.lowercaseMapping.unicodeScalars
            where lower.properties.canonicalCombiningClass == .notReordered {
                if lower.properties.generalCategory == .control || lower.properties.isWhitespace {
                    folded.append(0x20)
                } else {
                    folded.append(contentsOf: UTF8.encode(lower).map(Array.init) ?? [])
                }
            }
        }
    }

    /// The Latin letters with something added (Latin-1 to Latin Extended-B, Latin Extended Additional), without it.
    private static let plainLatin: [UInt32: [UInt8]] = {
        var plain: [UInt32: [UInt8]] = [:]
        for value in Array(UInt32(0xc0)...0x24f) + Array(UInt32(0x1e00)...0x1eff) {
            guard let name = Unicode.Scalar(value)?.properties.name, name.hasPrefix("LATIN "),
                let with = name.firstRange(of: " WITH ")
            else { continue }
            let letter = name[..<with.lowerBound].split(separator: " ").last.map(Array.init) ?? []
            guard letter.count == 1 || ["AE", "OE"].contains(String(letter)) else { continue }
            plain[value] = Array(String(letter).lowercased().utf8)
        }
        return plain
    }()
}

extension String {
    /// The first place where `other` stands.
    fileprivate func firstRange(of other: String) -> Range<String.Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(other) { return start..<index(start, offsetBy: other.count) }
            start = index(after: start)
        }
        return nil
    }
}
