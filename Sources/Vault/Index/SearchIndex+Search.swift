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

    /// The entries in which every word of the query stands somewhere, best first: at most `limit`; and how many there
    /// are in all.
    ///
    /// Titles that start with the query come first, then titles that contain it, then the rest; alphabetically in each.
    /// A query without words matches everything.
    func search(_ query: String, of kinds: ItemKinds = .all, limit: Int) -> (entries: [Int], total: Int) {
        let words = TextFolding.words(query).map(Needle.init)
        let longest = words.indices.max { words[$0].bytes.count < words[$1].bytes.count }
        let others = words.indices.filter { $0 != longest }.map { words[$0] }
        var best: [Match] = []
        var total = 0
        forEachCandidate(longest.map { words[$0] }) { entry in
            let text = UnsafeRawBufferPointer(entries[entry].folded)
            guard isEntry(entry, of: kinds), others.allSatisfy({ $0.find(in: text) != nil }) else { return }
            total += 1
            Self.keep(Match(entry: entry, rank: Self.rank(text, words), text: text), in: &best, limit: limit)
        }
        if best.count < limit { best.sort { $0.isBefore($1) } }
        return (best.map(\.entry), total)
    }

    /// Calls `body` for each entry that has the word, once; for every entry when there is no word.
    private func forEachCandidate(_ word: Needle?, _ body: (Int) -> Void) {
        guard let word else {
            for number in entries.indices where entries[number].isUsed { body(number) }
            return
        }
        for chunk in foldedTexts.chunks {
            let content = chunk.content
            var offset = 0
            // Through the whole chunk at once; from a hit on to the end of the text that it lies in.
            while let hit = word.find(in: content, from: offset) {
                let (owner, start) = foldedTexts.owner(at: hit, in: chunk)
                let text = entries[Int(owner)].folded
                let isLive = text.baseAddress.map { UnsafeRawPointer($0) == content.baseAddress.map { $0 + start } }
                if isLive == true { body(Int(owner)) }
                offset = isLive == true ? start + text.count : hit + word.bytes.count
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

    private static func rank(_ text: UnsafeRawBufferPointer, _ words: [Needle]) -> Int {
        guard let first = words.first, let start = text.baseAddress,
            let end = memchr(start, Int32(separator), text.count)
        else { return 0 }
        let title = UnsafeRawBufferPointer(start: start, count: UnsafeRawPointer(end) - start)
        guard words.allSatisfy({ $0.find(in: title) != nil }) else { return 2 }
        return first.find(in: title) == 0 ? 0 : 1
    }

    private static func compare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
        guard let first = left.baseAddress, let second = right.baseAddress else { return left.count - right.count }
        let order = memcmp(first, second, min(left.count, right.count))
        return order != 0 ? Int(order) : left.count - right.count
    }
}
