import AutoFillProtocol
import AutoFillWire

/// `keyway suggest`.
struct SuggestCommand {
    let context: CommandContext

    func run() async throws {
        let services = try Self.services(in: context.invocation)
        let connection = try await context.connect()
        defer { connection.close() }
        let answer = try await connection.call(
            Suggest.self,
            .init(services: services, limit: context.invocation.number("--limit"), includesShared: true))
        try context.print(
            .object([
                ("suggestions", .array(answer.suggestions.map(Self.json))),
                ("more", .integer(answer.more)),
            ]),
            text: TextTable.text(
                answer.suggestions.map { suggestion in
                    [suggestion.user, suggestion.service, suggestion.provider.name, Strings.match(suggestion.match)]
                        + (suggestion.looksLikeAnother(of: answer.suggestions) ? [suggestion.record ?? ""] : [])
                }))
        if answer.more > 0 { try context.say(Strings.more(answer.more)) }
        if answer.suggestions.isEmpty { throw await Self.nothing(for: services, answer, connection) }
    }

    /// The services as they were typed.
    static func services(in invocation: Invocation) throws(CommandError) -> [ServiceIdentifier] {
        let texts = invocation.arguments("SERVICE")
        guard texts.allSatisfy({ $0.contains { !$0.isWhitespace } }) else {
            throw CommandError(.usage, Strings.emptyService, hint: Strings.seeHelp(invocation.path))
        }
        return texts.map(service)
    }

    /// A service as it was typed: a URL when it has a scheme, else a domain name.
    static func service(_ text: String) -> ServiceIdentifier {
        ServiceIdentifier(text, kind: text.contains("://") ? .url : .domain)
    }

    /// What is said where there is no account; one that is off since it changed may have it.
    static func nothing(
        for services: [ServiceIdentifier], _ answer: Suggest.Result, _ connection: Connection
    ) async -> CommandError {
        let list = try? await connection.call(ListProviders.self, Nothing())
        let changed = list?.providers.first(where: \.hasChanged).map(Strings.changedSinceEnabled)
        guard !answer.providers.isEmpty else {
            return CommandError(.notFound, Strings.noProviderEnabled, hint: changed ?? Strings.enableProvider)
        }
        return CommandError(
            .notFound, Strings.noAccount(services.map(\.identifier)), hint: changed ?? Strings.chooseFromEverything)
    }

    private static func json(_ suggestion: Suggestion) -> JSONValue {
        .object([
            ("user", .string(suggestion.user)),
            ("service", .string(suggestion.service)),
            ("provider", .string(suggestion.provider.identifier)),
            ("match", .string(suggestion.match.rawValue)),
            ("kind", .string(suggestion.kind.rawValue)),
            ("record", suggestion.record.map(JSONValue.string) ?? .null),
        ])
    }
}

extension Suggestion {
    /// Whether another one shows the same name, service and provider.
    func looksLikeAnother(of suggestions: [Suggestion]) -> Bool {
        suggestions.contains { other in
            other.handle != handle && other.user == user && other.service == service && other.provider == provider
        }
    }
}
