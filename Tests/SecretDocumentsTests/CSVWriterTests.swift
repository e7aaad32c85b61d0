import SecretDocuments
import Testing

@Suite("tables that are written")
struct CSVWriterTests {
    private func text(_ rows: [[CSVCell]], quotesAll: Bool = false) -> String {
        var bytes: [UInt8] = []
        let writer = CSVWriter<Never>(quotesAll: quotesAll) { bytes += $0 }
        for row in rows { writer.row(row) }
        writer.end()
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(arguments: [
        ("a", "a"), ("", ""), ("a b", "a b"), (" a", "\" a\""), ("a ", "\"a \""), ("a,b", "\"a,b\""),
        ("a;b", "\"a;b\""),
        ("\"", "\"\"\"\""), ("a\nb", "\"a\nb\""), ("a\rb", "\"a\rb\""), ("\t", "\"\t\""), ("=1+1", "=1+1"), ("é", "é"),
    ])
    func cellsHaveQuotationMarksWhereTheyNeedThem(cell: String, written: String) {
        #expect(text([[.text(cell), .secret(SecretText(copyingUTF8Of: cell))]]) == "\(written),\(written)\n")
    }

    @Test func allCellsHaveThemWhereTheFormatWantsThatButThoseThatAreNone() {
        #expect(text([[.text("a"), .absent, .text("")], [.absent]], quotesAll: true) == "\"a\",,\"\"\n\n")
    }

    @Test(arguments: ["=", "+", "-", "@", "\t", "\r", "=a", "-1"])
    func whatASpreadsheetRunsIsAFormula(cell: String) {
        #expect(CSVCell.text(cell).isFormula && CSVCell.secret(SecretText(copyingUTF8Of: cell)).isFormula)
    }

    @Test(arguments: ["", "a", " =", "'=", "1-1", "\n="])
    func whatItDoesNotRunIsNone(cell: String) {
        #expect(!CSVCell.text(cell).isFormula && !CSVCell.absent.isFormula)
    }

    @Test func rowsOfAnyNumberAreHandedOnInPieces() {
        var (pieces, count) = (0, 0)
        let writer = CSVWriter<Never>(quotesAll: false) { piece in (pieces, count) = (pieces + 1, count + piece.count) }
        for _ in 0..<50_000 { writer.row([.text("1234"), .text("5678")]) }
        writer.end()
        #expect(count == 500_000 && pieces > 5)
    }
}
