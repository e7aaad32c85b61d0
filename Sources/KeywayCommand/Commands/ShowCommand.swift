import AutoFillProtocol
import AutoFillWire
import FoundationEssentials
import KeywayCrypto
import PasswordsProtocol
import WebAuthnValues

/// `keyway passwords show`.
struct ShowCommand {
    let context: CommandContext

    var reveals: Bool { context.invocation.has("--reveal") }

    func run() async throws {
        if context.invocation.has("--code-qr") { return try await CodeQRCommand(context: context).run() }
        guard !["--output", "--force"].contains(where: context.invocation.has) else {
            throw CommandError(
                .usage, Strings.outputNeedsQR("--code-qr"), hint: Strings.seeHelp(context.invocation.path))
        }
        if context.invocation.has("--history") && !reveals {
            throw CommandError(.usage, Strings.historyNeedsReveal, hint: Strings.seeHelp(context.invocation.path))
        }
        let name = ItemName(
            context.invocation.argument("ITEM") ?? "", user: context.invocation.value("--account"),
            kind: context.invocation.has("--passkey") ? .passkey : nil)
        if let section = context.invocation.number("--section") { return try await show(section: section, of: name) }
        let field = context.invocation.value("--field")
        let (item, sections) = try await VaultDoor(context: context).openUnlocked { service in
            let item = try await service.call(ShowItem.self, .init(item: name, parts: parts))
            guard let field else { return (item, try await ShownSections(item, in: service, opens: reveals)) }
            // Only what is shown is opened: sections where nothing else is called so.
            guard parts == [.fields], !item.fields.contains(where: { $0.name == field }) else {
                return (item, ShownSections())
            }
            let whole = try await service.call(ShowItem.self, .init(item: name, parts: [.sections]))
            return (item, try await ShownSections(whole, in: service, opens: true))
        }
        if let field { return try show(field: field, of: item, sections) }
        let page = await changePage(of: item.summary)
        guard context.wantsJSON else { return try write(item, page, sections) }
        let value = try json(item, page, sections)
        try context.print(value, text: "")
    }

    /// Only what is shown is opened.
    private var parts: Set<ShowItem.Part> {
        switch context.invocation.value("--field") {
        case nil:
            reveals
                ? (context.invocation.has("--history")
                    ? [.password, .notes, .fields, .sections, .history] : [.password, .notes, .fields, .sections]) : []
        case "title", "user", "address", "tags": []
        case "password": [.password]
        case "notes": [.notes]
        default: [.fields]
        }
    }

    // MARK: One field

    private func show(field: String, of item: ShowItem.Result, _ sections: ShownSections) throws {
        let secret: Attachment?
        switch field {
        case "title": return try show(text: item.summary.title, field)
        case "user": return try show(text: item.summary.user, field)
        case "address": return try show(text: item.summary.addresses.joined(separator: "\n"), field)
        case "tags": return try show(text: item.summary.tags.joined(separator: "\n"), field)
        case "password": secret = item.password
        case "notes": secret = item.notes
        default: secret = item.fields.first { $0.name == field }?.value ?? sections.member(called: field)?.value
        }
        guard let secret else {
            throw CommandError(
                .notFound, Strings.noSuchField(field, item.summary.title),
                hint: Strings.fieldsAre(item.fields.map(\.name) + sections.names))
        }
        let bytes = try SecretBytes(secret)
        guard context.wantsJSON else { return try context.print(bytes) }
        try context.print(.object([("field", .string(field)), ("value", .secret(bytes))]), text: "")
    }

    private func show(text: String, _ field: String) throws(CommandError) {
        try context.print(.object([("field", .string(field)), ("value", .string(text))]), text: text + "\n")
    }

    // MARK: Everything

    /// Where one changes its password; nil for an item without, and where no address of it is encrypted.
    private func changePage(of item: ItemSummary) async -> ChangePasswordPage.Result? {
        guard item.passkey == nil, item.hasPassword, let address = item.addresses.first,
            let connection = try? await context.connect()
        else { return nil }
        defer { connection.close() }
        return try? await connection.call(
            ChangePasswordPage.self, .init(service: SuggestCommand.service(address)))
    }

    private func json(
        _ item: ShowItem.Result, _ page: ChangePasswordPage.Result?, _ sections: ShownSections
    ) throws -> JSONValue {
        var members = SearchCommand.members(item.summary)
        if !sections.all.isEmpty, let index = members.firstIndex(where: { $0.0 == "sections" }) {
            members[index].1 = try sections.json(revealed: reveals)
        }
        if let page {
            members.append(
                (
                    "changePage",
                    .object([("url", .string(page.address)), ("known", .bool(page.isKnown))])
                ))
        }
        if reveals {
            members.append(("password", try secret(item.password)))
            members.append(("notes", try secret(item.notes)))
        }
        let fields = try item.fields.map { field -> JSONValue in
            var members: [(String, JSONValue)] = [("name", .string(field.name)), ("hidden", .bool(field.isHidden))]
            if reveals { members.append(("value", try secret(field.value))) }
            return .object(members)
        }
        members.append(("fields", .array(fields)))
        if context.invocation.has("--history") {
            members.append(
                (
                    "history",
                    .array(
                        try item.history.map {
                            .object([("replaced", .number($0.replaced)), ("password", try secret($0.password))])
                        })
                ))
        }
        return .object(members)
    }

    private func secret(_ attachment: Attachment?) throws -> JSONValue {
        try attachment.map { .secret(try SecretBytes($0)) } ?? .null
    }

    /// Text in rows; secrets go from locked memory to the output, not through strings.
    private func write(
        _ item: ShowItem.Result, _ page: ChangePasswordPage.Result?, _ sections: ShownSections
    ) throws {
        let buffer = SecretBuffer(capacity: 4096)
        func row(_ label: String, _ value: String) {
            if !value.isEmpty { buffer.append(utf8Of: Strings.row(label, DisplayText.line(value))) }
        }
        func secretRow(_ label: String, _ value: Attachment?) throws {
            guard reveals else { return row(label, Strings.hiddenValue) }
            guard let value else { return }
            buffer.append(utf8Of: Strings.rowStart(label))
            buffer.append(try SecretBytes(value))
            buffer.append(utf8Of: "\n")
        }
        let summary = item.summary
        row(Strings.title, summary.title)
        row(Strings.userName, summary.user)
        if let passkey = summary.passkey {
            row(Strings.passkeyOf, passkey.relyingParty)
            row(Strings.credential, Base64URL.text(of: passkey.credentialID))
        } else {
            try secretRow(Strings.password, item.password)
            for address in summary.addresses { row(Strings.address, address) }
            if let page { row(Strings.changePage, Strings.changeAt(page.address, isKnown: page.isKnown)) }
            if let use = summary.use { row(Strings.use, Strings.offered(use)) }
        }
        row(Strings.tags, summary.tags.joined(separator: ", "))
        for field in item.fields { try secretRow(DisplayText.line(field.name), field.value) }
        for section in sections.all { try section.write(to: buffer, revealed: reveals) }
        if reveals { try secretRow(Strings.notes, item.notes) }
        for former in item.history { try secretRow(Strings.until(date(former.replaced)), former.password) }
        if let former = summary.formerUser { row(Strings.formerUser, Strings.renamedBySite(former)) }
        if let hidden = summary.hidden { row(Strings.hiddenSince, date(hidden)) }
        row(Strings.created, date(summary.created))
        row(Strings.modified, date(summary.modified))
        row(Strings.identifier, summary.id)
        try context.surroundings.output.write(buffer)
    }

    private func date(_ seconds: Double) -> String {
        Date(timeIntervalSince1970: seconds.rounded(.down)).formatted(.iso8601)
    }
}
