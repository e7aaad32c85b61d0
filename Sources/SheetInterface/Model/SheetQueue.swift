/// What a sheet belongs to.
package enum SheetID: Hashable, Sendable {
    /// A request that a provider answers, by the broker's number.
    case presentation(Int)
    /// A question of the broker itself, by our own number.
    case question(Int)
}

/// Queues sheets: one at a time, in the order in which they came. A sheet that somebody is waiting for comes before
/// questions that can wait.
package struct SheetQueue: Sendable {
    /// The most that wait. More would only be a heap of windows that somebody made to wear the person out.
    package static let limit = 16

    private var waiting: [(id: SheetID, sheet: Sheet)] = []
    /// Those that the person closed, and whose end the broker has not told yet: what comes for them is late.
    private var closed: Set<SheetID> = []

    /// Nothing to show.
    package init() {}

    /// What is to be seen now.
    package var front: (id: SheetID, sheet: Sheet)? { waiting.first }

    /// How many want to be seen.
    package var count: Int { waiting.count }

    /// Takes what is to be shown for `id` from now on.
    ///
    /// - Returns: false when there are too many; nothing was taken then.
    package mutating func show(_ sheet: Sheet, for id: SheetID) -> Bool {
        guard !closed.contains(id) else { return true }
        if let place = waiting.firstIndex(where: { $0.id == id }) {
            waiting[place].sheet = sheet
            return true
        }
        guard waiting.count < Self.limit else { return false }
        // What stands there already stays: nothing comes between the person's look and their click.
        let place = sheet.givesWay ? nil : waiting.dropFirst().firstIndex { $0.sheet.givesWay }
        waiting.insert((id, sheet), at: place ?? waiting.count)
        return true
    }

    /// Takes away what is shown for `id`, because it has ended.
    package mutating func end(_ id: SheetID) {
        waiting.removeAll { $0.id == id }
        closed.remove(id)
    }

    /// Takes away what is shown for `id`, because the person closed it: nothing more is shown for it.
    package mutating func close(_ id: SheetID) {
        waiting.removeAll { $0.id == id }
        closed.insert(id)
    }
}
