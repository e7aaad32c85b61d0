/// Finds what somebody meant who mistyped it.
enum Spelling {
    /// The candidate nearest to `word`, if it is near enough: one slip in three letters,
    /// or the beginning of it.
    static func nearest(to word: String, among candidates: [String]) -> String? {
        let letters = word.filter { $0 != "-" }.count
        if letters > 1, let whole = candidates.first(where: { $0.hasPrefix(word) }) { return whole }
        let scored = candidates.map { (candidate: $0, distance: distance(word, $0)) }
        guard let best = scored.min(by: { $0.distance < $1.distance }) else { return nil }
        return best.distance <= max(1, letters / 3) ? best.candidate : nil
    }

    /// How many letters must be put in, taken out, changed or swapped with their neighbour (optimal string alignment).
    static func distance(_ left: String, _ right: String) -> Int {
        let left = Array(left), right = Array(right)
        var rows = [Array(0...right.count)]
        for (i, letter) in left.enumerated() {
            var row = [i + 1]
            for (j, other) in right.enumerated() {
                var best = min(rows[i][j + 1] + 1, row[j] + 1, rows[i][j] + (letter == other ? 0 : 1))
                if i > 0, j > 0, letter == right[j - 1], left[i - 1] == other {
                    best = min(best, rows[i - 1][j - 1] + 1)
                }
                row.append(best)
            }
            rows.append(row)
        }
        return rows[left.count][right.count]
    }
}
