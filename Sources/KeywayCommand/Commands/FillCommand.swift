import AutoFillProtocol
import AutoFillWire
import KeywayCrypto
import PasswordsProtocol
import TerminalInterface

/// `keyway fill` and `keyway insert`.
struct FillCommand {
    /// What is printed.
    private enum Wish {
        case password, code, text

        var kind: CredentialKind { self == .code ? .oneTimeCode : .password }
    }

    let context: CommandContext

    func run() async throws { try await run(wish()) }

    /// `keyway code`: the same gates as `fill --code`.
    func runForCode() async throws {
        for option in ["--add", "--qr"] where context.wantsCopy && context.invocation.has(option) {
            throw CommandError(
                .usage, Strings.notBoth("--copy", option), hint: Strings.seeHelp(context.invocation.path))
        }
        if context.invocation.has("--add") { return try await CodeSetupCommand(context: context).run() }
        if context.invocation.has("--qr") { return try await drawCode() }
        guard !["--output", "--force"].contains(where: context.invocation.has) else {
            throw CommandError(.usage, Strings.outputNeedsQR("--qr"), hint: Strings.seeHelp(context.invocation.path))
        }
        try await run(.code)
    }

    /// `keyway code --qr`: only Passwords tells what its codes are made of.
    private func drawCode() async throws {
        let services = try SuggestCommand.services(in: context.invocation)
        guard !services.isEmpty else {
            throw CommandError(.usage, Strings.serviceMissing, hint: Strings.seeHelp(context.invocation.path))
        }
        let output = try CodeQROutput(context)
        let connection = try await context.connect(methods: PresentedRequest(context).methods)
        defer { connection.close() }
        let suggestion = try await choose(services, .oneTimeCode, connection)
        guard suggestion.provider.identifier == PasswordsProvider.identifier,
            let name = suggestion.record.flatMap(CodeRecordName.init(record:))
        else { throw CommandError(.notFound, Strings.keepsItsCodes(suggestion.provider.name)) }
        try await CodeQRCommand(context: context).run(ItemName(name.item), section: name.section, output)
    }

    private func run(_ wish: Wish) async throws {
        let services = try SuggestCommand.services(in: context.invocation)
        let desk = PresentedRequest(context)
        let connection = try await context.connect(methods: desk.methods)
        defer { connection.close() }
        let target: Fill.Target
        if services.isEmpty {
            guard desk.canPresent else {
                throw CommandError(
                    .needsPerson, Strings.listNeedsTerminal, hint: wish == .text ? nil : Strings.nameService)
            }
            target = list(of: wish, try await context.providerIdentifier(connection))
        } else {
            let suggestion = try await choose(services, wish.kind, connection)
            if wantsUserOnly && !context.wantsJSON { return try await giveOut(user: suggestion.user) }
            target = .suggestion(handle: suggestion.handle)
        }
        let credential = try await desk.perform(
            Fill.self, Fill.Parameters(target: target, services: services, presents: desk.canPresent),
            over: connection)
        try await show(credential, wish)
    }

    private func wish() throws(CommandError) -> Wish {
        guard context.invocation.action != .insertText else { return .text }
        let given = ["--code", "--text", "--field"].filter(context.invocation.has)
        guard given.count < 2 else {
            throw CommandError(.usage, Strings.eitherCodeOrText, hint: Strings.seeHelp(context.invocation.path))
        }
        guard given != ["--text"] || context.invocation.argument("SERVICE") == nil else {
            throw CommandError(.usage, Strings.textIsChosen, hint: Strings.seeHelp(context.invocation.path))
        }
        return given == ["--code"] ? .code : given == ["--text"] ? .text : .password
    }

    private func list(of wish: Wish, _ provider: String?) -> Fill.Target {
        switch wish {
        case .password: .list(provider: provider)
        case .code: .oneTimeCodes(provider: provider)
        case .text: .text(provider: provider)
        }
    }

    private var wantsUserOnly: Bool { context.invocation.value("--field") == "username" }

    // MARK: Printing

    private func show(_ result: Fill.Result, _ wish: Wish) async throws {
        switch (result.credential, wish) {
        case (.password(let user, let password), .password): try await show(user, password, result.provider)
        case (.oneTimeCode(let code, let validUntil), .code):
            let left = validUntil.flatMap { CodeLife.secondsLeft(until: $0) }.map { JSONValue.integer($0) } ?? .null
            try await show("code", code, [("secondsLeft", left)], of: result.provider)
        case (.text(let text), .text): try await show("text", text, of: result.provider)
        default:
            throw CommandError(.providerFailed, Strings.deliveredSomethingElse(result.provider.name))
        }
    }

    private func show(_ user: String, _ attachment: Attachment, _ provider: ProviderReference) async throws {
        let password = try SecretBytes(attachment)
        let from: (String, JSONValue) = ("provider", .string(provider.identifier))
        switch (context.wantsJSON, wantsUserOnly) {
        case (true, false):
            try await context.giveOutJSON("password", password, before: [("user", .string(user))], after: [from])
        case (true, true): try await context.giveOutJSON("user", SecretBytes(copyingUTF8Of: user), after: [from])
        case (false, true): try await giveOut(user: user)
        case (false, false): try await context.giveOut(password)
        }
    }

    private func giveOut(user: String) async throws {
        guard context.wantsCopy else { return try context.print(.null, text: user + "\n") }
        try await context.giveOut(SecretBytes(copyingUTF8Of: user))
    }

    private func show(
        _ name: String, _ attachment: Attachment, _ more: [(String, JSONValue)] = [], of provider: ProviderReference
    ) async throws {
        let secret = try SecretBytes(attachment)
        guard context.wantsJSON else { return try await context.giveOut(secret) }
        try await context.giveOutJSON(name, secret, after: more + [("provider", .string(provider.identifier))])
    }

    // MARK: Which account

    private func choose(
        _ services: [ServiceIdentifier], _ kind: CredentialKind, _ connection: Connection
    ) async throws -> Suggestion {
        let answer = try await connection.call(Suggest.self, .init(services: services, limit: 1000, kinds: [kind]))
        var found = answer.suggestions.filter { $0.kind == kind }
        if let identifier = try await context.providerIdentifier(connection) {
            found = found.filter { $0.provider.identifier == identifier }
        }
        if let user = context.invocation.value("--user") {
            let isExact = found.contains { $0.user == user }
            found = found.filter {
                $0.user == user || !isExact && kind == .oneTimeCode && CodeLabel.isOneOfSeveral($0.user, of: user)
            }
        }
        if let record = context.invocation.value("--record") { found = found.filter { $0.record == record } }
        guard let first = found.first else {
            if let record = context.invocation.value("--record"), !answer.suggestions.isEmpty {
                throw CommandError(
                    .notFound, Strings.noSuchRecord(record), hint: Self.howToChoose(among: answer.suggestions))
            }
            guard let user = context.invocation.value("--user"), !answer.suggestions.isEmpty else {
                throw await SuggestCommand.nothing(for: services, answer, connection)
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
