import Testing

@testable import AutoFillProtocol
@testable import AutoFillWire
@testable import KeywaySystem

@Suite struct ProviderInterfaceTests {
    @Test(arguments: [
        ("plain", "plain"), ("a\u{1B}[2Jb", "a[2Jb"), ("\u{202E}gpj", "gpj"), ("tab\tline\nend", "tab line end"),
        ("null\u{0}", "null"), ("\u{9B}31m", "31m"), ("👩‍👩‍👧 ok", "👩‍👩‍👧 ok"), ("\u{FEFF}bom", "bom"),
        ("عربي", "عربي"), ("\u{2028}x", "x"),
    ])
    func textCannotDriveATerminal(text: String, shown: String) {
        #expect(DisplayText.line(text) == shown)
    }

    @Test func whatWasTypedShowsNothingOfItsBytes() throws {
        let memory = try Array("hunter2".utf8).withUnsafeBytes { try SealedMemory(copying: $0) }
        #expect(!"\(InterfaceSecret(memory))".contains("hunter2"))
        var dumped = ""
        dump(InterfaceValue.secret(InterfaceSecret(memory)), to: &dumped)
        #expect(!dumped.contains("hunter2"))
    }

    @Test func textIsCutToALengthThatCanBeShown() {
        #expect(DisplayText.line(String(repeating: "é", count: 5000)).count == DisplayText.maximumLine)
        let stacked = "a" + String(repeating: "\u{301}", count: 1_000_000)
        #expect(DisplayText.line(stacked).unicodeScalars.count <= DisplayText.maximumLine * 8)
    }

    @Test func aParagraphKeepsItsLines() {
        #expect(DisplayText.paragraph("one\ntwo\r\n\u{7}three") == "one\ntwo\nthree")
    }

    @Test func aListOfTooManyRowsIsRefused() {
        let rows = (0...ProviderInterface.maximumRows).map { InterfaceList.Row(id: "\($0)", title: "row") }
        let list = ProviderInterface.list(InterfaceList(title: "All", sections: [.init(rows: rows)]))
        #expect(throws: ProtocolError(.invalidParameters, "")) { try list.bounded() }
    }

    @Test func aFormOfTooManyFieldsIsRefused() {
        let fields = (0...ProviderInterface.maximumFields).map {
            InterfaceForm.Field(id: "\($0)", label: "", kind: .secure)
        }
        let form = ProviderInterface.form(InterfaceForm(title: "", fields: fields, submitTitle: "OK"))
        #expect(throws: ProtocolError(.invalidParameters, "")) { try form.bounded() }
    }

    @Test func identifiersAreHandedBackUnchanged() throws {
        let row = InterfaceList.Row(id: "\u{1B}id\n", title: "\u{1B}title")
        let list = ProviderInterface.list(InterfaceList(title: "All", sections: [.init(rows: [row])]))
        guard case .list(let bounded) = try list.bounded() else { return }
        #expect(bounded.sections[0].rows[0] == .init(id: "\u{1B}id\n", title: "title"))
    }

    @Test(arguments: [(Double.nan, nil), (.infinity, nil), (-1, 0), (0.25, 0.25), (7, 1)] as [(Double, Double?)])
    func progressIsAFraction(given: Double, shown: Double?) throws {
        let progress = ProviderInterface.progress(InterfaceProgress(title: "", fraction: given))
        #expect(try progress.bounded() == .progress(InterfaceProgress(title: "", fraction: shown)))
    }
}
