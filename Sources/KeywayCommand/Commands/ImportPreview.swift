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

    private func text(of export: ReadExport) throws -> String {
        let summary = try ExportSummary(of: export)
        var text = summary.heading + "\n"
        if !summary.skipped.isEmpty {
            text += Strings.importSkips(summary.skipped.count) + "\n"
            text += TextTable.text(summary.skipped.map { ["  " + $0.place, $0.reason] })
        }
        let changed = summary.remarks.flatMap { remark in
            remark.notices.map { ["  " + remark.place, remark.title, $0] }
        }
        if !changed.isEmpty { text += Strings.importChanges + "\n" + TextTable.text(changed) }
        return text
    }
}
