import AutoFillWire
import FoundationEssentials
import KeywayCrypto
import PasswordsProtocol
import WebAuthnValues

/// `keyway passwords list` and `search`.
struct SearchCommand {
    /// How many items are asked for at a time: the most that one answer holds.
    private static let page = 1000

    let context: CommandContext

    func run() async throws {
        let words = context.invocation.arguments("WORD").joined(separator: " ")
        let items = try await VaultDoor(context: context).openUnlocked { service in
            try await all(words, service)
        }
        try context.print(
            .object([("items", .array(items.map(Self.json))), ("total", .integer(items.count))]),
            text: TextTable.text(items.map { [$0.title, $0.user, $0.addresses.first ?? "", Strings.marks($0)] }))
        guard items.isEmpty else { return }
        guard context.invocation.action == .searchItems else {
            return try context.say(kind == .passkey ? Strings.noPasskeys : Strings.vaultEmpty)
        }
        throw CommandError(.notFound, Strings.nothingMatches(words))
    }

    private var kind: ItemKind? { context.invocation.has("--passkeys") ? .passkey : nil }

    private func all(_ words: String, _ service: Connection) async throws -> [ItemSummary] {
        var items: [ItemSummary] = []
        while true {
            let answer = try await service.call(
                SearchItems.self, .init(text: words, limit: Self.page, offset: items.count, kind: kind))
            items += answer.items
            guard items.count < answer.total, !answer.items.isEmpty else { return items }
        }
    }

    static func json(_ item: ItemSummary) -> JSONValue {
        .object(members(item))
    }

    static func members(_ item: ItemSummary) -> [(String, JSONValue)] {
        var members: [(String, JSONValue)] = [
            ("id", .string(item.id)),
            ("title", .string(item.title)),
            ("user", .string(item.user)),
            ("addresses", .strings(item.addresses)),
            ("tags", .strings(item.tags)),
            ("created", .number(item.created)),
            ("modified", .number(item.modified)),
        ]
        if let passkey = item.passkey {
            members.append(
                (
                    "passkey",
                    .object([
                        ("relyingParty", .string(passkey.relyingParty)),
                        ("credentialID", .string(Base64URL.text(of: passkey.credentialID))),
                        ("userHandle", .string(Base64URL.text(of: passkey.userHandle))),
                    ])
                ))
        }
        if let hidden = item.hidden { members.append(("hidden", .number(hidden))) }
        if let former = item.formerUser { members.append(("formerUser", .string(former))) }
        if let use = item.use { members.append(("use", .string(use.rawValue))) }
        if let sections = item.sections {
            members.append(("sections", .array(sections.map { .object(Self.members($0)) })))
        }
        return members
    }

    static func members(_ section: SectionSummary) -> [(String, JSONValue)] {
        [
            ("number", .integer(section.number)), ("type", .string(section.type)),
            ("title", section.title.map { .string($0) } ?? .null), ("readable", .bool(section.isReadable)),
        ] + (section.size.map { [("size", .integer($0))] } ?? [])
    }
}

/// `keyway passwords generate`.
struct GenerateCommand {
    /// The length where none is named.
    static let length = 20

    let context: CommandContext

    func run() async throws {
        let invocation = context.invocation
        let parameters = GeneratePassword.Parameters(
            length: invocation.number("--length") ?? Self.length, digits: !invocation.has("--no-digits"),
            symbols: !invocation.has("--no-symbols"))
        let password = try await VaultDoor(context: context).open { service in
            try SecretBytes(try await service.call(GeneratePassword.self, parameters).password)
        }
        guard context.wantsJSON else { return try context.print(password) }
        try context.print(.object([("password", .secret(password))]), text: "")
    }
}
