import KeywayCrypto
import Testing

@testable import SecretDocuments

/// Notes what a reader hands over.
private final class Notes: XMLHandler {
    var lines: [String] = []

    func start(_ name: String, _ attributes: [String: String]) {
        lines.append("<\(name)\(attributes.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined())")
    }

    func end(_ name: String, _ text: SecretText) { lines.append(">\(name) \(text.publicText)") }
}

@Suite("XML")
struct XMLTests {
    private func events(_ text: String) throws -> [String] {
        let notes = Notes()
        try Array(text.utf8).withUnsafeBytes { bytes in
            let reader = try XMLReader(checkedText(bytes), handler: notes)
            while try reader.readOn() {}
        }
        return notes.lines
    }

    private func failure(_ text: String) -> DocumentError? {
        do {
            _ = try events(text)
            return nil
        } catch {
            return error as? DocumentError
        }
    }

    @Test func elementsAreHandedOverWithTheirText() throws {
        #expect(
            try events("<a x=\"1\"><b> t&amp;&#65;<![CDATA[<]]> </b><c/></a>")
                == ["<a x=1", "<b", ">b  t&A< ", "<c", ">c ", ">a "])
    }

    @Test func textIsWholeWhereverThePiecesEnd() throws {
        for padding in [65_500, 65_520, 65_530, 131_060] {
            let text = "<a><x>\(String(repeating: "x", count: padding))</x><b>hello wörld &amp; more text here</b></a>"
            #expect(try events(text).contains(">b hello wörld & more text here"), "\(padding)")
        }
        let long = String(repeating: "0123456789", count: 30_000)
        #expect(try events("<a>\(long)</a>").last == ">a \(long)")
    }

    @Test(arguments: [
        ("<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>", DocumentError.Code.malformed), ("<a>&b;</a>", .malformed),
        ("<a><b></a>", .malformed), ("<a>", .truncated), ("", .truncated), ("<a></a><b></b>", .malformed),
        ("text", .malformed),
        ("<a>" + String(repeating: "<a>", count: 1_000_000), .tooDeep),
    ])
    func whatIsNotReadIsRefused(text: String, code: DocumentError.Code) {
        let failure = failure(text)
        #expect(failure != nil)
        // What ends where it should not may be noticed in either way.
        if code != .truncated { #expect(failure?.code == code) }
    }

    @Test func errorsSayWhereTheyAre() {
        #expect(failure("<a>\n<b>\n</c></a>")?.place.line == 3)
    }

    @Test func aTextThatIsTooLongIsRefused() {
        #expect(failure("<a>\(String(repeating: "x", count: DocumentLimits.longestText + 1))</a>")?.code == .tooLarge)
    }
}
