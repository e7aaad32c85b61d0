import AutoFillProtocol
import AutoFillWire
import KeywaySystem

/// `keyway status`.
struct StatusCommand {
    let context: CommandContext

    func run() async throws {
        let connection: Connection
        do {
            connection = try await context.connect(starts: false)
        } catch let error as ProtocolError where error.code == .brokerNotRunning {
            try context.print(.object([("broker", .null)]), text: "")
            throw CommandError(.brokerUnreachable, Strings.brokerNotRunning, hint: Strings.brokerStartsItself)
        }
        defer { connection.close() }
        let status = try await connection.call(BrokerStatus.self, Nothing())
        let providers: [InstalledProvider]
        do {
            providers = try await connection.call(ListProviders.self, Nothing()).providers
        } catch {
            // How the broker is may say why.
            try context.print(json(status, []), text: text(status, []))
            throw error
        }
        try context.print(json(status, providers), text: text(status, providers))
    }

    private func json(_ status: BrokerStatus.Result, _ providers: [InstalledProvider]) -> JSONValue {
        .object([
            (
                "broker",
                .object([
                    ("version", .string(status.version)),
                    ("protocol", .string("\(status.protocol)")),
                    ("processIdentifier", .integer(Int(status.processIdentifier))),
                    ("uptime", .number(status.uptime)),
                    ("connections", .integer(status.connections)),
                    ("droppedAnswers", .integer(status.droppedAnswers ?? 0)),
                ])
            ),
            (
                "storeKey",
                status.storeKey.map { key in
                    .object([
                        ("source", .optional(key.source?.rawValue)), ("isOpen", .bool(key.isOpen)),
                        ("detail", .optional(key.detail)),
                    ])
                } ?? .null
            ),
            (
                "confinement",
                status.confinement.map { state in
                    .object([("strength", .string(state.strength.rawValue)), ("detail", .optional(state.detail))])
                } ?? .null
            ),
            (
                "sharedLimits",
                status.sharedLimits.map { state in
                    .object([("hold", .bool(state.hold)), ("detail", .optional(state.detail))])
                } ?? .null
            ),
            ("policy", status.policy.map(Self.json) ?? .null),
            ("disbelieved", .array((status.disbelieved ?? []).map { .string($0) })),
            ("providers", .array(providers.map(ProvidersCommand.json))),
            (
                "running",
                .array(
                    status.running.map { process in
                        .object([
                            ("provider", .string(process.provider.identifier)),
                            ("role", .string(process.role.rawValue)),
                            ("processIdentifier", .integer(Int(process.processIdentifier))),
                            ("state", .optional(process.state?.rawValue)),
                        ])
                    })
            ),
        ])
    }

    private static func json(_ policy: PolicyState) -> JSONValue {
        .object([
            (
                "settings",
                .array(
                    policy.settings.map { setting in
                        .object([
                            ("name", .string(setting.name)), ("value", .string(setting.value)),
                            ("files", .array(setting.files.map { .string($0) })),
                        ])
                    })
            ), ("faults", .array(policy.faults.map { .string($0.sentence) })),
        ])
    }

    private func text(_ status: BrokerStatus.Result, _ providers: [InstalledProvider]) -> String {
        var rows = [["broker", Strings.broker(status)]]
        rows += (status.disbelieved ?? []).map { ["settings", $0] }
        rows += (status.policy?.settings ?? []).map { ["policy", Strings.policy($0)] }
        rows += (status.policy?.faults ?? []).map { ["policy", $0.sentence] }
        if let limits = status.sharedLimits { rows.append(["limits", Strings.limits(limits)]) }
        rows += providers.map { ["provider", Strings.provider($0)] }
        rows += status.running.map { ["process", Strings.process($0)] }
        return TextTable.text(rows)
    }
}
