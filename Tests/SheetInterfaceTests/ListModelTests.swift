import AutoFillProtocol
import AutoFillWire
import Testing

@testable import SheetInterface

@Suite struct ListModelTests {
    private func list(_ titles: [String], search: InterfaceList.Search = .rows) -> InterfaceList {
        InterfaceList(title: "", sections: [.init(rows: titles.map { .init(id: $0, title: $0) })], search: search)
    }

    private func chosen(_ reaction: SheetReaction) -> String? {
        if case .event(.chose(let row)) = reaction { row } else { nil }
    }

    @Test func theFirstRowIsSelectedAndNotItsHeading() {
        let list = InterfaceList(title: "", sections: [.init(title: "Here", rows: [.init(id: "a", title: "anna")])])
        var model = ListModel(list)
        #expect(model.entries == [.heading("Here"), .row(.init(id: "a", title: "anna"))])
        #expect(model.selection == 1)
        #expect(chosen(model.choose()) == "a")
    }

    @Test(arguments: [
        ("", 3), ("ann", 1), ("ANN", 1), ("a", 3), ("a ber", 1), ("host2", 1), ("nobody", 0),
    ])
    func everyWordMustStandInTheRow(query: String, count: Int) {
        let rows = ["anna", "berta", "clara"].enumerated().map { index, name in
            InterfaceList.Row(id: name, title: name, subtitle: "host\(index + 1)")
        }
        var model = ListModel(InterfaceList(title: "", sections: [.init(rows: rows)]))
        _ = model.search(query)
        #expect(model.entries.count == count)
        #expect((model.selected == nil) == (count == 0))
    }

    @Test func headingsWithoutRowsGo() {
        let sections = [
            InterfaceList.Section(title: "A", rows: [.init(id: "a", title: "anna")]),
            InterfaceList.Section(title: "B", rows: [.init(id: "b", title: "berta")]),
        ]
        var model = ListModel(InterfaceList(title: "", sections: sections))
        _ = model.search("berta")
        #expect(model.entries == [.heading("B"), .row(.init(id: "b", title: "berta"))])
    }

    @Test(arguments: [(1, "b"), (2, "d"), (9, "d"), (-1, "a"), (-9, "a")])
    func theSelectionMovesOverHeadingsAndStaysInTheList(step: Int, expected: String) {
        let sections = [
            InterfaceList.Section(title: "1", rows: [.init(id: "a", title: "a"), .init(id: "b", title: "b")]),
            InterfaceList.Section(title: "2", rows: [.init(id: "d", title: "d")]),
        ]
        var model = ListModel(InterfaceList(title: "", sections: sections))
        _ = model.move(by: step)
        #expect(model.selected?.id == expected)
    }

    @Test func aHeadingCannotBeSelected() {
        var model = ListModel(
            InterfaceList(title: "", sections: [.init(title: "1", rows: [.init(id: "a", title: "a")])]))
        model.select(0)
        #expect(model.selection == 1)
        model.select(7)
        #expect(model.selection == 1)
    }

    @Test func aNewerListKeepsQueryAndSelection() {
        var model = ListModel(list(["anna", "anton", "berta"]))
        _ = model.search("an")
        _ = model.move(by: 1)
        _ = model.update(list(["aaron", "anna", "anton", "zoe"]))
        #expect(model.query == "an")
        #expect(model.selected?.id == "anton")
        #expect(model.entries.count == 2)
    }

    @Test func enterBeforeTheProviderAnsweredCountsForTheAnswer() {
        var model = ListModel(list(["anna"], search: .provider))
        guard case .event(.searched("z")) = model.search("z") else { return #expect(Bool(false)) }
        #expect(chosen(model.choose()) == nil)
        #expect(chosen(model.update(list(["zoe"], search: .provider))) == "zoe")
    }

    @Test func typingOnTakesAnEarlyEnterBack() {
        var model = ListModel(list(["anna"], search: .provider))
        _ = model.search("z")
        _ = model.choose()
        _ = model.search("zo")
        #expect(chosen(model.update(list(["zoe"], search: .provider))) == nil)
    }

    @Test func aListWithoutSearchForgetsTheQuery() {
        var model = ListModel(list(["anna"]))
        _ = model.search("x")
        _ = model.update(list(["anna"], search: .none))
        #expect(model.query.isEmpty)
        #expect(model.selected?.id == "anna")
    }

    @Test func whatIsTypedIsCutAndHasNoControlCharacters() {
        var model = ListModel(list(["anna"], search: .provider))
        let reaction = model.search("a\u{1B}b" + String(repeating: "x", count: 1000))
        guard case .event(.searched(let text)) = reaction else { return #expect(Bool(false)) }
        #expect(text.hasPrefix("abx"))
        #expect(text.count == DisplayText.maximumLine)
    }
}
