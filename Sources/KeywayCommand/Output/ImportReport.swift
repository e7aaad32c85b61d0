import AutoFillWire
import CredentialExchange
import PasswordsProtocol

/// What became of the files of an import, entry by entry: of those that are stored as they are, only their number is told.
struct ImportReport {
    let context: CommandContext
    let exports: [ReadExport]
    /// What is said of each file.
    let summaries: [ExportSummary]
    /// How the entries stood to the vault before.
    let counts: ImportCounts
    /// What the service said of them.
    let findings: Attachment
    /// What the service did; nil where there was nothing to store.
    let result: ImportDocument.Result?

    private struct Row {
        let file: String
        let place: String
        let title: String
        let outcome: ImportFinding.Outcome?
        let reasons: [String]
    }

    func show() throws {
        let rows = try rows()
        let skipped = rows.filter { $0.outcome == nil }
        guard !context.wantsJSON else {
            return try context.print(json(rows), text: "")
        }
        let texts = rows.flatMap { row in
            row.reasons.map { ["  " + (exports.count > 1 ? "\(row.file), " : "") + row.place, row.title, $0] }
        }
        if !texts.isEmpty { try context.surroundings.output.write(TextTable.text(texts)) }
        try context.say(Strings.wasImported(result, skipped: skipped.count))
    }

    /// What is told of entries: those that the reader left out, then those that the vault or the reader said something of.
    private func rows() throws -> [Row] {
        let findings = try ImportFindings(findings).list
        let known = Dictionary(findings.map { ($0.item, $0) }) { first, _ in first }
        var (rows, first) = ([Row](), 0)
        for (export, summary) in zip(exports, summaries) {
            rows += summary.skipped.map {
                Row(file: export.file.path, place: $0.place, title: "", outcome: nil, reasons: [$0.reason])
            }
            let ours = findings.contains { (first..<first + summary.count).contains($0.item) }
            rows += try entries(of: export, summary, hasFindings: ours).compactMap { entry in
                let finding = known[first + entry.number]
                let outcome = finding?.outcome ?? (result == nil ? .leftOut : .added)
                // What can't be used, the reader and the vault find alike.
                let reasons = entry.notices + Self.reasons(finding, outcome).filter { !entry.notices.contains($0) }
                guard !reasons.isEmpty else { return nil }
                return Row(
                    file: export.file.path, place: entry.place, title: entry.title, outcome: outcome, reasons: reasons)
            }
            first += summary.count
        }
        return rows
    }

    /// The entries of which something is said. Where the vault has said nothing of any, those are known already.
    private func entries(
        of export: ReadExport, _ summary: ExportSummary, hasFindings: Bool
    ) throws -> [ExportSummary.Remark] {
        guard hasFindings else { return summary.remarks }
        var entries: [ExportSummary.Remark] = []
        _ = try export.walk { _, _, _ in
        } _: { account in
            entries.append(
                .init(
                    number: entries.count, place: account.origin.place, title: account.item.title,
                    notices: account.origin.notices))
        }
        return entries
    }

    private static func reasons(_ finding: ImportFinding?, _ outcome: ImportFinding.Outcome) -> [String] {
        guard let finding else { return [] }
        let verdict: String? =
            switch (finding.verdict, outcome) {
            case (.new, _): nil
            case (.duplicate, _): finding.sameAs == nil ? Strings.isThereAlready : Strings.isTwiceInTheFile
            case (.conflict, .leftOut): Strings.conflictLeftOut
            case (.conflict, .replaced): Strings.conflictReplaced
            case (.conflict, .added): Strings.conflictKept
            case (.refused, _): finding.reason ?? Strings.cannotBeStored
            }
        return [verdict].compactMap { $0 } + (finding.notices ?? [])
    }

    private func json(_ rows: [Row]) -> JSONValue {
        let skipped = rows.filter { $0.outcome == nil }
        return .object([
            ("added", .integer(result?.added ?? 0)), ("replaced", .integer(result?.replaced ?? 0)),
            ("leftOut", .integer(result?.leftOut ?? counts.total)), ("undoable", .integer(result?.undoable ?? 0)),
            ("duplicates", .integer(counts.duplicates)), ("conflicts", .integer(counts.conflicts)),
            ("refused", .integer(counts.refused)),
            (
                "entries",
                .array(
                    rows.filter { $0.outcome != nil }.map { row in
                        .object([
                            ("file", .string(row.file)), ("place", .string(row.place)), ("title", .string(row.title)),
                            ("outcome", .optional(row.outcome?.rawValue)), ("reasons", .strings(row.reasons)),
                        ])
                    })
            ),
            (
                "skipped",
                .array(
                    skipped.map { row in
                        .object([
                            ("file", .string(row.file)), ("place", .string(row.place)),
                            ("reason", .optional(row.reasons.first)),
                        ])
                    })
            ),
        ])
    }
}
