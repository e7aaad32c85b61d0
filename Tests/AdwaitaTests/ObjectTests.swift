import Testing

@testable import Adwaita

@MainActor @Suite(.serialized) struct InterfaceFileTests {
    init() throws { try TestDisplay.open() }

    private func file(_ objects: String) throws -> InterfaceFile {
        try InterfaceFile(Array("<interface>\(objects)</interface>".utf8))
    }

    @Test func anObjectIsFoundByItsName() throws {
        let file = try file(#"<object class="GtkButton" id="go"><property name="label">Go</property></object>"#)
        let button: Button = try file.object("go")
        #expect(button.title == "Go")
        #expect(button.typeName == "GtkButton")
        #expect(button.isSame(as: try file.object("go", as: Widget.self)))
    }

    @Test func aNameThatIsNotThereIsAnError() throws {
        let file = try file("")
        #expect(throws: DesktopError(.interfaceFile, "")) { try file.object("go", as: Button.self) }
    }

    @Test func anObjectOfAnotherTypeIsAnError() throws {
        let file = try file(#"<object class="GtkLabel" id="go"/>"#)
        #expect(throws: DesktopError(.interfaceFile, "")) { try file.object("go", as: Button.self) }
        #expect(throws: Never.self) { try file.object("go", as: Widget.self) }
    }

    @Test(arguments: ["<interface><object class=\"NoSuchThing\"/></interface>", "\u{0}", "<a/>", "no file"])
    func whatIsMalformedIsAnError(xml: String) {
        #expect(throws: DesktopError(.interfaceFile, "")) { try InterfaceFile(Array(xml.utf8)) }
    }

    @Test func anObjectOutlivesItsFile() throws {
        var file: InterfaceFile? = try file(#"<object class="GtkLabel" id="text"/>"#)
        let label: Label = try #require(try file?.object("text"))
        file = nil
        label.text = "still here"
        #expect(label.text == "still here")
    }

    @Test func nothingIsNoObject() {
        #expect(Label(checking: nil) == nil)
    }

    @Test func errorsAreEqualByTheirCodes() {
        #expect(DesktopError(.noDisplay, "a") == DesktopError(.noDisplay, "b"))
        #expect(DesktopError(.noDisplay, "a") != DesktopError(.picture, "a"))
        #expect(Set([DesktopError(.noDisplay, "a"), DesktopError(.noDisplay, "b")]).count == 1)
        #expect("\(DesktopError(.picture, "why"))" == "why")
    }
}

@MainActor @Suite(.serialized) struct SignalTests {
    init() throws { try TestDisplay.open() }

    @Test func aClosureIsCalledEachTime() {
        let (label, counter) = (Label(""), Counter())
        label.on("notify::label") { counter.count += 1 }
        label.text = "a"
        label.text = "b"
        #expect(counter.count == 2)
    }

    @Test func oneThatWasTakenOffIsNotCalled() {
        let (label, counter) = (Label(""), Counter())
        let connection = label.on("notify::label") { counter.count += 1 }
        connection.disconnect()
        connection.disconnect()
        label.text = "a"
        #expect(counter.count == 0)
    }

    @Test func oneThatIsTakenOffWhileItRunsIsNotCalledAgain() {
        let (label, counter) = (Label(""), Counter())
        var connection: SignalConnection?
        connection = label.on("notify::label") {
            counter.count += 1
            connection?.disconnect()
        }
        label.text = "a"
        label.text = "b"
        #expect(counter.count == 1)
    }

    @Test func whatAClosureHoldsIsLetGoOfWithTheConnection() {
        let label = Label("")
        weak var held: Counter?
        let connection: SignalConnection
        do {
            let counter = Counter()
            held = counter
            connection = label.on("notify::label") { counter.count += 1 }
        }
        #expect(held != nil)
        connection.disconnect()
        #expect(held == nil)
    }

    @Test func whatAClosureHoldsIsLetGoOfWithTheObject() {
        weak var held: Counter?
        do {
            let (label, counter) = (Label(""), Counter())
            held = counter
            label.on("notify::label") { counter.count += 1 }
            label.text = "a"
        }
        #expect(held == nil)
    }

    @Test func aSignalBringsItsObject() {
        let file = try? InterfaceFile(Array(#"<interface><object class="GtkListBox" id="list"/></interface>"#.utf8))
        guard let list: ListBox = try? file?.object("list") else {
            Issue.record("no list")
            return
        }
        let rows = (0..<3).map { ListBoxRow(Label("\($0)"), isSelectable: $0 != 1) }
        for row in rows { list.append(row) }
        var selected: [Int] = []
        list.onSelection { selected.append($0.index) }
        list.select(rows[2])
        list.select(rows[0])
        #expect(selected == [2, 0])
        list.removeAll()
        list.append(rows[1])
        #expect(rows[1].index == 0)
    }
}

@Suite struct KeyTests {
    // As X11's keysymdef.h numbers them; Alt is 8, Control 4, Shift 1.
    @Test(
        arguments: [
            (0xFF1B, Key.Name.escape), (0xFF0D, .enter), (0xFF8D, .enter), (0xFF52, .up), (0xFF97, .up),
            (0xFF54, .down),
            (0xFF99, .down), (0xFF55, .pageUp), (0xFF56, .pageDown), (0x61, .other), (0, .other),
        ] as [(UInt32, Key.Name)])
    func aKeyHasItsName(symbol: UInt32, name: Key.Name) {
        #expect(Key(symbol: symbol, modifiers: 0).name == name)
    }

    @Test(arguments: [(0, false), (1, false), (2, false), (4, true), (8, true), (5, true)] as [(UInt32, Bool)])
    func onlyWhatMakesAShortcutCounts(modifiers: UInt32, isModified: Bool) {
        #expect(Key(symbol: 0xFF52, modifiers: modifiers).isModified == isModified)
    }
}
