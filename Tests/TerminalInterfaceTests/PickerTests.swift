import AutoFillProtocol
import AutoFillWire
import Testing

@testable import TerminalInterface

struct PickerTests {
    @Test func drawsHeaderSectionsAndKeys() throws {
        let screen = try Samples.screen(.list(Samples.list))
        #expect(
            screen.text() == """
                | Passwords for login.example.com  org.keyway.passwords
                  Choose an account
                  Search: \n  For this site
                  > Example  ada
                    Example  bob
                  All
                    日本の銀行  ada@example.org
                  Up/Down move - Enter choose - Esc cancel - 1 of 3
                """)
    }

    @Test func theCursorStandsInTheSearchField() throws {
        let screen = try Samples.screen(.list(Samples.list))
        _ = try screen.type("日本".keys)
        #expect(screen.frame(size: Samples.size, Samples.rich).cursor == .init(row: 2, column: 2 + 8 + 4))
    }

    @Test(
        arguments: [
            ([.enter], "1"), ([.down, .enter], "2"), ([.control("n"), .control("n"), .enter], "3"),
            ([.end, .enter], "3"), ([.end, .control("p"), .enter], "2"), ([.up, .enter], "1"),
            ([.pageDown, .enter], "3"), ([.pageDown, .pageUp, .enter], "1"), ([.end, .home, .enter], "1"),
            ("bob".keys + [.enter], "2"), ("ADA exam".keys + [.enter], "1"), ("銀行".keys + [.enter], "3"),
            ("bobx".keys + [.backspace, .enter], "2"), ([.end] + "exa".keys + [.enter], "1"),
        ] as [([Key], String)])
    func keysChooseRows(keys: [Key], row: String) throws {
        let screen = try Samples.screen(.list(Samples.list))
        #expect(try screen.type(keys).chosenRow == row)
    }

    @Test func nothingFoundSaysSoAndChoosesNothing() throws {
        let screen = try Samples.screen(.list(Samples.list))
        #expect(try screen.type("nobody".keys + [.enter]).isNone)
        #expect(screen.text().contains("Nothing found."))
        #expect(!screen.text().contains("For this site"))
    }

    @Test(arguments: [Key.escape, .control("g")])
    func escapeTellsTheProvider(key: Key) throws {
        let screen = try Samples.screen(.list(Samples.list))
        #expect(try screen.type([key]).isCancelled)
    }

    @Test func controlCEndsTheRequest() throws {
        let screen = try Samples.screen(.list(Samples.list))
        #expect(try screen.type([.control("c")]).isAbandoned)
    }

    @Test func longListsScrollAroundTheSelection() throws {
        let screen = try Samples.screen(.list(Samples.long(100)))
        #expect(screen.text().contains("Row 1\n"))
        #expect(!screen.text().contains("Row 20\n"))
        _ = try screen.type(Array(repeating: .down, count: 49))
        #expect(screen.text().contains("> Row 50\n"))
        #expect(screen.text().contains("50 of 100"))
        _ = try screen.type([.end])
        #expect(screen.text().contains("> Row 100\n"))
    }

    @Test(arguments: [1, 2, 3, 4, 5, 8, 24, 200], [1, 2, 5, 20, 80, 300])
    func fitsEveryScreen(rows: Int, columns: Int) throws {
        let size = ScreenSize(columns: columns, rows: rows)
        let message = InterfaceMessage(
            title: "T", text: String(repeating: "word ", count: 400), actions: [.init(id: "a", title: "日本")])
        var form = Samples.form
        form.fields = (1...20).map { .init(id: "\($0)", label: "Label 日本 \($0)", kind: .text(initial: "x")) }
        form.error = "Wrong."
        let interfaces: [ProviderInterface] = [
            .list(Samples.list), .list(Samples.long(500)), .form(Samples.form), .form(form), .message(message),
            .progress(.init(title: "Working", text: "on it", fraction: 0.5)),
        ]
        for interface in interfaces {
            let screen = try Samples.screen(interface)
            _ = try screen.type([.tab] + "日本".keys, size: size)
            for appearance in [Samples.plain, Samples.rich] {
                let frame = screen.frame(size: size, appearance)
                #expect(frame.lines.count <= max(rows - 1, 1))
                #expect(frame.lines.allSatisfy { $0.width <= columns })
                if let cursor = frame.cursor { #expect(cursor.row < frame.lines.count && cursor.column <= columns) }
            }
        }
    }

    @Test func everySelectedRowIsVisible() throws {
        let screen = try Samples.screen(.list(Samples.long(40)))
        let size = ScreenSize(columns: 30, rows: 6)
        for number in 1...40 {
            #expect(screen.text(size: size).contains("> Row \(number)"))
            _ = try screen.type([.down], size: size)
        }
    }

    @Test func aLongTitleLeavesRoomForTheUserName() throws {
        let row = InterfaceList.Row(id: "1", title: String(repeating: "long ", count: 40), subtitle: "ada@example.com")
        let screen = try Samples.screen(.list(.init(title: "", sections: [.init(rows: [row])])))
        #expect(screen.text().contains("ada@example.com"))
    }

    @Test func theAnswerToASearchKeepsTheQueryAndSelectsItsFirstRow() throws {
        var list = Samples.list
        list.search = .provider
        let screen = try Samples.screen(.list(list))
        guard case .event(.searched(let text)) = try screen.type([.down] + "x".keys) else {
            Issue.record("the provider was not asked")
            return
        }
        #expect(text == "x")
        list.sections.reverse()
        screen.update(try Samples.presentation(.list(list)))
        #expect(screen.text().contains("Search: x"))
        #expect(try screen.type([.enter]).chosenRow == "3")
    }

    @Test func aListThatChangesByItselfKeepsTheSelectedRow() throws {
        let screen = try Samples.screen(.list(Samples.list))
        _ = try screen.type([.down])
        var list = Samples.list
        list.sections.reverse()
        screen.update(try Samples.presentation(.list(list)))
        #expect(try screen.type([.enter]).chosenRow == "2")
    }

    @Test func enterWaitsForWhatTheProviderFinds() throws {
        var list = Samples.list
        list.search = .provider
        let screen = try Samples.screen(.list(list))
        #expect(try screen.type("日".keys + [.enter]).isNone)
        list.sections.removeFirst()
        #expect(screen.update(try Samples.presentation(.list(list))).chosenRow == "3")
        #expect(screen.text().contains("Working…"))
    }

    @Test func anotherKeyTakesTheWaitingEnterBack() throws {
        var list = Samples.list
        list.search = .provider
        let screen = try Samples.screen(.list(list))
        _ = try screen.type("x".keys + [.enter, .down])
        #expect(screen.update(try Samples.presentation(.list(list))).chosenRow == nil)
    }

    @Test func aListWithoutSearchTakesNoText() throws {
        var list = Samples.list
        list.search = .none
        let screen = try Samples.screen(.list(list))
        #expect(try screen.type("x".keys).isNone)
        #expect(!screen.text().contains("Search"))
    }

    @Test func anEmptyListSaysWhy() throws {
        let list = InterfaceList(title: "", sections: [.init(title: "None", rows: [])], emptyText: "No accounts yet.")
        #expect(try Samples.screen(.list(list)).text().contains("No accounts yet."))
    }

    @Test func afterAChoiceOnlyTheEndIsTaken() throws {
        let screen = try Samples.screen(.list(Samples.list))
        _ = try screen.type([.enter])
        #expect(screen.text().contains("Working…"))
        #expect(try screen.type([.enter]).isNone)
        #expect(try screen.type([.escape]).isCancelled)
        screen.update(try Samples.presentation(.list(Samples.list)))
        #expect(try screen.type([.enter]).chosenRow == "1")
    }
}
