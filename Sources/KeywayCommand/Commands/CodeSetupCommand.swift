import AutoFillProtocol
import CodeLinks
import KeywayCrypto

/// `keyway code --add`: sets up the one-time codes of a link. What opens links on a desktop runs this.
struct CodeSetupCommand {
    let context: CommandContext

    func run() async throws {
        guard !["--user", "--record", "--qr", "--output", "--force"].contains(where: context.invocation.has) else {
            throw CommandError(.usage, Strings.addIsAlone, hint: Strings.seeHelp(context.invocation.path))
        }
        let setups = try read(try link())
        let connection = try await context.connect()
        defer { connection.close() }
        let provider = try await context.providerIdentifier(connection)
        var kept: [(setup: CodeSetup, provider: ProviderReference)] = []
        // Each account is a question of its own; a no ends them all.
        for setup in setups {
            let code = CodeToSetUp(issuer: setup.issuer, account: setup.account, link: try setup.link.attached())
            do {
                let keeper = try await connection.call(SetUpCode.self, .init(code: code, provider: provider)).provider
                kept.append((setup, keeper))
                if !context.wantsJSON { try context.say(Strings.keepsCodes(keeper.name, of: setup)) }
            } catch {
                if setups.count > 1 { try context.say(Strings.keptCodes(kept.count, of: setups.count)) }
                throw error
            }
        }
        try context.print(
            .object([
                (
                    "codes",
                    .array(
                        kept.map {
                            .object([
                                ("issuer", .string($0.setup.issuer)), ("account", .string($0.setup.account)),
                                ("provider", .string($0.provider.identifier)),
                            ])
                        })
                )
            ]), text: "")
    }

    /// What stood among the arguments, or is typed, or comes from standard input.
    private func link() throws -> SecretBytes {
        if let link = context.surroundings.handedLink { return link }
        guard context.invocation.argument("SERVICE") == nil else {
            throw CommandError(.failure, OneTimeCodeError(.malformedLink, "argument").words)
        }
        return try context.questions.secret(Strings.linkToOpen)
    }

    private func read(_ link: SecretBytes) throws(CommandError) -> [CodeSetup] {
        do throws(OneTimeCodeError) {
            // A secret alone says nothing of whose it is.
            guard HandedLink.isLink(link) else { throw OneTimeCodeError(.malformedLink, "scheme") }
            return try CodeSetup.read(link)
        } catch {
            throw CommandError(.failure, error.words)
        }
    }
}
