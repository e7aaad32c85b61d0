/// How long each question with rows to choose from was seen: what is taken at once was a key or a click for something
/// else, and no page can open a question under it.
@MainActor
package final class SeenQuestions {
    private let timer: any SheetTimer
    private var considerations: [Int: Consideration] = [:]

    /// No question is seen.
    package init(timer: any SheetTimer) {
        self.timer = timer
    }

    /// The question `number` stands there from now on, or is looked at again.
    package func begin(_ number: Int) {
        let consideration = considerations[number] ?? Consideration(timer: timer) { _ in }
        considerations[number] = consideration
        consideration.begin()
    }

    /// It stands there no more.
    package func end(_ number: Int) {
        considerations.removeValue(forKey: number)?.end()
    }

    /// Whether a choice in it counts.
    package func isConsidered(_ number: Int) -> Bool {
        considerations[number]?.isOver ?? false
    }
}
