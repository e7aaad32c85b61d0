import AutoFillProtocol

/// `keyway answer`.
struct AnswerCommand {
    let context: CommandContext

    func run() async throws {
        let desk = PresentedRequest(context)
        guard desk.canPresent else {
            throw CommandError(.needsPerson, Strings.answerNeedsTerminal, hint: Strings.needsTerminal)
        }
        let connection = try await context.connect(methods: desk.methods)
        defer { connection.close() }
        let result = try await desk.perform(AnswerApplication.self, .init(presents: true), over: connection)
        // That this app asks is known by now.
        context.notices.drop { $0.contains("(\(result.path))") && $0.hasSuffix(Strings.answerCommand) }
        try context.print(
            .object([
                ("program", .string(result.program)), ("path", .string(result.path)),
                ("service", result.service.map { .string($0) } ?? .null), ("given", .bool(result.isGiven)),
            ]), text: "")
        if !context.wantsJSON {
            try context.say(result.isGiven ? Strings.given(result) : Strings.notGiven(result))
        }
    }
}
