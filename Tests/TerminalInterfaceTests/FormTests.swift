import AutoFillProtocol
import KeywaySystem
import Testing

@testable import TerminalInterface

struct FormTests {
    private let account = InterfaceForm(
        title: "Sign in",
        fields: [
            .init(id: "user", label: "User", kind: .text(initial: "ada")),
            .init(id: "password", label: "Password", kind: .secure),
        ], submitTitle: "Go on", error: "Wrong password.")

    @Test func hidesWhatIsSecret() throws {
        let screen = try Samples.screen(.form(Samples.form))
        _ = try screen.type("hunter2".keys)
        #expect(
            screen.text() == """
                | Passwords for login.example.com  org.keyway.passwords
                  Unlock Passwords
                  The vault is locked.
                  Master password: *******
                  Enter Unlock - Esc cancel
                """)
        #expect(screen.frame(size: Samples.size, Samples.plain).cursor == .init(row: 3, column: 2 + 17 + 7))
    }

    @Test func enterHandsOverTheOnlyField() throws {
        let screen = try Samples.screen(.form(Samples.form))
        let values = try screen.type("päss".keys + [.backspace, .enter]).values
        #expect(values?["master"]?.text == "päs")
        #expect(values?.count == 1)
    }

    @Test func startsWhereSomethingIsMissing() throws {
        let screen = try Samples.screen(.form(account))
        let values = try screen.type("pw".keys + [.enter]).values
        #expect(values?["user"]?.text == "ada")
        #expect(values?["password"]?.text == "pw")
    }

    @Test func tabGoesAround() throws {
        let screen = try Samples.screen(.form(account))
        let values = try screen.type([.tab] + "x".keys + [.enter] + "pw".keys + [.enter]).values
        #expect(values?["user"]?.text == "adax")
        #expect(values?["password"]?.text == "pw")
    }

    @Test func enterInAnEarlierFieldGoesToTheNext() throws {
        let screen = try Samples.screen(.form(account))
        #expect(try screen.type([.backTab, .enter]).values == nil)
        #expect(try screen.type([.enter]).values != nil)
    }

    @Test func showsWhatWasWrong() throws {
        let frame = try Samples.screen(.form(account)).frame(size: Samples.size, Samples.rich)
        #expect(frame.lines.contains { $0.spans.contains(Span("Wrong password.", .failure)) })
    }

    @Test func theSameFormAgainKeepsWhatWasTyped() throws {
        let screen = try Samples.screen(.form(Samples.form))
        _ = try screen.type("abc".keys)
        screen.update(try Samples.presentation(.form(Samples.form)))
        #expect(try screen.type([.enter]).values?["master"]?.text == "abc")
    }

    @Test func anotherFormStartsEmpty() throws {
        let screen = try Samples.screen(.form(Samples.form))
        _ = try screen.type("abc".keys)
        var again = Samples.form
        again.error = "Wrong."
        screen.update(try Samples.presentation(.form(again)))
        #expect(try screen.type([.enter]).values?["master"]?.text == "")
    }

    @Test func theSameFormAfterASubmissionStartsEmpty() throws {
        let screen = try Samples.screen(.form(Samples.form))
        _ = try screen.type("abc".keys + [.enter])
        screen.update(try Samples.presentation(.form(Samples.form)))
        #expect(try screen.type("d".keys + [.enter]).values?["master"]?.text == "d")
    }
}

struct MessageTests {
    private let message = InterfaceMessage(
        title: "Older copy", text: "One.\nTwo.\nThree.", style: .warning,
        actions: [.init(id: "use", title: "Use it"), .init(id: "stop", title: "Stop")])

    @Test func drawsTheButtonsAndOneThatCancels() throws {
        #expect(
            try Samples.screen(.message(message)).text() == """
                | Passwords for login.example.com  org.keyway.passwords
                  Older copy
                  One.
                  Two.
                  Three.
                  [ Use it ] [ Stop ] [ Cancel ]\u{20}
                  Enter choose - Tab move - Esc cancel
                """)
    }

    @Test(arguments: [([Key.enter], "use"), ([.tab, .enter], "stop"), ([.right, .left, .enter], "use")])
    func activatesTheSelectedButton(keys: [Key], action: String) throws {
        let screen = try Samples.screen(.message(message))
        guard case .event(.activated(let chosen)) = try screen.type(keys) else {
            Issue.record("no button was pressed")
            return
        }
        #expect(chosen == action)
    }

    @Test func theLastButtonCancels() throws {
        let screen = try Samples.screen(.message(message))
        #expect(try screen.type([.tab, .tab, .tab, .enter]).isCancelled)
    }

    /// What gives something away is chosen, never confirmed by Enter alone.
    @Test(arguments: [
        ([Key.enter], nil), ([.escape], nil), ([.left, .enter], "stop"), ([.left, .left, .enter], "use"),
    ])
    func cancelIsSelectedFirstWhereThatIsWanted(keys: [Key], action: String?) throws {
        let screen = TestScreen(
            try Presentation(header: Samples.header, interface: .message(message), cancelsFirst: true))
        switch try screen.type(keys) {
        case .event(.activated(let chosen)): #expect(chosen == action)
        case .event(.cancelled): #expect(action == nil)
        default: Issue.record("nothing came of it")
        }
    }

    @Test func longTextScrollsToItsEnd() throws {
        let text = (1...60).map { "Line \($0)." }.joined(separator: "\n")
        let screen = try Samples.screen(.message(.init(title: "", text: text)))
        #expect(!screen.text().contains("Line 60."))
        _ = try screen.type(Array(repeating: .pageDown, count: 20))
        #expect(screen.text().contains("Line 60."))
        #expect(screen.text().contains("[ Cancel ]"))
    }

    @Test(
        arguments: [(nil, "|"), (0.5, "####################-------------------- 50 %"), (1, "100 %")]
            as [(Double?, String)])
    func progressShowsHowFarItIs(fraction: Double?, expected: String) throws {
        let screen = try Samples.screen(.progress(.init(title: "Working", fraction: fraction)))
        #expect(screen.isAnimated)
        #expect(screen.text().contains(expected))
    }
}

struct HeaderTests {
    @Test func namesProviderAndSite() {
        #expect(
            Samples.header.line(width: 80, Samples.rich).text
                == "▌ Passwords for login.example.com  org.keyway.passwords")
    }

    @Test(arguments: [20, 40, 80]) func whoIsBeingDebuggedSaysSoInEveryWidth(width: Int) {
        let header = PresentationHeader(
            provider: ProviderReference(identifier: "org.example.manager", name: "A manager with a long name"),
            service: "login.example.com", isDebugged: true)
        #expect(header.line(width: width, Samples.rich).text.contains("(being debugged)"))
        #expect(Columns.width(of: header.line(width: width, Samples.rich).text) <= width)
    }

    @Test func keepsTheEndOfTheSite() {
        let header = PresentationHeader(
            provider: .init(identifier: "x", name: String(repeating: "Long ", count: 20)),
            service: "accounts.google.com.example.evil.test")
        let line = header.line(width: 40, Samples.rich)
        #expect(line.text.hasSuffix(".evil.test"))
        #expect(line.width <= 40)
    }

    @Test func textOfOthersCannotLeaveItsPlace() throws {
        let nasty = "\u{1B}[2J\u{1B}[H▌ Keyway\u{202E}\n▌ Passwords"
        let row = InterfaceList.Row(id: "1", title: nasty, subtitle: nasty)
        let interface = ProviderInterface.list(.init(title: nasty, sections: [.init(title: nasty, rows: [row])]))
        let header = PresentationHeader(provider: .init(identifier: nasty, name: nasty), service: nasty)
        let screen = TestScreen(try Presentation(header: header, interface: interface))
        let frame = screen.frame(size: Samples.size, Samples.rich)
        #expect(!frame.text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || $0 == "\u{202E}" })
        for line in frame.lines.dropFirst() { #expect(line.text.hasPrefix("  ")) }
    }

    @Test func tooManyRowsAreRefused() {
        #expect(throws: ProtocolError(.invalidParameters, "")) {
            try Samples.presentation(.list(Samples.long(ProviderInterface.maximumRows + 1)))
        }
    }
}
