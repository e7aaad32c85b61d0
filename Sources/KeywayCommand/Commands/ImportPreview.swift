import CredentialExchange
import KeywayCrypto
import SecretDocuments

/// `keyway import --preview`: what is in the files, and what of it can't be taken over.
struct ImportPreview {
    let context: CommandContext
    let exports: [ReadExport]

    func show() throws {
        guard context.wantsJSON else {
            for export in exports { try context.surroundings.output.write(try text(of: export)) }
            return
        }
        let output = context.surroundings.output
        let writer = JSONWriter<CommandError> { (bytes) throws(CommandError) in try output.write(bytes) }
        if exports.count == 1, let export = exports.first {
            try write(export, to: writer)
        } else {
            try writer.raw("{\"files\":[")
            for (index, export) in exports.enumerated() {
                if index > 0 { try writer.raw(",\n") }
                try write(export, to: writer)
            }
            try writer.raw("]}")
        }
        try writer.raw("\n")
        try writer.end()
    }

    // MARK: - JSON

    private func write(_ export: ReadExport, to writer: JSONWriter<CommandError>) throws {
        let isRevealed = context.invocation.has("--reveal")
        try writer.raw("{")
        if exports.count > 1 {
            try writer.raw("\"file\":")
            try writer.text(export.file.path)
            try writer.raw(",")
        }
        var isFirst = true
        let summary = try export.walk { _, summary, _ in
            try writer.raw("\"format\":")
            try writer.text(summary.format)
            try writer.raw(",\"records\":[")
            return summary
        } _: { account in
            try writer.raw(isFirst ? "\n" : ",\n")
            isFirst = false
            try account.write(to: writer, revealed: isRevealed)
        }
        try writer.raw("],\"skipped\":")
        try writer.array(summary.skipped) { (writer, entry) throws(CommandError) in
            try writer.object { (members) throws(CommandError) in
                try members.add("place", text: entry.place)
                try members.add("reason", text: entry.reason)
            }
        }
        try writer.raw("}")
    }

    // MARK: - Text

    /// A file in one line, with its format and what there is in it, and how many entries that are.
    func heading(of export: ReadExport) throws -> (text: String, count: Int) {
        let summary = try summary(of: export)
        return (summary.heading, summary.count)
    }

    private func text(of export: ReadExport) throws -> String {
        let (heading, _, skipped, changed) = try summary(of: export)
        var text = heading + "\n"
        if !skipped.isEmpty {
            text += Strings.importSkips(skipped.count) + "\n"
            text += TextTable.text(skipped.map { ["  " + $0.place, $0.reason] })
        }
        if !changed.isEmpty { text += Strings.importChanges + "\n" + TextTable.text(changed) }
        return text
    }

    private func summary(
        of export: ReadExport
    ) throws -> (heading: String, count: Int, skipped: [ImportSummary.Skipped], changed: [[String]]) {
        var counts: [ImportedAccount.Part: Int] = [:]
        var changed: [[String]] = []
        let (name, summary, count) = try export.walk { header, summary, count in
            (header.displayName, summary, count)
        } _: { account in
            for part in account.parts { counts[part, default: 0] += 1 }
            for notice in account.origin.notices {
                changed.append(["  " + account.origin.place, account.item.title, notice])
            }
        }
        let parts = ImportedAccount.Part.allCases.compactMap { part in
            counts[part].map { Strings.imported(part, $0) }
        }
        let heading = Strings.importSummary(export.file.path, format: name, count: count, parts: parts)
        return (heading, count, summary.skipped, changed)
    }
}
