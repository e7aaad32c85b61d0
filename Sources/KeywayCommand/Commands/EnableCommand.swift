import AutoFillProtocol
import AutoFillWire

/// `keyway providers enable` and `disable`.
struct EnableCommand {
    let context: CommandContext

    func enable() async throws {
        let desk = PresentedRequest(context)
        let connection = try await context.connect(methods: desk.methods)
        defer { connection.close() }
        let provider = try await ProvidersCommand.find(context.invocation.argument("PROVIDER") ?? "", connection)
        let enabled = try await turnOn(provider, connection)
        try report(enabled)
        if enabled.reference.identifier == "org.keyway.passwords" { try context.say(Strings.nextAfterEnable) }
        guard enabled.capabilities.showsConfigurationUI, !provider.isEnabled else { return }
        try await setUp(enabled, desk, connection)
    }

    func disable() async throws {
        let connection = try await context.connect()
        defer { connection.close() }
        let provider = try await ProvidersCommand.find(context.invocation.argument("PROVIDER") ?? "", connection)
        try report(try await set(false, provider, connection))
    }

    /// Turns `provider` on once the person has seen what it asks for; says where it will not run.
    @discardableResult
    func turnOn(_ provider: InstalledProvider, _ connection: Connection) async throws -> InstalledProvider {
        let confinement = try await connection.call(BrokerStatus.self, Nothing()).confinement
        if !provider.isEnabled && provider.problem == nil { try confirm(provider, confinement) }
        let enabled = try await set(true, provider, connection)
        if let confinement, confinement.strength != .full, enabled.mayRunUnconfined != true {
            try context.say(Strings.willNotRun(enabled.reference, confinement))
        }
        return enabled
    }

    private func set(
        _ isEnabled: Bool, _ provider: InstalledProvider, _ connection: Connection
    ) async throws -> InstalledProvider {
        try await connection.call(
            SetProviderEnabled.self,
            .init(
                identifier: provider.reference.identifier, isEnabled: isEnabled,
                mayRunUnconfined: isEnabled && context.invocation.has(CommandTable.unconfined.name) ? true : nil)
        ).provider
    }

    private func report(_ provider: InstalledProvider) throws(CommandError) {
        try context.print(
            .object([("provider", ProvidersCommand.json(provider))]),
            text: TextTable.text([["provider", Strings.provider(provider)], ["bundle", provider.path]]))
    }

    /// Nobody turns on what they have not seen.
    private func confirm(_ provider: InstalledProvider, _ confinement: BrokerStatus.ConfinementState?) throws {
        guard !context.invocation.has(CommandTable.yes.name) else { return }
        let name = provider.reference.name
        try context.say(Strings.aboutToEnable(name))
        try context.surroundings.messages.write(TextTable.text(ProviderDescription.wishes(provider)))
        if let confinement, confinement.strength != .full, context.invocation.has(CommandTable.unconfined.name) {
            try context.say(Strings.runsUnconfined(provider.reference, confinement))
        }
        let isSure = try context.questions.confirm(
            Strings.confirmEnabling(name), elseHint: Strings.confirmEnablingByOption)
        guard isSure else { throw CommandError(.cancelled, Strings.nothingEnabled) }
    }

    /// What happens right after, as on other systems: on the terminal, or in a window; where there is neither, it is said
    /// how.
    private func setUp(_ provider: InstalledProvider, _ desk: PresentedRequest, _ connection: Connection) async throws {
        let reference = provider.reference
        guard desk.canPresent || desk.isOnDesktop, !context.wantsJSON else {
            return try context.say(Strings.mustBeSetUp(reference.name, reference.identifier))
        }
        do {
            _ = try await desk.perform(
                ConfigureProvider.self,
                .init(identifier: reference.identifier, presents: desk.canPresent ? nil : false), over: connection)
        } catch {
            let error = CommandError(any: error)
            throw CommandError(
                error.code, Strings.notSetUp(reference.name, error.message),
                hint: Strings.configure(reference.identifier))
        }
    }
}
