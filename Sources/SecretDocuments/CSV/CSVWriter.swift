import KeywayCrypto

/// A cell of a table that is written.
package enum CSVCell: Sendable, Equatable {
    /// Nothing, not even quotation marks.
    case absent
    /// Text that is no secret.
    case text(String)
    /// Text that may be one.
    case secret(SecretText)

    /// Text that may be a secret; an empty cell for none.
    package init(_ text: SecretText?) { self = text.map(Self.secret) ?? .text("") }

    /// Lends its bytes for the time of the call.
    func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        switch self {
        case .absent: return body(UnsafeRawBufferPointer(start: nil, count: 0))
        case .secret(let text): return text.withUnsafeBytes(body)
        case .text(var text): return text.withUTF8 { body(UnsafeRawBufferPointer($0)) }
        }
    }

    /// Whether a spreadsheet that opens the table would compute it, or send it somewhere.
    package var isFormula: Bool {
        withUnsafeBytes { bytes in bytes.first.map { Self.formulaStarts.contains($0) } ?? false }
    }

    /// Whether programs would take it for the end of the text.
    package var hasNUL: Bool { withUnsafeBytes { $0.contains(0) } }

    private static let formulaStarts = Array("=+-@\t\r".utf8)
}

/// Writes comma-separated values (RFC 4180) with line feeds at the ends, into guarded memory and on. What stands in a cell is
/// written as it is.
package final class CSVWriter<Failure: Error> {
    private let buffer = SecretBuffer(capacity: SecretArena.usualSize)
    private let quotesAll: Bool
    private let write: (UnsafeRawBufferPointer) throws(Failure) -> Void

    /// Hands what it writes to `write`, some 64 KiB at a time.
    ///
    /// - Parameter quotesAll: whether every cell has quotation marks; else those that need them.
    package init(quotesAll: Bool, _ write: @escaping (UnsafeRawBufferPointer) throws(Failure) -> Void) {
        self.quotesAll = quotesAll
        self.write = write
    }

    /// Writes a row.
    package func row(_ cells: [CSVCell]) throws(Failure) {
        for (index, cell) in cells.enumerated() {
            if index > 0 { buffer.append(UInt8(ascii: ",")) }
            guard cell != .absent else { continue }
            cell.withUnsafeBytes { add($0) }
        }
        buffer.append(0x0A)
        try flush(from: SecretArena.usualSize)
    }

    /// Hands on what is left.
    package func end() throws(Failure) { try flush(from: 1) }

    private func flush(from count: Int) throws(Failure) {
        guard buffer.count >= count else { return }
        defer { buffer.removeAll() }
        try buffer.withUnsafeBytes(write)
    }

    private func add(_ bytes: UnsafeRawBufferPointer) {
        guard quotesAll || bytes.contains(where: Self.isQuoted) || bytes.first == 0x20 || bytes.last == 0x20 else {
            return buffer.append(bytes)
        }
        let mark = UInt8(ascii: "\"")
        buffer.append(mark)
        for (index, part) in bytes.split(separator: mark, omittingEmptySubsequences: false).enumerated() {
            if index > 0 {
                buffer.append(mark)
                buffer.append(mark)
            }
            buffer.append(UnsafeRawBufferPointer(rebasing: part))
        }
        buffer.append(mark)
    }

    private static func isQuoted(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\"") || byte == UInt8(ascii: ",") || byte == UInt8(ascii: ";") || byte == 0x0A
            || byte == 0x0D || byte == 0x09
    }
}
