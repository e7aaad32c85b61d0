import CredentialExchange
import SecretDocuments

/// The first row of a CSV file: which column is where, by names without regard to case, blanks and quotation marks.
struct CSVHeader {
    /// The names, in their order.
    let names: [String]
    private let places: [String: Int]

    init(_ row: CSVRow) {
        names = row.cells.map { Self.plain($0.count <= DocumentLimits.longestName ? $0.publicText : "") }
        places = Dictionary(names.enumerated().map { ($1, $0) }) { first, _ in first }
    }

    /// The place of a column; nil where there is none.
    subscript(_ name: String) -> Int? { places[name] }

    /// Whether there are columns of all these names.
    func has(_ wanted: String...) -> Bool { wanted.allSatisfy { places[$0] != nil } }

    /// A name in small letters, without blanks, underscores and quotation marks.
    static func plain(_ name: String) -> String { name.lowercased().filter { !" \t_\"'".contains($0) } }
}

/// A row with the names of its cells.
struct CSVEntry {
    let row: CSVRow
    let header: CSVHeader

    /// The cell in that column; nothing where it is empty or missing.
    subscript(_ name: String) -> SecretText? { row[header[name]]?.nonEmpty }

    /// The same as a string, which is never wiped: for what is no secret; empty where there is none.
    func text(_ name: String) -> String { self[name]?.publicText ?? "" }

    /// A record at its place.
    var record: ImportedRecord { ImportedRecord(place: place) }

    /// Where it is, in words.
    var place: String { "line \(row.line)" }
}

/// What a row comes to.
enum CSVOutcome {
    /// An entry.
    case record(ImportedRecord)
    /// Nothing that anybody would miss.
    case nothing
    /// It is left out, for that reason.
    case skipped(String)
}

/// A format of CSV files.
protocol CSVFormat: CSVRows, SendableMetatype {
    /// Whether a file with these first rows is of the format.
    static func fits(_ header: CSVHeader, _ rows: [CSVRow]) -> Bool
    /// Reads a file; the header is its first row, also where that is an entry.
    init(_ header: CSVHeader, _ bytes: UnsafeRawBufferPointer)
}

/// Reads the rows of a file.
protocol CSVRows {
    /// Whether the first row names the columns.
    var hasHeader: Bool { get }
    /// Whether rows may have more cells than the header.
    var hasOpenRows: Bool { get }
    /// Whether backslashes escape.
    static var hasBackslashes: Bool { get }
    /// What a row comes to.
    func outcome(_ entry: CSVEntry) -> CSVOutcome
}

extension CSVRows {
    var hasHeader: Bool { true }
    var hasOpenRows: Bool { false }
    static var hasBackslashes: Bool { false }
}

/// Tells formats of CSV apart, and reads them.
enum CSVTable {
    /// The format of a file.
    static func format(of bytes: UnsafeRawBufferPointer) throws -> ImportFormat {
        var reader = CSVReader(bytes, CSVDialect(separator: CSVDialect.separator(of: bytes)))
        guard let first = try reader.next() else { throw ImportFormat.unknown }
        var rows: [CSVRow] = []
        // What is wrong further down is told when the file is read.
        while rows.count < 50, let row = (try? reader.next()) ?? nil { rows.append(row) }
        let header = CSVHeader(first)
        guard first.cells.count > 1, let found = ImportFormat.tables.first(where: { $0.1.fits(header, rows) }) else {
            throw ImportFormat.unknown
        }
        return found.0
    }

    /// Reads a file of one format.
    static func reader<Format: CSVFormat>(
        _ format: Format.Type
    ) -> @Sendable (ImportSource, ImportSink) throws(ImportError) -> Void {
        { (source, take) throws(ImportError) in
            try read(source.bytes, hasBackslashes: format.hasBackslashes, { Format($0, $1) }, take)
        }
    }

    /// Reads a file row by row.
    static func read(
        _ bytes: UnsafeRawBufferPointer, hasBackslashes: Bool = false,
        _ rows: (CSVHeader, UnsafeRawBufferPointer) throws(ImportError) -> any CSVRows, _ take: ImportSink
    ) throws(ImportError) {
        do {
            let bytes = try checkedText(bytes)
            let dialect = CSVDialect(separator: CSVDialect.separator(of: bytes), hasBackslashes: hasBackslashes)
            var reader = CSVReader(bytes, dialect)
            guard let first = try reader.next() else { return }
            let header = CSVHeader(first)
            let rows = try rows(header, bytes)
            if !rows.hasHeader { try hand(first, rows, header, take) }
            while let row = try reader.next() { try hand(row, rows, header, take) }
        } catch let error as DocumentError {
            throw ImportError(error)
        } catch let error as ImportError {
            throw error
        } catch {
            throw ImportError(.failed, "the file couldn't be read")
        }
    }

    private static func hand(_ row: CSVRow, _ rows: any CSVRows, _ header: CSVHeader, _ take: ImportSink) throws {
        guard !row.isEmpty else { return }
        let entry = CSVEntry(row: row, header: header)
        switch outcome(entry, rows) {
        case .record(let record): try take(.record(record))
        case .skipped(let reason): try take(.skipped(SkippedEntry(place: entry.place, reason: reason)))
        case .nothing: break
        }
    }

    private static func outcome(_ entry: CSVEntry, _ rows: any CSVRows) -> CSVOutcome {
        let (cells, count) = (entry.row.cells, entry.header.names.count)
        if !rows.hasOpenRows, cells.count > count, cells[count...].contains(where: { !$0.isEmpty }) {
            return .skipped("It has \(cells.count) cells, and the first line names \(count) columns.")
        }
        if cells.contains(where: { $0.withUnsafeBytes { $0.contains(0) } }) {
            return .skipped("It has a NUL character in it.")
        }
        return rows.outcome(entry)
    }
}
