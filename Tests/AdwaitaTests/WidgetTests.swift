import Testing

@testable import Adwaita

@MainActor @Suite(.serialized) struct WidgetTests {
    init() throws { try TestDisplay.open() }

    private func object<Kind: Object>(_ type: String, _: Kind.Type = Kind.self) throws -> Kind {
        try InterfaceFile(Array("<interface><object class=\"\(type)\" id=\"it\"/></interface>".utf8)).object("it")
    }

    @Test(arguments: ["<b>bold</b>", "a & b", "&amp;", "_underlined", "", "عربي"])
    func textIsTextAndNeverMarkup(text: String) {
        #expect(Label(text).text == text)
        let label = Label("")
        label.text = text
        #expect(label.text == text)
        let row = ActionRow(title: text, subtitle: text)
        #expect(row.title == text)
        #expect(row.subtitle == text)
        #expect(EntryRow(text).title == text)
    }

    @Test func aButtonSaysWhatItIsTold() {
        let button = Button("a")
        #expect(button.title == "a")
        button.title = "b"
        #expect(button.title == "b")
    }

    @Test func whatIsHiddenOrShutSaysSo() {
        let button = Button("a")
        #expect(button.isVisible && button.isSensitive && !button.isMapped && !button.hasFocus)
        button.isVisible = false
        button.isSensitive = false
        #expect(!button.isVisible && !button.isSensitive)
    }

    @Test func aStackShowsThePageThatIsNamed() throws {
        let xml = """
            <interface><object class="GtkStack" id="it">
            <child><object class="GtkStackPage"><property name="name">a</property>
            <property name="child"><object class="GtkLabel"/></property></object></child>
            <child><object class="GtkStackPage"><property name="name">b</property>
            <property name="child"><object class="GtkLabel"/></property></object></child>
            </object></interface>
            """
        let stack: Stack = try InterfaceFile(Array(xml.utf8)).object("it")
        #expect(stack.shown == "a")
        stack.shown = "b"
        #expect(stack.shown == "b")
    }

    @Test func progressIsBetweenNothingAndAll() throws {
        let bar: ProgressBar = try object("GtkProgressBar")
        bar.fraction = 0.25
        #expect(bar.fraction == 0.25)
        bar.fraction = 7
        #expect(bar.fraction == 1)
        let spinner: Spinner = try object("GtkSpinner")
        #expect(!spinner.isSpinning)
        spinner.isSpinning = true
        #expect(spinner.isSpinning)
    }

    @Test func aRowOfAGroupIsUsedAgain() throws {
        let group: PreferencesGroup = try object("AdwPreferencesGroup")
        let row = ActionRow(title: "a")
        for _ in 0..<3 {
            group.append(row)
            group.removeAll()
        }
        row.title = "b"
        group.append(row)
        #expect(row.title == "b")
    }

    @Test func roomIsMadeForLinesAsTheyBreak() throws {
        let scroller: ScrolledWindow = try object("GtkScrolledWindow")
        let text = Label(String(repeating: "word ", count: 100))
        scroller.makeRoom(for: text, width: 300, limit: 10_000)
        let wide = scroller.minimumHeight
        scroller.makeRoom(for: text, width: 150, limit: 10_000)
        #expect(scroller.minimumHeight > wide)
        scroller.makeRoom(for: text, width: 150, limit: 50)
        #expect(scroller.minimumHeight == 50)
    }
}

@MainActor @Suite(.serialized) struct EntryTests {
    init() throws { try TestDisplay.open() }

    @Test func everyChangeIsTold() {
        let (row, counter) = (EntryRow("Name"), Counter())
        row.onChange { counter.count += 1 }
        row.text = "ada"
        #expect(row.text == "ada")
        #expect(counter.count >= 1)
    }

    @Test(arguments: ["open sesame", "пароль", "🔑", ""])
    func aSecretIsLentAsItWasTyped(secret: String) {
        let row = PasswordRow("Password", limit: 100)
        row.type(secret)
        #expect(row.count == secret.unicodeScalars.count)
        #expect(row.withSecret { Array($0) } == Array(secret.utf8))
    }

    @Test func aSecretThatIsWipedIsGone() {
        let row = PasswordRow("Password", limit: 100)
        row.type("open sesame")
        row.wipe()
        #expect(row.count == 0)
        #expect(row.withSecret { $0.isEmpty })
        row.type("again")
        #expect(row.withSecret { Array($0) } == Array("again".utf8))
    }

    @Test func aSecretHasALimit() {
        let row = PasswordRow("Password", limit: 3)
        row.type("four")
        #expect(row.count == 3)
    }

    @Test func aSecretRowIsOnlyMadeHere() throws {
        let xml = #"<interface><object class="AdwPasswordEntryRow" id="it"/></interface>"#
        let file = try InterfaceFile(Array(xml.utf8))
        // Whatever made that one chose its buffer, which may not be the secure kind.
        #expect(throws: DesktopError.self) { try file.object("it", as: PasswordRow.self) }
    }
}

@MainActor @Suite(.serialized) struct DesktopTests {
    init() throws { try TestDisplay.open() }

    @Test func theAppearanceIsWhatWasChosen() {
        Desktop.setColorScheme(.dark)
        #expect(Desktop.isDark)
        Desktop.setColorScheme(.light)
        #expect(!Desktop.isDark)
    }

    @Test func aWindowThatIsNotOnTheScreenHasNoPicture() throws {
        let xml = #"<interface><object class="AdwWindow" id="it"/></interface>"#
        let window: Window = try InterfaceFile(Array(xml.utf8)).object("it")
        window.title = "A <b>title</b>"
        #expect(window.title == "A <b>title</b>")
        #expect(throws: DesktopError(.picture, "")) { try window.writePicture(to: "/nonexistent/a.png") }
        #expect(!window.isMapped && !window.isActive)
    }
}
