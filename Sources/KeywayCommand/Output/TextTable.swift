import AutoFillWire
import TerminalInterface

/// Rows of text in columns, each as wide as its widest cell.
enum TextTable {
    static func text(_ rows: [[String]]) -> String {
        let rows = rows.map { $0.map(DisplayText.line) }
        let count = rows.map(\.count).max() ?? 0
        let widths = (0..<count).map { column in
            rows.map { $0.indices.contains(column) ? Columns.width(of: $0[column]) : 0 }.max() ?? 0
        }
        return rows.map { row in
            let cells = row.enumerated().map { index, cell in
                cell
                    + String(
                        repeating: " ", count: index == row.count - 1 ? 0 : widths[index] - Columns.width(of: cell))
            }
            return trimmed(cells.joined(separator: "  ")) + "\n"
        }.joined()
    }

    private static func trimmed(_ line: String) -> Substring {
        line[..<(line.lastIndex { $0 != " " }.map(line.index(after:)) ?? line.startIndex)]
    }
}
