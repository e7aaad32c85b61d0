import AutoFillProtocol
import AutoFillWire

/// `keyway providers configure`.
struct ConfigureCommand {
    let context: CommandContext

    func run() async throws {
        let desk = PresentedRequest(context)
        let connection = try await context.connect(methods: desk.methods)
        defer { connection.close() }
        let provider = try await ProvidersCommand.find(context.invocation.argument("PROVIDER") ?? "", connection)
        try await Self.perform(provider, desk, connection)
        try context.print(.object([("provider", ProvidersCommand.json(provider))]), text: "")
        if !context.wantsJSON { try context.say(Strings.isSetUp(provider.reference.name)) }
    }

    /// Shows the provider's interface until the person is done with it.
    static func perform(_ provider: InstalledProvider, _ desk: PresentedRequest, _ connection: Connection) async throws
    {
        guard provider.capabilities.showsConfigurationUI else {
            throw CommandError(.refused, Strings.cannotBeSetUp(provider.reference.name))
        }
        guard desk.canPresent || desk.isOnDesktop else {
            throw CommandError(.needsPerson, Strings.setUpNeedsTerminal, hint: Strings.needsTerminal)
        }
        _ = try await desk.perform(
            ConfigureProvider.self,
            .init(identifier: provider.reference.identifier, presents: desk.canPresent ? nil : false), over: connection)
    }
}

/// `keyway providers debug`.
struct DebugCommand {
    let context: CommandContext

    func run() async throws {
        let desk = PresentedRequest(context)
        let connection = try await context.connect(methods: desk.methods)
        defer { connection.close() }
        let provider = try await ProvidersCommand.find(context.invocation.argument("PROVIDER") ?? "", connection)
        let waits = context.invocation.has("--wait")
        let result = try await connection.call(
            DebugProvider.self, .init(identifier: provider.reference.identifier, waits: waits))
        try report(result, provider, waits: waits)
        if context.invocation.has("--configure") { try await ConfigureCommand.perform(provider, desk, connection) }
        context.notices.goLive()
        await connection.ended()
        throw CommandError(.brokerUnreachable, Strings.debugEnded)
    }

    private func report(_ result: DebugProvider.Result, _ provider: InstalledProvider, waits: Bool) throws {
        try context.print(
            .object([
                ("provider", .string(provider.reference.identifier)),
                ("processIdentifier", .integer(Int(result.processIdentifier))),
                ("path", .string(result.path)),
                ("attach", .string(Strings.attach(result.processIdentifier))),
                ("waits", .bool(waits)),
            ]), text: "")
        guard !context.wantsJSON else { return }
        try context.say(Strings.debugged(provider.reference.name, result))
        try context.say(Strings.howToAttach(result.processIdentifier, waits: waits))
        try context.say(Strings.debugLasts)
    }
}

extension Connection {
    /// Waits until the conversation has ended.
    fileprivate func ended() async {
        let (ends, sink) = AsyncStream.makeStream(of: Never.self)
        onClose { sink.finish() }
        for await _ in ends {}
    }
}
