/// Times of the same work, in milliseconds.
package struct Samples: Sendable {
    private var sorted: [Double]

    /// No runs yet, or the runs of `milliseconds`.
    package init(_ milliseconds: [Double] = []) {
        sorted = milliseconds.sorted()
    }

    /// How many runs there were.
    package var count: Int { sorted.count }

    /// The middle one; of an even number the mean of the two in the middle. 0 without runs.
    package var median: Double {
        guard !sorted.isEmpty else { return 0 }
        let middle = sorted.count / 2
        return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
    }

    /// The smallest run that at least 95 of 100 runs do not exceed (nearest rank). 0 without runs.
    package var percentile95: Double {
        guard !sorted.isEmpty else { return 0 }
        let rank = (sorted.count * 95 + 99) / 100
        return sorted[max(rank, 1) - 1]
    }
}

extension Duration {
    /// This duration in milliseconds.
    package var milliseconds: Double {
        Double(components.seconds) * 1000 + Double(components.attoseconds) / 1e15
    }
}
