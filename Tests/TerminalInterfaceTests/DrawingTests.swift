import Testing

@testable import TerminalInterface

struct AppearanceTests {
    @Test(arguments: [
        (["TERM": "xterm", "LANG": "de_DE.UTF-8"], true, true, true),
        (["TERM": "xterm", "NO_COLOR": "1"], false, false, true),
        (["TERM": "xterm", "NO_COLOR": ""], true, false, true),
        (["TERM": "dumb", "LANG": "C.utf8"], false, true, false),
        (["LC_ALL": "C", "LANG": "de_DE.UTF-8"], false, false, false),
    ])
    func followsTheEnvironment(environment: [String: String], colours: Bool, unicode: Bool, moves: Bool) {
        let appearance = Appearance(environment: environment)
        #expect(appearance.hasColours == colours)
        #expect(appearance.hasUnicode == unicode)
        #expect(appearance.movesCursor == moves)
    }

    @Test func withoutColoursNoColourIsSent() {
        #expect(Samples.plain.sequence(for: [.failure, .warning, .bold, .reversed]).contains("3") == false)
        #expect(Samples.rich.sequence(for: .failure) == "\u{1B}[31m")
    }
}

struct InlineRegionTests {
    private let frame = Frame(lines: [Line(Span("one", .bold)), Line(Span("two"))], cursor: .init(row: 0, column: 2))

    @Test func drawsLinesAndPutsTheCursor() {
        var region = InlineRegion()
        let output = region.draw(frame, Samples.rich)
        #expect(
            output
                == "\u{1B}[?25l\r\u{1B}[1mone\u{1B}[0m\u{1B}[K\r\ntwo\u{1B}[K\u{1B}[J\u{1B}[1A\r\u{1B}[2C\u{1B}[?25h")
    }

    @Test func goesBackToItsFirstLine() {
        var region = InlineRegion()
        _ = region.draw(Frame(lines: [Line(), Line(), Line()]), Samples.rich)
        let output = region.draw(frame, Samples.rich)
        #expect(output.hasPrefix("\u{1B}[?25l\u{1B}[2A\r"))
        #expect(region.clearing == "\r\u{1B}[J\u{1B}[?25h")
    }

    @Test func startsAnewWhereSomebodyElseHasWritten() {
        var region = InlineRegion()
        _ = region.draw(Frame(lines: [Line(), Line(), Line()]), Samples.rich)
        region.forget()
        let output = region.draw(frame, Samples.rich)
        #expect(output.hasPrefix("\u{1B}[?25l\r"))
    }
}

struct LineTests {
    @Test func cutsAcrossSpans() {
        let line = Line(Span("abc", .bold), Span("def"), Span("ghi", .dim))
        #expect(line.fitting(5).text == "abcd…")
        #expect(line.fitting(9) == line)
        #expect(line.fitting(3).width <= 3)
    }
}
