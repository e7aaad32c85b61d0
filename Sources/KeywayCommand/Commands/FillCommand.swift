import AutoFillProtocol
import KeywayCrypto
import TerminalInterface

/// `keyway fill`.
struct FillCommand {
    let context: CommandContext

    func run() async throws {
        let services = try SuggestCommand.services(in: context.invocation)
        let desk = PresentationDesk(context.surroundings)
        let connection = try await context.connect(methods: desk.methods)
        defer { connection.close() }
        let target: Fill.Target
        if services.isEmpty {
            guard desk.canPresent else {
                throw CommandError(.needsPerson, Strings.listNeedsTerminal, hint: Strings.nameService)
            }
            target = .list(provider: try await providerIdentifier(connection))
        } else {
            let suggestion = try await choose(services, connection)
            if wantsUserOnly && !context.wantsJSON { return try context.print(.null, text: suggestion.user + "\n") }
            target = .suggestion(handle: suggestion.handle)
        }
        let credential = try await desk.fill(
            Fill.Parameters(target: target, services: services, presents: desk.canPresent), over: connection)
        try show(credential)
    }

    private var wantsUserOnly: Bool { context.invocation.value("--field") == "username" }

    private func show(_ result: Fill.Result) throws {
        guard case .password(let user, let attachment) = result.credential else {
            throw CommandError(ProtocolError(.providerFailed, "\(result.provider.name) delivered no password."))
        }
        let password = try SecretBytes(attachment)
        if context.wantsJSON {
            var members: [(String, JSONValue)] = [("user", .string(user))]
            if !wantsUserOnly { members.append(("password", .secret(password))) }
            members.append(("provider", .string(result.provider.identifier)))
            try context.print(.object(members), text: "")
        } else if wantsUserOnly {
            try context.print(.null, text: user + "\n")
        } else {
            try context.print(password)
        }
    }

    private func providerIdentifier(_ connection: Connection) async throws -> String? {
        guard let word = context.invocation.value("--provider") else { return nil }
        return try await ProvidersCommand.find(word, connection).reference.identifier
    }

    // MARK: Which account

    private func choose(_ services: [ServiceIdentifier], _ connection: Connection) async throws -> Suggestion {
        let answer = try await connection.call(Suggest.self, .init(services: services, limit: 1000))
        var found = answer.suggestions
        if let identifier = try await providerIdentifier(connection) {
            found = found.filter { $0.provider.identifier == identifier }
        }
        if let user = context.invocation.value("--user") { found = found.filter { $0.user == user } }
        if let record = context.invocation.value("--record") { found = found.filter { $0.record == record } }
        guard let first = found.first else {
            if let record = context.invocation.value("--record"), !answer.suggestions.isEmpty {
                throw CommandError(
                    .notFound, Strings.noSuchRecord(record), hint: Self.howToChoose(among: answer.suggestions))
            }
            guard let user = context.invocation.value("--user"), !answer.suggestions.isEmpty else {
                throw SuggestCommand.nothing(for: services, answer)
            }
            throw CommandError(
                .notFound, Strings.noSuchUser(user, services.map(\.identifier)),
                hint: Strings.usersAre(answer.suggestions.map(\.user)))
        }
        guard found.count > 1 else { return first }
        return try await choose(among: found, services)
    }

    /// The option that tells all of them apart.
    static func howToChoose(among found: [Suggestion]) -> String {
        let users = found.map(\.user)
        let providers = found.map(\.provider.identifier)
        if Set(users).count == found.count { return Strings.nameUser(users) }
        if Set(providers).count == found.count { return Strings.nameProvider(providers) }
        return Strings.nameRecord(
            found.map { "\($0.record ?? "?") (\($0.user), \($0.service), \($0.provider.name))" })
    }

    private func choose(among found: [Suggestion], _ services: [ServiceIdentifier]) async throws -> Suggestion {
        let rows = found.enumerated().map { index, suggestion in
            InterfaceList.Row(
                id: "\(index)", title: suggestion.user.isEmpty ? Strings.noUserName : suggestion.user,
                subtitle: "\(suggestion.service), \(suggestion.provider.name)"
                    + (suggestion.looksLikeAnother(of: found) ? suggestion.record.map { ", \($0)" } ?? "" : ""))
        }
        let list = InterfaceList(title: Strings.chooseAccount, sections: [.init(rows: rows)])
        do {
            let event = try await context.questions.answer(to: .list(list), service: services.first?.identifier)
            guard case .chose(let row) = event, let index = Int(row), found.indices.contains(index) else {
                throw CommandError(.cancelled, Strings.cancelled)
            }
            return found[index]
        } catch let error as TerminalError where error.code == .noTerminal {
            throw CommandError(
                .ambiguous, Strings.severalAccounts(services.map(\.identifier)),
                hint: Self.howToChoose(among: found))
        }
    }
}
