import KeywayCrypto

/// How a file of comma-separated values is written.
package struct CSVDialect: Sendable, Equatable {
    /// What stands between cells.
    package var separator: UInt8
    /// Whether `\"` and `\\` stand for the sign behind the backslash, as KeePass 1 writes them.
    package var hasBackslashes: Bool
    /// Whether a file that RFC 4180 does not allow is refused: with quotation marks within cells that don't begin with one,
    /// and text behind a closing one.
    package var isStrict: Bool

    /// A dialect; without arguments that of RFC 4180, with other programs' mistakes allowed.
    package init(separator: UInt8 = UInt8(ascii: ","), hasBackslashes: Bool = false, isStrict: Bool = false) {
        self.separator = separator
        self.hasBackslashes = hasBackslashes
        self.isStrict = isStrict
    }

    /// The separator that stands most often in the first line: comma, semicolon or tab.
    package static func separator(of bytes: UnsafeRawBufferPointer) -> UInt8 {
        var (counts, isQuoted) = ([UInt8: Int](), false)
        for byte in bytes.prefix(1 << 16) {
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            guard !isQuoted else { continue }
            if byte == 0x0A || byte == 0x0D { break }
            counts[byte, default: 0] += 1
        }
        return [UInt8(ascii: ","), UInt8(ascii: ";"), 0x09].max { counts[$0, default: 0] < counts[$1, default: 0] }
            ?? UInt8(ascii: ",")
    }
}

/// A row of a file of comma-separated values.
package struct CSVRow: Sendable {
    /// The line where it begins, from 1 on.
    package let line: Int
    /// Its cells.
    package let cells: [SecretText]

    /// The cell at that place, or nothing.
    package subscript(_ index: Int?) -> SecretText? {
        guard let index, cells.indices.contains(index) else { return nil }
        return cells[index]
    }

    /// Whether nothing stands in it.
    package var isEmpty: Bool { cells.allSatisfy(\.isEmpty) }
}

/// Reads comma-separated values (RFC 4180), some rows at a time, with any line ends. Cells keep their blanks.
package struct CSVReader {
    private let bytes: UnsafeRawBufferPointer
    private let dialect: CSVDialect
    private var position = 0
    private var line = 1
    private var rowsLeft = DocumentLimits.mostItems + 1
    private var read: [CSVRow] = []

    /// Begins a file; the bytes must be UTF-8 (``checkedText(_:)``), and stay while it reads.
    package init(_ bytes: UnsafeRawBufferPointer, _ dialect: CSVDialect) {
        self.bytes = bytes
        self.dialect = dialect
    }

    /// The next row that isn't an empty line; nil at the end.
    ///
    /// - Throws: ``DocumentError``: `truncated` for a quotation mark that never closes, `malformed` where the dialect is
    ///   strict, `tooLarge`.
    package mutating func next() throws(DocumentError) -> CSVRow? {
        if read.isEmpty { try readOn() }
        return read.popLast()
    }

    /// Reads rows until they fill a stretch of guarded memory: each row is shared only when that is complete.
    private mutating func readOn() throws(DocumentError) {
        var (found, arena) = ([CSVRow](), SecretArena(capacity: SecretArena.usualSize))
        defer { read = found.reversed() }
        while position < bytes.count, arena.buffer.count < SecretArena.usualSize, found.count < 4096 {
            let start = line
            // A row has no more bytes than the rest of the file: the buffer grows before any text of it is shared.
            let cells = try row(&arena)
            if cells.count == 1, cells[0].isEmpty { continue }
            rowsLeft -= 1
            guard rowsLeft >= 0 else {
                throw error(.tooLarge, "the file has more than \(DocumentLimits.mostItems) rows")
            }
            found.append(CSVRow(line: start, cells: cells))
        }
    }

    private mutating func row(_ arena: inout SecretArena) throws(DocumentError) -> [SecretText] {
        var cells: [SecretText] = []
        while true {
            let offset = arena.buffer.count
            let isLast = try cell(arena.buffer)
            cells.append(SecretText(arena, offset, arena.buffer.count - offset))
            guard cells.count <= DocumentLimits.mostCells else {
                throw error(.tooLarge, "a row has more than \(DocumentLimits.mostCells) columns")
            }
            if isLast { return cells }
        }
    }

    /// Reads a cell and what ends it.
    ///
    /// - Returns: whether that was the end of the row.
    private mutating func cell(_ buffer: SecretBuffer) throws(DocumentError) -> Bool {
        let start = buffer.count
        if peek == UInt8(ascii: "\"") { try quoted(buffer) }
        while let byte = peek {
            position += 1
            switch byte {
            case dialect.separator: return false
            case 0x0A:
                line += 1
                return true
            case 0x0D:
                if peek == 0x0A { position += 1 }
                line += 1
                return true
            case UInt8(ascii: "\"") where dialect.isStrict: throw error(.malformed, "a quotation mark within a cell")
            default: buffer.append(byte)
            }
            guard buffer.count - start <= DocumentLimits.longestText else {
                throw error(.tooLarge, "a cell is longer than Keyway reads")
            }
        }
        return true
    }

    private mutating func quoted(_ buffer: SecretBuffer) throws(DocumentError) {
        let (opening, openingLine, start) = (position, line, buffer.count)
        position += 1
        while let byte = peek {
            position += 1
            if byte == UInt8(ascii: "\"") {
                guard peek == UInt8(ascii: "\"") else {
                    if isAtEndOfCell || !dialect.isStrict { return }
                    throw error(.malformed, "text behind a closing quotation mark")
                }
                position += 1
            } else if byte == UInt8(ascii: "\\"), dialect.hasBackslashes, let next = peek,
                next == UInt8(ascii: "\"") || next == UInt8(ascii: "\\")
            {
                position += 1
                buffer.append(next)
                continue
            }
            // A line end of its own, also where it is that of an old Macintosh.
            if byte == 0x0A || byte == 0x0D && peek != 0x0A { line += 1 }
            buffer.append(byte)
            guard buffer.count - start <= DocumentLimits.longestText else {
                throw error(.tooLarge, "a cell is longer than Keyway reads")
            }
        }
        throw DocumentError(
            .truncated, "a quotation mark opens here and never closes",
            DocumentPlace(line: openingLine, offset: opening))
    }

    private var isAtEndOfCell: Bool {
        guard let next = peek else { return true }
        return next == dialect.separator || next == 0x0A || next == 0x0D
    }

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private func error(_ code: DocumentError.Code, _ detail: String) -> DocumentError {
        DocumentError(code, detail, DocumentPlace(line: line, offset: position))
    }
}
