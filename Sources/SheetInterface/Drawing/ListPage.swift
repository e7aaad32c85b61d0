import Adwaita

/// A list with its search field.
@MainActor
final class ListPage {
    /// How many rows Page Up and Page Down go.
    static let page = 6
    /// How many rows are made before the window is drawn, more than are seen at once; the others follow while nothing
    /// else is to be done.
    private static let firstRows = 12
    /// How many are made at a time after that.
    private static let moreRows = 40

    var onSearch: (String) -> Void = { _ in }
    var onSelect: (Int) -> Void = { _ in }
    var onChoose: () -> Void = {}
    var onStop: () -> Void = {}

    private let title: Label
    private let search: SearchEntry
    private let scroller: ScrolledWindow
    private let list: ListBox
    private let empty: Label
    private let language: SheetLanguage
    private var rows: [ListBoxRow] = []
    private var entries: [ListModel.Entry] = []
    /// Counts the contents, so that rows of an earlier one are not added to a later.
    private var generation = 0
    /// Whether we change something ourselves, which is not what the person does.
    private var isDrawing = false

    init(_ file: InterfaceFile, _ language: SheetLanguage) throws(DesktopError) {
        title = try file.object("list-title")
        search = try file.object("search")
        scroller = try file.object("list-scroller")
        list = try file.object("list")
        empty = try file.object("empty")
        self.language = language
        search.setPlaceholder(language.text(.search))
        search.setAccessibleName(language.text(.search))
        connect()
    }

    /// Whether the arrow keys are typed where they mean nothing else.
    var takesKeysForSelection: Bool { search.isVisible && search.hasFocus }

    func show(_ model: ListModel, isFresh: Bool) {
        isDrawing = true
        defer { isDrawing = false }
        title.text = model.list.title
        title.isVisible = !model.list.title.isEmpty
        list.setAccessibleName(model.list.title)
        search.isVisible = model.list.search != .none
        if isFresh || model.query.isEmpty && !search.text.isEmpty { search.text = model.query }
        let hadFocus = list.hasFocus
        fill(model)
        showEmptiness(model)
        if isFresh { scroller.scrollToTop() }
        select(model.selection, takingFocus: hadFocus)
    }

    /// Where typing begins.
    func focusFirst(_ model: ListModel) {
        if search.isVisible { search.grabFocus() } else { select(model.selection, takingFocus: true) }
    }

    func clear() {
        isDrawing = true
        defer { isDrawing = false }
        generation += 1
        list.removeAll()
        (rows, entries) = ([], [])
        search.text = ""
    }

    private func connect() {
        search.onChange { [weak self] in
            guard let self, !isDrawing else { return }
            onSearch(search.text)
        }
        search.on("activate") { [weak self] in self?.onChoose() }
        search.on("stop-search") { [weak self] in self?.onStop() }
        list.onSelection { [weak self] row in
            guard let self, !isDrawing else { return }
            onSelect(row.index)
        }
        list.onActivation { [weak self] row in
            guard let self else { return }
            onSelect(row.index)
            onChoose()
        }
    }

    // MARK: - Rows

    private func fill(_ model: ListModel) {
        guard model.entries != entries else { return }
        generation += 1
        list.removeAll()
        (rows, entries) = ([], model.entries)
        add(upTo: max(Self.firstRows, (model.selection ?? 0) + 1))
        let current = generation
        guard rows.count < entries.count else { return }
        Desktop.whenIdle { [weak self] in
            guard let self, generation == current else { return false }
            isDrawing = true
            defer { isDrawing = false }
            add(upTo: rows.count + Self.moreRows)
            return rows.count < entries.count
        }
    }

    private func showEmptiness(_ model: ListModel) {
        scroller.isVisible = !entries.isEmpty
        empty.isVisible = entries.isEmpty
        let isSearch = !model.query.isEmpty
        empty.text = isSearch ? language.text(.nothingFound) : model.list.emptyText ?? language.text(.nothingHere)
    }

    private func add(upTo count: Int) {
        for entry in entries.prefix(count).dropFirst(rows.count) {
            let row = Self.row(for: entry)
            list.append(row)
            rows.append(row)
        }
    }

    private func select(_ index: Int?, takingFocus: Bool) {
        if let index, index >= rows.count { add(upTo: index + 1) }
        guard let row = index.map({ rows[$0] }) else { return list.select(nil) }
        list.select(row)
        scroller.reveal(row, in: list)
        if takingFocus { row.grabFocus() }
    }

    private static func row(for entry: ListModel.Entry) -> ListBoxRow {
        switch entry {
        case .heading(let title):
            let label = Label(title, omitting: .end)
            label.setStyle("heading")
            label.setStyle("sheet-heading")
            return ListBoxRow(label, isSelectable: false)
        case .row(let row):
            let box = Box(.vertical, spacing: 2)
            box.setMargins(horizontal: 3, vertical: 4)
            let title = Label(row.title, omitting: .end)
            title.setTooltip(row.title)
            box.append(title)
            if let subtitle = row.subtitle {
                let label = Label(subtitle, omitting: .end)
                label.setStyle("caption")
                label.setStyle("dim-label")
                label.setTooltip(subtitle)
                box.append(label)
            }
            let made = ListBoxRow(box, isSelectable: true)
            made.setAccessibleName([row.title, row.subtitle].compactMap { $0 }.joined(separator: ", "))
            return made
        }
    }
}
