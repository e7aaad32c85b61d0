import Testing

@testable import BrokerBase

/// The part of TOML that a policy file is written in: what is taken, what is not, and what becomes of the rest.
struct PolicyTextTests {
    private func read(_ text: String) -> PolicyText { PolicyText(Array(text.utf8)) }

    private func value(_ text: String) -> PolicyText.Value? {
        let read = read("[t]\nkey = \(text)\n")
        return read.faults.isEmpty ? read.entries.first?.value : nil
    }

    @Test func keysStandInTheirTablesWithTheirLines() {
        let text = read("# of ours\n\n[one]\na = 1 # one\r\nb=\"x\"\n\n[ two ]\n\ta = true\n")
        #expect(text.faults.isEmpty)
        #expect(
            text.entries == [
                .init(table: "one", key: "a", value: .integer(1), line: 4),
                .init(table: "one", key: "b", value: .string("x"), line: 5),
                .init(table: "two", key: "a", value: .boolean(true), line: 8),
            ])
    }

    @Test(arguments: [
        ("0", PolicyText.Value.integer(0)), ("-12", .integer(-12)), ("+7", .integer(7)), ("false", .boolean(false)),
        (#""a # b""#, .string("a # b")), (#"'a \ b'"#, .string(#"a \ b"#)),
        (#""\t\"\\\u00e4\U0001F511""#, .string("\t\"\\ä🔑")),
        (#""""#, .string("")),
        ("[]", .strings([])), (#"["a", 'b',]"#, .strings(["a", "b"])),
        ("[ # first\n \"a\", # more\n\n \"b\"\n]", .strings(["a", "b"])),
    ])
    func takesWhatTOMLMeansByIt(text: String, expected: PolicyText.Value) {
        #expect(value(text) == expected)
    }

    @Test(arguments: [
        "", "yes", "01", "1.5", "1_000", "0x10", "2026-11-23", "1 2", #""a"#, "\"a\nb\"", #""\x""#, #""\ud800""#,
        #"""""a"""""#,
        "[1, 2]", #"["a" "b"]"#, #"["a""#, #"[["a"]]"#, "{ a = 1 }", "inf", "\"\u{1}\"", "true # \u{2}",
    ])
    func refusesEverythingElse(text: String) {
        #expect(value(text) == nil)
    }

    @Test(arguments: [
        ("a = 1\n", 1, nil), ("[t]\na 1\n", 2, "t"), ("[t]\n\na = \n", 3, "t"), ("[t\na = 1\n", 1, nil),
        ("[t]\na = 1\na = 2\n", 3, "t"), ("[t]\n[t]\n", 2, nil), ("[t.u]\n", 1, nil), ("[[t]]\n", 1, nil),
        ("[t]\na.b = 1\n", 2, "t"), ("[t]\n\"a\" = 1\n", 2, "t"), ("[t]\na = [\n\"x\",\n1\n]\n", 4, "t"),
    ])
    func saysWhichLineIsWrongAndInWhichTable(text: String, line: Int, table: String?) throws {
        let fault = try #require(read(text).faults.first)
        #expect(fault.line == line && fault.table == table)
        #expect(!fault.reason.isEmpty)
    }

    @Test func whatStandsBelowAFaultIsRead() {
        let text = read("[t]\na = nonsense\nb = 2\n")
        #expect(text.faults.map(\.line) == [2])
        #expect(text.entries.map(\.key) == ["b"])
    }

    @Test func bytesThatAreNoTextAreAFault() {
        #expect(PolicyText([0x5b, 0xff]).faults.count == 1)
    }

    /// Whatever stands there, reading ends, and every line below a fault is looked at once.
    @Test func everyTruncationEnds() {
        let whole = Array("[t]\r\na = [ 'x', # y\n \"\\u00e4\" ]\nb = -1\n[u]\nc = true".utf8)
        for count in 0...whole.count {
            let text = PolicyText(Array(whole.prefix(count)))
            #expect(text.entries.count + text.faults.count <= 4)
        }
    }
}
