import AutoFillProtocol

/// `keyway providers list`, `enable` and `disable`.
struct ProvidersCommand {
    let context: CommandContext

    func list() async throws {
        let connection = try await context.connect()
        defer { connection.close() }
        let providers = try await connection.call(ListProviders.self, Nothing()).providers
        try context.print(
            .object([("providers", .array(providers.map(Self.json)))]),
            text: TextTable.text(
                providers.map { provider in
                    [
                        provider.isEnabled ? Strings.enabled : Strings.disabled, provider.reference.identifier,
                        provider.reference.name, provider.version, provider.problem ?? provider.path,
                    ]
                }))
        if providers.isEmpty { try context.say(Strings.noProviderInstalled) }
    }

    func set(enabled: Bool) async throws {
        let connection = try await context.connect()
        defer { connection.close() }
        let provider = try await Self.find(context.invocation.argument("PROVIDER") ?? "", connection)
        let changed = try await connection.call(
            SetProviderEnabled.self, .init(identifier: provider.reference.identifier, isEnabled: enabled)
        ).provider
        try context.print(
            .object([("provider", Self.json(changed))]),
            text: TextTable.text([["provider", Strings.provider(changed)], ["bundle", changed.path]]))
        if enabled && changed.reference.identifier == "org.keyway.passwords" {
            try context.say(Strings.nextAfterEnable)
        }
    }

    /// The provider that somebody calls `word`: by its identifier, or by a name that only one has.
    static func find(_ word: String, _ connection: Connection) async throws -> InstalledProvider {
        let providers = try await connection.call(ListProviders.self, Nothing()).providers
        if let exact = providers.first(where: { $0.reference.identifier == word }) { return exact }
        let named = providers.filter { $0.reference.name.lowercased() == word.lowercased() }
        guard let first = named.first else {
            let identifiers = providers.map(\.reference.identifier)
            throw CommandError(
                .notFound, Strings.noSuchProvider(word),
                hint: Spelling.nearest(to: word, among: identifiers).map(Strings.didYouMean) ?? Strings.listProviders)
        }
        guard named.count == 1 else {
            throw CommandError(
                .ambiguous, Strings.severalProviders(word),
                hint: Strings.useIdentifier(named.map(\.reference.identifier)))
        }
        return first
    }

    static func json(_ provider: InstalledProvider) -> JSONValue {
        .object([
            ("identifier", .string(provider.reference.identifier)),
            ("name", .string(provider.reference.name)),
            ("version", .string(provider.version)),
            ("enabled", .bool(provider.isEnabled)),
            ("path", .string(provider.path)),
            ("scope", .string(provider.scope.rawValue)),
            ("service", .bool(provider.hasService)),
            ("identities", .integer(provider.identities)),
            ("problem", .optional(provider.problem)),
        ])
    }
}
