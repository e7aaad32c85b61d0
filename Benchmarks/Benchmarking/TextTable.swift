/// Rows as text: the first column to the left, the others to the right.
package struct TextTable: Sendable {
    private let header: [String]
    private var rows: [[String]] = []
    private var leftPeer: Int { header.firstIndex(of: "peer") ?? 0 }

    /// A table with the columns of the issue's rows.
    package init() {
        header = [
            "row", "size", "runs", "median ms", "p95 ms", "per s", "peak MiB", "calls", "starts", "faults", "switches",
            "flushes", "wall s",
            "CPU s", "peer", "peer ms", "peer MiB", "goals",
        ]
    }

    /// Adds a row.
    package mutating func append(_ row: BenchmarkRow) {
        rows.append([
            row.name, row.size > 0 ? "\(row.size)" : "-", "\(row.samples.count)",
            Self.text(row.timed(row.samples.median), 3), Self.text(row.timed(row.samples.percentile95), 3),
            row.requestsPerSecond.map { Self.text($0, 0) } ?? "-", Self.text(row.peakMiB, 1),
            Self.text(row.calls?.system, 1), Self.text(row.calls?.starts, 1),
            Self.text(row.calls?.faults, 1), Self.text(row.calls?.switches, 1), Self.text(row.calls?.flushes, 1),
            Self.text(row.effort?.wallSeconds, 1), Self.text(row.effort?.cpuSeconds, 1), row.peer?.name ?? "-",
            Self.text(row.peer?.median, 3), Self.text(row.peer?.peakMiB, 1),
            row.goals.map { "\($0.text): \($0.isMet ? "met" : "MISSED")" }.joined(separator: "; "),
        ])
    }

    /// The table.
    package var text: String {
        let lines = [header] + rows
        let widths = header.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
        return lines.map { line in
            line.indices.map { Self.pad(line[$0], to: widths[$0], left: [0, leftPeer, header.count - 1].contains($0)) }
                .joined(separator: "  ").trimmingTrailingSpaces()
        }.joined(separator: "\n")
    }

    private static func pad(_ text: String, to width: Int, left: Bool) -> String {
        let space = String(repeating: " ", count: max(0, width - text.count))
        return left ? text + space : space + text
    }

    static func text(_ number: Double?, _ digits: Int) -> String {
        guard let number else { return "-" }
        let rounded = number.rounded(toDigits: digits)
        guard digits > 0 else { return "\(Int(rounded))" }
        let parts = "\(rounded)".split(separator: ".")
        let fraction = (parts.count > 1 ? String(parts[1]) : "").prefix(digits)
        return parts[0] + "." + fraction + String(repeating: "0", count: digits - fraction.count)
    }
}

extension String {
    fileprivate func trimmingTrailingSpaces() -> String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}
