import KeywayCrypto
import Testing

@testable import SecretDocuments

/// The rows of a text, with the lines where they begin.
func rows(_ text: String, _ dialect: CSVDialect = CSVDialect()) throws -> [[String]] {
    try rowsWithLines(text, dialect).map(\.cells)
}

func rowsWithLines(_ text: String, _ dialect: CSVDialect = CSVDialect()) throws -> [(line: Int, cells: [String])] {
    try Array(text.utf8).withUnsafeBytes { bytes in
        var (reader, rows) = (CSVReader(bytes, dialect), [(line: Int, cells: [String])]())
        while let row = try reader.next() { rows.append((row.line, row.cells.map(\.publicText))) }
        return rows
    }
}

@Suite("comma-separated values")
struct CSVTests {
    @Test(arguments: [
        ("a,b\n1,2\n", [["a", "b"], ["1", "2"]]), ("a,b\r\n1,2", [["a", "b"], ["1", "2"]]),
        ("a,b\r1,2\r", [["a", "b"], ["1", "2"]]), ("\"a,\"\"b\"\"\",c", [["a,\"b\"", "c"]]),
        ("\"x\ny\",z\n", [["x\ny", "z"]]), (",,\n", [["", "", ""]]), (" a , b ", [[" a ", " b "]]),
        ("a\n\n\nb\n", [["a"], ["b"]]), ("\"\",\"\"", [["", ""]]), ("", []),
    ])
    func cellsAreReadByteForByte(text: String, expected: [[String]]) throws {
        #expect(try rows(text) == expected)
    }

    @Test func mistakesOfOthersAreReadUnlessTheDialectIsStrict() throws {
        #expect(try rows("a\"b,c") == [["a\"b", "c"]])
        #expect(try rows("\"a\"b,c") == [["ab", "c"]])
        for text in ["a\"b,c", "\"a\"b,c"] {
            #expect(throws: DocumentError.self) { try rows(text, CSVDialect(isStrict: true)) }
        }
    }

    @Test func aQuotationMarkThatNeverClosesIsRefusedWhereItOpens() {
        #expect {
            try rows("a,b\n1,\"2\n3,4\n")
        } throws: { error in
            error as? DocumentError == DocumentError(.truncated, "", DocumentPlace(line: 2, offset: 6))
        }
    }

    @Test func backslashesEscapeWhereTheyDo() throws {
        #expect(try rows("\"a\\\"b\\\\c\\n\"", CSVDialect(hasBackslashes: true)) == [["a\"b\\c\\n"]])
        #expect(try rows("\"a\\\\b\"") == [["a\\\\b"]])
    }

    @Test func rowsKnowTheirLines() throws {
        #expect(try rowsWithLines("a\n\"b\n\nc\"\r\nd\n").map(\.line) == [1, 2, 5])
    }

    @Test(arguments: [("a,b;c,d", ","), ("a;b;c,d", ";"), ("a\tb\tc", "\t"), ("\"a;b;c;\",d", ","), ("a", ",")])
    func theSeparatorIsTheOneThatStandsMostOften(text: String, separator: Character) {
        #expect(Array(text.utf8).withUnsafeBytes { CSVDialect.separator(of: $0) } == separator.asciiValue)
    }

    @Test func rowsAreReadInTheirOrderAlsoWhereTheyFillMoreThanOneStretch() throws {
        let count = 20_000
        let text = (0..<count).map { "\($0),\"value \($0)\"\n" }.joined()
        let found = try rows(text)
        #expect(found.count == count)
        #expect(found[count - 1] == ["\(count - 1)", "value \(count - 1)"])
    }

    @Test func aLongCellIsReadAndATooLongOneRefused() throws {
        #expect(try rows(String(repeating: "x", count: 300_000))[0][0].count == 300_000)
        #expect(throws: DocumentError.self) {
            try rows(String(repeating: "x", count: DocumentLimits.longestText + 1))
        }
    }

    @Test func tooManyColumnsAreRefused() throws {
        #expect(throws: DocumentError.self) { try rows(String(repeating: ",", count: DocumentLimits.mostCells)) }
        #expect(
            try rows(String(repeating: ",", count: DocumentLimits.mostCells - 1))[0].count == DocumentLimits.mostCells)
    }

    @Test func tooManyRowsAreRefused() {
        #expect(throws: DocumentError.self) { try rows(String(repeating: "a\n", count: DocumentLimits.mostItems + 2)) }
    }
}
