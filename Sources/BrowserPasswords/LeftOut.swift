import Importing

/// What is left out of a profile, counted by the reason: nobody reads the same sentence a hundred times.
struct LeftOut {
    private var counts: [(reason: String, count: Int, things: (one: String, many: String))] = []

    /// Counts one.
    mutating func add(
        _ reason: String, _ things: (one: String, many: String) = ("password", "passwords"), count: Int = 1
    ) {
        guard count > 0 else { return }
        if let index = counts.firstIndex(where: { $0.reason == reason }) {
            counts[index].count += count
        } else {
            counts.append((reason, count, things))
        }
    }

    /// Tells each reason once, with how many there are.
    func tell(_ take: (ImportEvent) throws(ImportError) -> Void) throws(ImportError) {
        for (reason, count, things) in counts {
            let place = count == 1 ? "1 \(things.one)" : "\(count) \(things.many)"
            try take(.skipped(SkippedEntry(place: place, reason: reason)))
        }
    }
}
