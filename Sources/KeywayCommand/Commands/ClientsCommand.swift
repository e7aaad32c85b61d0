import AutoFillProtocol
import AutoFillWire

/// `keyway clients`.
struct ClientsCommand {
    let context: CommandContext

    func list() async throws {
        let connection = try await context.connect()
        defer { connection.close() }
        try report(try await connection.call(ListClients.self, Nothing()).clients)
    }

    /// Changes the program that is named.
    func change(_ change: ChangeClient.Change) async throws {
        let connection = try await context.connect()
        defer { connection.close() }
        let client = try await find(context.invocation.argument("ID") ?? "", connection)
        try report(
            try await connection.call(ChangeClient.self, .init(identifier: client.identifier, change: change)).clients)
    }

    private func find(_ word: String, _ connection: Connection) async throws -> ApprovedClient {
        let clients = try await connection.call(ListClients.self, Nothing()).clients
        let numbered = word.count >= ApprovedClient.shownDigits ? clients.filter { $0.identifier.hasPrefix(word) } : []
        // Digits go before names: a program may be called as the digits of another.
        let named = numbered.isEmpty ? clients.filter { $0.name.lowercased() == word.lowercased() } : numbered
        guard let client = named.first else {
            throw CommandError(.notFound, Strings.noSuchClient(word), hint: Strings.listClients)
        }
        guard named.count == 1 else {
            throw CommandError(
                .ambiguous, Strings.severalClients(word),
                hint: Strings.nameClient(named.map { Self.digits($0, clients) }))
        }
        return client
    }

    /// The fewest digits that name it among `clients`.
    static func digits(_ client: ApprovedClient, _ clients: [ApprovedClient]) -> String {
        let shown = ApprovedClient.shownDigits...max(ApprovedClient.shownDigits, client.identifier.count)
        let enough = shown.first { count in
            clients.count { $0.identifier.prefix(count) == client.identifier.prefix(count) } == 1
        }
        return enough.map { String(client.identifier.prefix($0)) } ?? client.identifier
    }

    private func report(_ clients: [ApprovedClient]) throws {
        try context.print(
            .object([("clients", .array(clients.map(Self.json)))]),
            text: TextTable.text(
                clients.map { client in
                    [
                        Strings.state(client), Self.digits(client, clients), client.name, Strings.role(client),
                        Strings.file(client),
                    ]
                }))
    }

    static func json(_ client: ApprovedClient) -> JSONValue {
        .object([
            ("identifier", .string(client.identifier)), ("name", .string(client.name)),
            ("path", .optional(client.path)), ("browser", .optional(client.browser)),
            ("role", .string(client.role.rawValue)),
            (
                "profile",
                client.profile.map {
                    .object([("identifier", .string($0.identifier)), ("browser", .string($0.browser))])
                } ?? .null
            ),
            ("isKnown", .bool(client.isKnown)), ("decision", .string(client.decision.rawValue)),
            ("decidedAt", client.decidedAt.map { .integer(Int($0)) } ?? .null),
            ("method", .optional(client.method?.rawValue)),
            ("lastAsked", client.lastAsked.map { .integer(Int($0)) } ?? .null),
        ])
    }
}
