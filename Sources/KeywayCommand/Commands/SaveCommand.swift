import AutoFillProtocol
import AutoFillWire

/// `keyway save`.
struct SaveCommand {
    let context: CommandContext

    func run() async throws {
        if context.invocation.has("--list-never") { return try await listNever() }
        guard context.invocation.argument("SERVICE") != nil else {
            throw CommandError(.usage, Strings.serviceMissing, hint: Strings.seeHelp(context.invocation.path))
        }
        if context.invocation.has("--ask-again") { return try await askAgain() }
        guard let user = context.invocation.value("--user") else {
            throw CommandError(.usage, Strings.userMissing, hint: Strings.seeHelp(context.invocation.path))
        }
        let service = try SuggestCommand.services(in: context.invocation)[0]
        let desk = PresentedRequest(context)
        let connection = try await context.connect(methods: desk.methods)
        defer { connection.close() }
        // Asked first: nobody types a password for a provider that does not exist.
        let provider = try await context.providerIdentifier(connection)
        let password = try context.questions.newSecret(Strings.password, confirmsInput: false)
        let offered = PasswordToSave(
            service: service, user: user,
            password: try password.attached(), title: context.invocation.value("--title"), session: Self.session(),
            event: .userInitiated)
        let keeper = try await desk.perform(
            SavePassword.self, .init(password: offered, provider: provider, presents: desk.canPresent),
            over: connection
        ).provider
        try context.print(.object([("provider", .string(keeper.identifier))]), text: "")
        if !context.wantsJSON { try context.say(Strings.saved(keeper.name)) }
    }

    private func listNever() async throws {
        let connection = try await context.connect()
        defer { connection.close() }
        let sites = try await connection.call(ListUnsavedSites.self, Nothing()).sites
        try context.print(
            .object([("sites", .array(sites.map { .string($0) }))]), text: sites.map { "\($0)\n" }.joined())
        if sites.isEmpty, !context.wantsJSON { try context.say(Strings.noUnsavedSites) }
    }

    private func askAgain() async throws {
        let site = context.invocation.argument("SERVICE") ?? ""
        let connection = try await context.connect()
        defer { connection.close() }
        _ = try await connection.call(AskAboutSite.self, .init(site: site))
        try context.print(.object([("site", .string(site))]), text: "")
        if !context.wantsJSON { try context.say(Strings.asksAgain(site)) }
    }

    /// Names this one offer.
    private static func session() -> String { String(UInt64.random(in: .min ... .max), radix: 16) }
}

extension CommandContext {
    /// The identifier of the provider that `--provider` names; nil without it.
    func providerIdentifier(_ connection: Connection) async throws -> String? {
        guard let word = invocation.value("--provider") else { return nil }
        return try await ProvidersCommand.find(word, connection).reference.identifier
    }
}
