package import AutoFillProtocol
import AutoFillWire

/// What follows from something that the person did.
package enum SheetReaction: Sendable {
    /// Nothing.
    case none
    /// The window has to show something else.
    case redraw
    /// Whoever asked is to be told.
    case event(InterfaceEvent)
}

/// A list in the window: what is typed to narrow it down, and which row is selected.
package struct ListModel: Sendable {
    /// A line of the list.
    package enum Entry: Hashable, Sendable {
        case heading(String)
        case row(InterfaceList.Row)
    }

    /// The list, made harmless.
    package private(set) var list: InterfaceList
    /// What is typed.
    package private(set) var query = ""
    /// Headings and rows that match what is typed.
    package private(set) var entries: [Entry] = []
    /// Which of ``entries`` is selected: always a row; nil when there is none.
    package private(set) var selection: Int?
    /// The provider was asked to search, and has not answered.
    private var isSearching = false
    /// Enter was pressed for what the search will find.
    private var isChoiceHeld = false

    /// A list as it comes.
    package init(_ list: InterfaceList) {
        self.list = list
        filter()
        selection = firstRow
    }

    /// The row that Enter chooses; nil when there is none.
    package var selected: InterfaceList.Row? { selection.flatMap(row) }

    /// Takes another list in place of this one; what is typed stays, and the selected row if it is still there. When
    /// Enter was pressed before the answer to a search came, it counts for the answer.
    package mutating func update(_ list: InterfaceList) -> SheetReaction {
        let before = selected?.id
        self.list = list
        if list.search == .none { query = "" }
        filter()
        let kept = entries.indices.first { row(at: $0).map { $0.id == before } ?? false }
        selection = isSearching ? firstRow : kept ?? firstRow
        isSearching = false
        defer { isChoiceHeld = false }
        return isChoiceHeld ? choose() : .redraw
    }

    /// Takes what stands in the search field now.
    package mutating func search(_ text: String) -> SheetReaction {
        let text = DisplayText.line(text)
        guard list.search != .none, text != query else { return .none }
        query = text
        isChoiceHeld = false
        if list.search == .provider {
            isSearching = true
            return .event(.searched(text))
        }
        filter()
        selection = firstRow
        return .redraw
    }

    /// Selects the row that is `step` rows further, or the last one on the way.
    package mutating func move(by step: Int) -> SheetReaction {
        isChoiceHeld = false
        let rows = entries.indices.filter { row(at: $0) != nil }
        guard let selection, let place = rows.firstIndex(of: selection) else { return .none }
        self.selection = rows[max(0, min(place + step, rows.count - 1))]
        return .redraw
    }

    /// Selects the entry at `index`, if that is a row.
    package mutating func select(_ index: Int) {
        if row(at: index) != nil { selection = index }
    }

    /// Chooses the selected row. What a search has not found yet cannot be meant, so the choice waits for it: whoever
    /// types fast must not get the row that stood there before.
    package mutating func choose() -> SheetReaction {
        isChoiceHeld = isSearching
        guard !isSearching, let selected else { return .none }
        return .event(.chose(row: selected.id))
    }

    private var firstRow: Int? { entries.indices.first { row(at: $0) != nil } }

    private func row(at index: Int) -> InterfaceList.Row? {
        guard entries.indices.contains(index), case .row(let row) = entries[index] else { return nil }
        return row
    }

    /// Keeps the rows that hold every word of the query, and the headings that have such rows.
    private mutating func filter() {
        let words = list.search == .rows ? query.lowercased().split(separator: " ") : []
        entries = list.sections.flatMap { section -> [Entry] in
            let rows = section.rows.filter { row in
                let text = (row.title + " " + (row.subtitle ?? "")).lowercased()
                return words.allSatisfy { text.contains($0) }
            }
            guard !rows.isEmpty else { return [] }
            return (section.title.map { [.heading($0)] } ?? []) + rows.map(Entry.row)
        }
    }
}
