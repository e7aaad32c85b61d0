package import KeywaySystem

/// Since when each question with rows to choose from is seen: what is taken at once was a key or a click for something
/// else, and no page can open a question under it.
package struct SeenQuestions: Sendable {
    private var since: [Int: MonotonicTime] = [:]

    /// No question is seen.
    package init() {}

    /// The question `number` stands there from `now` on, or is looked at again.
    package mutating func begin(_ number: Int, at now: MonotonicTime) {
        since[number] = now
    }

    /// It stands there no more.
    package mutating func end(_ number: Int) {
        since[number] = nil
    }

    /// Whether a choice in it counts.
    @MainActor
    package func isConsidered(_ number: Int, at now: MonotonicTime) -> Bool {
        guard let since = since[number] else { return false }
        return now.since(since) >= .milliseconds(Int(Consideration.time))
    }
}
