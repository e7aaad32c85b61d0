import Glibc

extension SearchIndex {
    /// An entry that matches, with what decides its place in the answer.
    private struct Match {
        let entry: Int
        /// 0: the title starts with the first word; 1: the title has all words; 2: they stand in several fields.
        let rank: Int
        let text: UnsafeRawBufferPointer

        func isBefore(_ other: Match) -> Bool {
            if rank != other.rank { return rank < other.rank }
            return SearchIndex.compare(text, other.text) < 0
        }
    }

    /// The entries in which every word of the query stands somewhere, best first: at most `limit`.
    ///
    /// Titles that start with the query come first, then titles that contain it, then the rest; alphabetically in each.
    /// A query without words matches everything.
    func search(_ query: String, limit: Int) -> [Int] {
        let words = TextFolding.words(query)
        var best: [Match] = []
        forEachCandidate(words.max { $0.count < $1.count }) { entry in
            let text = UnsafeRawBufferPointer(entries[entry].folded)
            guard words.allSatisfy({ Self.contains(text, $0) }) else { return }
            Self.keep(Match(entry: entry, rank: Self.rank(text, words), text: text), in: &best, limit: limit)
        }
        if best.count < limit { best.sort { $0.isBefore($1) } }
        return best.map(\.entry)
    }

    /// Calls `body` for each entry that has the word, once; for every entry when there is no word.
    private func forEachCandidate(_ word: [UInt8]?, _ body: (Int) -> Void) {
        guard let word else {
            for number in entries.indices where entries[number].isUsed { body(number) }
            return
        }
        for chunk in foldedTexts.chunks {
            let content = chunk.content
            var offset = 0
            // Through the whole chunk at once; from a hit on to the end of the text that it lies in.
            while let hit = Self.find(word, in: content, from: offset) {
                let (owner, start) = foldedTexts.owner(at: hit, in: chunk)
                let text = entries[Int(owner)].folded
                let isLive = text.baseAddress.map { UnsafeRawPointer($0) == content.baseAddress.map { $0 + start } }
                if isLive == true { body(Int(owner)) }
                offset = isLive == true ? start + text.count : hit + word.count
            }
        }
    }

    /// Keeps the best matches. Unsorted while all fit; from then on sorted, and most new ones are refused at once.
    private static func keep(_ match: Match, in best: inout [Match], limit: Int) {
        guard limit > 0 else { return }
        guard best.count >= limit else {
            best.append(match)
            if best.count == limit { best.sort { $0.isBefore($1) } }
            return
        }
        guard match.isBefore(best[limit - 1]) else { return }
        var (low, high) = (0, limit - 1)
        while low < high {
            let middle = (low + high) / 2
            if best[middle].isBefore(match) { low = middle + 1 } else { high = middle }
        }
        best.insert(match, at: low)
        best.removeLast()
    }

    private static func rank(_ text: UnsafeRawBufferPointer, _ words: [[UInt8]]) -> Int {
        guard let first = words.first else { return 0 }
        let end = text.firstIndex(of: separator) ?? text.count
        let title = UnsafeRawBufferPointer(rebasing: text[..<end])
        guard words.allSatisfy({ contains(title, $0) }) else { return 2 }
        return title.starts(with: first) ? 0 : 1
    }

    private static func contains(_ text: UnsafeRawBufferPointer, _ word: [UInt8]) -> Bool {
        find(word, in: text, from: 0) != nil
    }

    private static func find(_ word: [UInt8], in text: UnsafeRawBufferPointer, from offset: Int) -> Int? {
        guard let start = text.baseAddress, offset < text.count else { return nil }
        let (byte, place) = rarest(in: word)
        var from = offset + place
        // The C library finds one byte many at a time; the rarer it is, the fewer places are compared in full.
        while from < text.count, let hit = memchr(start + from, Int32(byte), text.count - from) {
            let candidate = UnsafeRawPointer(hit) - start - place
            guard candidate + word.count <= text.count else { return nil }
            if memcmp(start + candidate, word, word.count) == 0 { return candidate }
            from = candidate + place + 1
        }
        return nil
    }

    /// The byte of a word that is the rarest in titles, names and addresses, and where it stands in the word.
    private static func rarest(in word: [UInt8]) -> (byte: UInt8, place: Int) {
        var found = (byte: word[0], place: 0)
        for (place, byte) in word.enumerated() where rarity[Int(byte)] > rarity[Int(found.byte)] {
            found = (byte, place)
        }
        return found
    }

    /// How rare a byte is: its place in a row from the most frequent on; what is not listed is rarer than all.
    private static let rarity: [UInt8] = {
        var rarity = [UInt8](repeating: .max, count: 256)
        for (place, byte) in "etoa.nsirmc/hlw:pudg@-0123456789 ybfvkxjzq_?=&".utf8.enumerated() {
            rarity[Int(byte)] = UInt8(place)
        }
        return rarity
    }()

    private static func compare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
        guard let first = left.baseAddress, let second = right.baseAddress else { return left.count - right.count }
        let order = memcmp(first, second, min(left.count, right.count))
        return order != 0 ? Int(order) : left.count - right.count
    }
}
