import CredentialExchange
import PasswordsProtocol

/// What became of an export: what was written, what had no place, and what else there is to know of the file.
struct ExportAccount {
    let context: CommandContext
    let path: String
    let format: String
    let isEncrypted: Bool
    /// What the vault says of its document.
    let exported: ExportDocument.Result
    /// What the writer says of its file; nil where that is the vault's document.
    let written: ExportReport?

    private var losses: [ExportReport.Loss] {
        (exported.losses + fileLosses).map { .init(title: $0.title, user: $0.user, reason: $0.reason) }
            + (written?.losses ?? [])
    }
    private var lossCount: Int { exported.lossCount + fileLosses.count + (written?.lossCount ?? 0) }
    /// What the vault's document lacks where it stands alone.
    private var fileLosses: [ExportDocument.Loss] { written == nil ? exported.fileLosses ?? [] : [] }

    func show() throws {
        guard !context.wantsJSON else { return try context.print(json, text: "") }
        try context.say(Strings.exported(exported.items, path, isEncrypted: isEncrypted))
        for notice in written?.notices ?? [] { try context.say(notice) }
        if let written, written.formulaCount > 0 {
            try context.say(Strings.formulas(written.formulaCount))
            try list(written.formulas.map(Strings.formula), of: written.formulaCount)
        }
        guard lossCount > 0 else { return }
        try context.say(Strings.leftOut(lossCount))
        try list(losses.map(Strings.loss), of: lossCount)
    }

    private func list(_ lines: [String], of count: Int) throws {
        for line in lines { try context.say(line) }
        if count > lines.count { try context.say(Strings.moreMembers(count - lines.count)) }
    }

    private var json: JSONValue {
        .object([
            ("path", .string(path)), ("format", .string(format)), ("encrypted", .bool(isEncrypted)),
            ("items", .integer(exported.items)), ("entries", .integer(written?.entries ?? exported.items)),
            ("lossCount", .integer(lossCount)), ("losses", Self.list(losses, "reason")),
            ("formulaCount", .integer(written?.formulaCount ?? 0)),
            ("formulas", Self.list(written?.formulas ?? [], "column")), ("notices", .strings(written?.notices ?? [])),
        ])
    }

    private static func list(_ losses: [ExportReport.Loss], _ name: String) -> JSONValue {
        .array(
            losses.map { loss in
                .object([
                    ("title", .string(loss.title)), ("user", .string(loss.user)), (name, .string(loss.reason)),
                ])
            })
    }
}
