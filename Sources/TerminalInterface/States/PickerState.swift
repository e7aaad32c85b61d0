package import AutoFillProtocol

/// A list on the screen: what is typed to narrow it down, and which row is selected.
package struct PickerState: Sendable {
    /// A line of the list.
    enum Entry: Hashable, Sendable {
        case heading(String)
        case row(InterfaceList.Row)
    }

    /// The list, made harmless.
    package private(set) var list: InterfaceList
    /// What is typed.
    package private(set) var query = TextField()
    /// Headings and rows that match what is typed.
    private(set) var entries: [Entry] = []
    /// Where in `entries` the rows are.
    private(set) var rows: [Int] = []
    /// Which of `rows` is selected.
    private(set) var selection = 0
    /// The provider was asked to search, and has not answered.
    private var isSearching = false
    /// Enter was pressed for what the search will find.
    private var isChoiceHeld = false

    /// A list as it comes.
    package init(_ list: InterfaceList) {
        self.list = list
        filter()
    }

    /// The row that Enter chooses; nil when there is none.
    package var selected: InterfaceList.Row? {
        guard rows.indices.contains(selection), case .row(let row) = entries[rows[selection]] else { return nil }
        return row
    }

    /// Takes another list in place of this one; what is typed stays, and the selected row if it is still there. When
    /// Enter was pressed before the answer to a search came, it counts for the answer.
    package mutating func update(_ list: InterfaceList) -> Reaction {
        let before = selected?.id
        self.list = list
        if list.search == .none { query = TextField() }
        filter()
        let kept = rows.firstIndex { if case .row(let row) = entries[$0] { row.id == before } else { false } }
        selection = isSearching ? 0 : kept ?? 0
        isSearching = false
        defer { isChoiceHeld = false }
        return isChoiceHeld ? choose() : .redraw
    }

    /// Takes a key on a screen that shows `page` lines of the list at a time.
    package mutating func handle(_ key: Key, page: Int) -> Reaction {
        isChoiceHeld = false
        switch key {
        case .up, .control("p"), .backTab: return select(selection - 1)
        case .down, .control("n"), .tab: return select(selection + 1)
        case .pageUp, .control("b"): return select(selection - page)
        case .pageDown, .control("f"): return select(selection + page)
        case .home: return select(0)
        case .end: return select(rows.count - 1)
        case .enter: return choose()
        default: return search(key)
        }
    }

    /// Chooses the selected row. What a search has not found yet cannot be meant, so the choice waits for it: whoever
    /// types fast must not get the row that stood there before.
    private mutating func choose() -> Reaction {
        isChoiceHeld = isSearching
        guard !isSearching, let selected else { return .none }
        return .event(.chose(row: selected.id))
    }

    private mutating func select(_ row: Int) -> Reaction {
        selection = max(0, min(row, rows.count - 1))
        return .redraw
    }

    private mutating func search(_ key: Key) -> Reaction {
        let before = query.text
        guard list.search != .none, query.handle(key) else { return .none }
        guard query.text != before else { return .redraw }
        if list.search == .provider {
            isSearching = true
            return .event(.searched(query.text))
        }
        filter()
        selection = 0
        return .redraw
    }

    /// Keeps the rows that hold every word of the query, and the headings that have such rows.
    private mutating func filter() {
        let words = list.search == .rows ? query.text.lowercased().split(separator: " ") : []
        entries = list.sections.flatMap { section -> [Entry] in
            let rows = section.rows.filter { row in
                let text = (row.title + " " + (row.subtitle ?? "")).lowercased()
                return words.allSatisfy { text.contains($0) }
            }
            guard !rows.isEmpty else { return [] }
            return (section.title.map { [.heading($0)] } ?? []) + rows.map(Entry.row)
        }
        rows = entries.indices.filter { if case .row = entries[$0] { true } else { false } }
    }
}
