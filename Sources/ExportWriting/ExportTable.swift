import CredentialExchange
import Importing
import KeywayCrypto
import SecretDocuments

/// A table of another program: its columns, and what of a record stands in which.
protocol ExportTable {
    /// The names of the columns, as the program writes them.
    static var columns: [String] { get }
    /// Whether every cell has quotation marks.
    static var quotesAll: Bool { get }
    /// What is to say of the whole file, in sentences.
    static var notices: [String] { get }

    /// The rows of a record, and what of it has no place; without rows it is left out.
    static func rows(of record: ImportedRecord, random: any RandomSource) -> ExportRows
}

/// What a record comes to in a table.
struct ExportRows {
    var rows: [[CSVCell]]
    /// What has no place, in sentences.
    var losses: [String]

    /// A record that is left out, and why.
    static func none(_ reason: String) -> ExportRows { ExportRows(rows: [], losses: [reason]) }
}

extension ExportTable {
    static var quotesAll: Bool { false }
    static var noTimes: String { "The format has no place for when items were created and changed." }

    /// Writes the table of all records that `read` hands over.
    ///
    /// - Returns: what had no place, and what a spreadsheet would compute.
    static func write<Failure>(
        random: any RandomSource, _ write: @escaping (UnsafeRawBufferPointer) throws(Failure) -> Void,
        _ read: ((ImportedRecord) throws(Failure) -> Void) throws(Failure) -> Void
    ) throws(Failure) -> ExportReport {
        let writer = CSVWriter<Failure>(quotesAll: quotesAll, write)
        var report = ExportReport()
        report.notices = notices
        try writer.row(columns.map(CSVCell.text))
        try read { (record) throws(Failure) in
            var written = rows(of: record, random: random)
            if written.rows.joined().contains(where: \.hasNUL) {
                written = .none("It is left out: it has a NUL character in it, at which other programs stop reading.")
            }
            report.entries += written.rows.count
            for reason in record.notices + written.losses { report.add(record.loss(reason)) }
            for row in written.rows {
                for (column, cell) in zip(columns, row) where cell.isFormula {
                    report.add(formula: record.loss(column))
                }
                try writer.row(row)
            }
        }
        try writer.end()
        return report
    }
}

extension ImportedRecord {
    /// Something of it that has no place.
    func loss(_ reason: String) -> ExportReport.Loss { .init(title: title, user: userName, reason: reason) }

    /// The addresses, with a scheme where the person left it out.
    var addresses: [String] { urls.map { $0.contains("://") ? $0 : "https://\($0)" } }

    /// Those of sites: without apps.
    var sites: [String] { addresses.filter { !$0.hasPrefix(Self.app) } }

    /// How many apps it is for.
    var appCount: Int { urls.count { $0.hasPrefix(Self.app) } }

    /// The first code that moves with the time, as every other program knows them.
    var usualCode: SecretText? {
        let code = codes.first { if case .time = $0.recipe.kind { true } else { false } }
        return code?.link.withUnsafeBytes { SecretText(copying: $0) }
    }

    private static var app: String { "androidapp://" }
}
