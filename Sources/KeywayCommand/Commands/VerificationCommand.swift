import AutoFillProtocol
import AutoFillWire
import KeywayCrypto

/// `keyway verification` and what stands under it.
struct VerificationCommand {
    /// How many bytes a PIN may have.
    private static let lengths = 6...64
    /// What stands for a provider that has no rule of its own.
    static let noRule = "default"

    let context: CommandContext

    func show() async throws {
        let connection = try await context.connect()
        defer { connection.close() }
        try report(try await connection.call(VerificationState.self, Nothing()))
    }

    func change() async throws {
        let rule = context.invocation.value("--rule")
        let grace = context.invocation.number("--grace")
        let provider = context.invocation.value("--provider")
        let isUsable = provider == nil ? (rule ?? "") != Self.noRule && (rule != nil || grace != nil) : rule != nil
        guard isUsable else {
            throw CommandError(.usage, Strings.nothingToSet, hint: Strings.seeHelp(context.invocation.path))
        }
        let connection = try await context.connect()
        defer { connection.close() }
        var settings = try await connection.call(VerificationState.self, Nothing()).settings
        if let grace { settings.grace = grace }
        if let rule {
            if let provider {
                let identifier = try await identifier(provider, settings, connection)
                settings.providers[identifier] = Strings.rule(spelled: rule)
            } else if let rule = Strings.rule(spelled: rule) {
                settings.rule = rule
            }
        }
        _ = try await connection.call(ChangeVerification.self, .init(settings: settings))
        try report(try await connection.call(VerificationState.self, Nothing()))
    }

    func setPIN() async throws {
        // Asked for before anything is started: whoever backs out has changed nothing.
        let pin = try newPIN()
        try await changePIN(try pin.attached())
    }

    /// Asks for a PIN and sets it, as a part of something else.
    func setPIN(over connection: Connection) async throws {
        let pin = try newPIN()
        _ = try await connection.call(ChangePIN.self, .init(pin: try pin.attached()))
        try context.say(Strings.pinIsSet)
    }

    private func newPIN() throws(CommandError) -> SecretBytes {
        let pin = try context.questions.newSecret(Strings.newPIN, confirmsInput: true)
        guard Self.lengths.contains(pin.count) else { throw CommandError(.usage, Strings.pinLength(Self.lengths)) }
        return pin
    }

    func removePIN() async throws {
        try await changePIN(nil)
    }

    private func changePIN(_ pin: Attachment?) async throws {
        let connection = try await context.connect()
        defer { connection.close() }
        _ = try await connection.call(ChangePIN.self, .init(pin: pin))
        try context.print(.object([("pin", .bool(pin != nil))]), text: "")
        if !context.wantsJSON { try context.say(pin == nil ? Strings.pinIsRemoved : Strings.pinIsSet) }
        if pin != nil { try warn(of: try await connection.call(VerificationState.self, Nothing())) }
    }

    /// Whoever forgets a PIN that nothing else can replace is locked out: they learn it while they know it.
    private func warn(of state: VerificationState.Result) throws {
        if state.isPINAlone { try context.say(Strings.pinIsAlone) }
    }

    /// A provider by what somebody calls it; one that is gone may still have a rule.
    private func identifier(
        _ word: String, _ settings: VerificationSettings, _ connection: Connection
    ) async throws -> String {
        if settings.providers[word] != nil { return word }
        return try await ProvidersCommand.find(word, connection).reference.identifier
    }

    // MARK: Printing

    private func report(_ state: VerificationState.Result) throws {
        let settings = state.settings
        let rules = settings.providers.sorted { $0.key < $1.key }
        var rows = state.methods.map { method in
            [
                Strings.methodWords(method.method), method.isAvailable ? Strings.isReady : Strings.isNotReady,
                method.detail ?? "",
            ]
        }
        rows.append([Strings.asked, Strings.rule(settings.rule), Strings.graceLasts(settings.grace)])
        rows += rules.map { [$0.key, Strings.rule($0.value)] }
        if let limits = state.limits {
            rows.append([Strings.asked, Strings.limits(limits), Strings.setByAdministrator(limits.files)])
        }
        try context.print(json(state, rules), text: TextTable.text(rows))
        try warn(of: state)
    }

    private func json(
        _ state: VerificationState.Result, _ rules: [(key: String, value: VerificationSettings.Rule)]
    ) -> JSONValue {
        .object([
            (
                "methods",
                .array(
                    state.methods.map { method in
                        .object([
                            ("method", .string(method.method.rawValue)), ("available", .bool(method.isAvailable)),
                            ("detail", .optional(method.detail)),
                        ])
                    })
            ),
            ("rule", .string(state.settings.rule.rawValue)), ("grace", .integer(state.settings.grace)),
            ("providers", .object(rules.map { ($0.key, .string($0.value.rawValue)) })),
            (
                "limits",
                state.limits.map { limits in
                    .object([
                        ("rule", .optional(limits.rule?.rawValue)),
                        ("grace", limits.grace.map(JSONValue.integer) ?? .null),
                        ("files", .array(limits.files.map { .string($0) })),
                    ])
                } ?? .null
            ),
        ])
    }
}

extension VerificationState.Result {
    /// Whether there is a PIN, and no other way to verify the person: then too many wrong ones lock them out.
    var isPINAlone: Bool {
        let others = methods.filter { $0.method != .pin && $0.isAvailable }
        return others.isEmpty
            && methods.contains { $0.method == .pin && ($0.isAvailable || $0.obstacle == .lockedOut) }
    }
}
