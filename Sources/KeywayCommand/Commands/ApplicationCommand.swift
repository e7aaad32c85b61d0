import AutoFillProtocol

/// `keyway providers approve` and `revoke`.
struct ApplicationCommand {
    let context: CommandContext

    func run(isApproved: Bool) async throws {
        let connection = try await context.connect()
        defer { connection.close() }
        var provider = try await ProvidersCommand.find(context.invocation.argument("PROVIDER") ?? "", connection)
        let name = provider.reference.name
        let paths = isApproved ? [try applicant(of: provider)] : try approved(of: provider)
        for path in paths {
            provider = try await connection.call(
                ApproveApplication.self,
                .init(identifier: provider.reference.identifier, path: path, isApproved: isApproved)
            ).provider
        }
        try context.print(.object([("provider", ProvidersCommand.json(provider))]), text: "")
        guard !context.wantsJSON else { return }
        for path in paths {
            try context.say(isApproved ? Strings.isApproved(path, name) : Strings.isRevoked(path, name))
        }
    }

    /// The program that is named, else the one that asked, else the only one.
    private func applicant(of provider: InstalledProvider) throws(CommandError) -> String {
        if let path = context.invocation.argument("PATH") { return path }
        let name = provider.reference.name
        let requested = provider.applications.filter(\.isRequested)
        let candidates = requested.isEmpty ? provider.applications : requested
        guard let first = candidates.first else { throw CommandError(.notFound, Strings.hasNoApplication(name)) }
        guard candidates.count == 1 else {
            throw CommandError(
                .ambiguous, Strings.severalApplications(name), hint: Strings.nameApplication(candidates.map(\.path)))
        }
        return first.path
    }

    /// The program that is named, else all that are approved.
    private func approved(of provider: InstalledProvider) throws(CommandError) -> [String] {
        if let path = context.invocation.argument("PATH") { return [path] }
        let paths = provider.applications.filter(\.isApproved).map(\.path)
        guard !paths.isEmpty else {
            throw CommandError(.notFound, Strings.nothingToRevoke(provider.reference.name))
        }
        return paths
    }
}
