import AutoFillProtocol
import AutoFillWire

/// `keyway providers list`, `show` and `order`.
struct ProvidersCommand {
    let context: CommandContext

    func list() async throws {
        let connection = try await context.connect()
        defer { connection.close() }
        try report(try await connection.call(ListProviders.self, Nothing()).providers)
    }

    func show() async throws {
        let connection = try await context.connect()
        defer { connection.close() }
        let provider = try await Self.find(context.invocation.argument("PROVIDER") ?? "", connection)
        try context.print(
            .object([("provider", Self.json(provider))]),
            text: TextTable.text(ProviderDescription.rows(provider)))
        try sayWhatWaits([provider])
    }

    func order() async throws {
        let connection = try await context.connect()
        defer { connection.close() }
        var identifiers: [String] = []
        for word in context.invocation.arguments("PROVIDER") {
            identifiers.append(try await Self.find(word, connection).reference.identifier)
        }
        try report(try await connection.call(OrderProviders.self, .init(identifiers: identifiers)).providers)
    }

    private func report(_ providers: [InstalledProvider]) throws {
        try context.print(
            .object([("providers", .array(providers.map(Self.json)))]),
            text: TextTable.text(
                providers.map { provider in
                    [
                        Strings.state(provider), provider.reference.identifier, provider.reference.name,
                        provider.version, Strings.capabilities(provider.capabilities).joined(separator: ", "),
                        provider.problem ?? provider.path,
                    ]
                }))
        if providers.isEmpty { try context.say(Strings.noProviderInstalled) }
        try sayWhatWaits(providers)
    }

    /// What the person is to decide.
    private func sayWhatWaits(_ providers: [InstalledProvider]) throws {
        for provider in providers {
            if let notice = provider.notice { context.notices.add(notice) }
            if provider.hasChanged { try context.say(Strings.changedSinceEnabled(provider)) }
            if provider.isRequested { try context.say(Strings.asksToBeEnabled(provider)) }
            for application in provider.applications where application.isRequested {
                try context.say(Strings.asksToBeApproved(application, provider))
            }
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

    static func json(_ provider: InstalledProvider) -> JSONValue { ProviderDescription.json(provider) }
}
