/// `keyway provider new` and `test`: the kit is a program of its own, which takes the place of this one.
struct ProviderCommand {
    private static let valueOptions = ["--record", "--user", "--service", "--type-from", "--home", "--requests"]

    let context: CommandContext

    func make() throws {
        try run(["new"] + given(["--directory"]) + ["--", context.invocation.argument("NAME") ?? ""])
    }

    func test() throws {
        let path = context.invocation.argument("PATH")
        guard path != nil || context.invocation.has("--list-rules") else {
            throw CommandError(.usage, Strings.missingArgument("PATH"), hint: Strings.seeHelp(context.invocation.path))
        }
        let rules = ["--rule", "--leaves"].flatMap { name in
            context.invocation.values(name).flatMap { [name, $0] }
        }
        let list = context.invocation.has("--list-rules") ? ["--list-rules"] : []
        try run(["test"] + list + rules + given(Self.valueOptions) + (path.map { ["--", $0] } ?? []))
    }

    private func given(_ options: [String]) -> [String] {
        options.flatMap { name in context.invocation.value(name).map { [name, $0] } ?? [] }
    }

    private func run(_ words: [String]) throws {
        let installation = InstalledFiles(program: context.surroundings.machine.program ?? "/usr/bin/keyway")
        let json = context.wantsJSON ? [CommandTable.json.name] : []
        try context.surroundings.takePlace(installation.providerKit, [words[0]] + json + words.dropFirst())
    }
}
