/// Completions for fish.
enum FishCompletion {
    static func text(_ model: CompletionModel = CompletionModel()) -> String {
        let lines = model.entries.flatMap { entry -> [String] in
            let start = "complete -c \(model.program) -n \(quote("__keyway_at " + entry.path))"
            let commands = entry.command.commands.map { "\(start) -a \($0.name) -d \(quote($0.summary))" }
            let choices = entry.choices.isEmpty ? [] : ["\(start) -a \(quote(entry.choices.joined(separator: " ")))"]
            let options = entry.options.map { "\(start) \(option($0)) -d \(quote($0.summary))" }
            return commands + choices + options
        }
        return """
            # fish completion for keyway, written by `keyway completions fish`.
            function __keyway_at
                set -l place \(model.program)
                for word in (commandline -opc)[2..]
                    switch "$place $word"
                        case \(model.paths.map(quote).joined(separator: " \\\n                "))
                            set place "$place $word"
                    end
                end
                test "$place" = "$argv"
            end
            complete -c \(model.program) -f
            \(lines.joined(separator: "\n"))

            """
    }

    private static func option(_ option: CommandOption) -> String {
        let short = option.aliases.first { $0.count == 2 }.map { " -s \($0.dropFirst())" } ?? ""
        let name = "-l \(option.name.dropFirst(2))\(short)"
        guard let value = option.value, !value.isOptional else { return name }
        guard case .choice(let choices) = value.kind else { return name + " -x" }
        return "\(name) -x -a \(quote(choices.joined(separator: " ")))"
    }

    /// The text between single quotes, as fish reads it.
    private static func quote(_ text: String) -> String {
        "'" + text.flatMap { $0 == "'" || $0 == "\\" ? ["\\", $0] : [$0] } + "'"
    }
}
