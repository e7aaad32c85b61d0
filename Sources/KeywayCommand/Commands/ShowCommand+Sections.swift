import KeywayCrypto
import KeywaySystem
import PasswordsProtocol

/// `keyway passwords show --section N`.
extension ShowCommand {
    func show(section number: Int, of name: ItemName) async throws {
        let field = context.invocation.value("--field")
        let opens = reveals || field != nil
        let result = try await VaultDoor(context: context).openUnlocked { service in
            try await service.call(ShowSection.self, .init(item: name, section: number, opens: opens))
        }
        let section = ShownSection(result.section, result.members, total: result.total)
        if let field { return try show(field: field, of: section, in: result.section) }
        guard !context.wantsJSON else {
            let members = try section.json(revealed: reveals)
            return try context.print(.object(members), text: "")
        }
        let buffer = SecretBuffer(capacity: 4096)
        try section.write(to: buffer, revealed: reveals)
        try context.surroundings.output.write(buffer)
    }

    private func show(field: String, of section: ShownSection, in summary: SectionSummary) throws {
        guard let secret = section.member(called: field)?.value else {
            throw CommandError(
                .notFound, Strings.noSuchField(field, Strings.section(summary)),
                hint: Strings.membersAre(section.names))
        }
        let bytes = try SecretBytes(secret)
        guard context.wantsJSON else { return try context.print(bytes) }
        try context.print(.object([("field", .string(field)), ("value", .secret(bytes))]), text: "")
    }
}
