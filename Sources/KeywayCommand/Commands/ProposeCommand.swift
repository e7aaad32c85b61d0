import AutoFillProtocol
import KeywayCrypto
import TerminalInterface

/// `keyway generate`.
struct ProposeCommand {
    let context: CommandContext

    func run() async throws {
        let service = try SuggestCommand.services(in: context.invocation)[0]
        let desk = PresentedRequest(context)
        let connection = try await context.connect(methods: desk.methods)
        defer { connection.close() }
        let wanted = PasswordsToGenerate(
            service: service,
            passwordRules: context.invocation.value("--rules"))
        let provider = try await context.providerIdentifier(connection)
        let result = try await desk.perform(
            GeneratePasswords.self, .init(request: wanted, provider: provider, presents: desk.canPresent),
            over: connection)
        let proposals = try matching(result)
        guard !context.wantsJSON || context.wantsCopy else { return try printAll(proposals, of: result.provider) }
        let chosen = try await choose(among: proposals, result.provider)
        let password = try SecretBytes(chosen.value)
        guard context.wantsJSON else { return try await context.giveOut(password) }
        try await context.giveOutJSON(
            "password", password, before: [("kind", .string(chosen.kind))],
            after: [("provider", .string(result.provider.identifier))])
    }

    private func matching(_ result: GeneratePasswords.Result) throws -> [ProposedPassword] {
        guard !result.passwords.isEmpty else {
            throw CommandError(.notFound, Strings.noProposal(result.provider.name))
        }
        guard let kind = context.invocation.value("--kind") else { return result.passwords }
        let found = result.passwords.filter { $0.kind.lowercased() == kind.lowercased() }
        guard !found.isEmpty else {
            throw CommandError(
                .notFound, Strings.noProposalOfKind(kind), hint: Strings.kindsAre(result.passwords.map(\.kind)))
        }
        return found
    }

    private func printAll(_ proposals: [ProposedPassword], of provider: ProviderReference) throws {
        let list = try proposals.map { proposal in
            JSONValue.object([
                ("kind", .string(proposal.kind)), ("password", .secret(try SecretBytes(proposal.value))),
            ])
        }
        try context.print(
            .object([("passwords", .array(list)), ("provider", .string(provider.identifier))]), text: "")
    }

    /// One of them, by its kind: the passwords themselves are not drawn.
    private func choose(
        among proposals: [ProposedPassword], _ provider: ProviderReference
    ) async throws -> ProposedPassword {
        guard proposals.count > 1 else { return proposals[0] }
        let rows = proposals.enumerated().map { InterfaceList.Row(id: "\($0.offset)", title: $0.element.kind) }
        let list = InterfaceList(title: Strings.chooseProposal, sections: [.init(rows: rows)])
        do {
            let event = try await context.questions.answer(to: .list(list), service: provider.name)
            guard case .chose(let row) = event, let index = Int(row), proposals.indices.contains(index) else {
                throw CommandError(.cancelled, Strings.cancelled)
            }
            return proposals[index]
        } catch let error as TerminalError where error.code == .noTerminal {
            return proposals[0]
        }
    }
}
