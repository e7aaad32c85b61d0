/// The table of commands as the three shells need it: every command with the words that lead to it.
struct CompletionModel {
    struct Entry {
        /// The words that lead here, with spaces between them.
        let path: String
        let command: Command
        let options: [CommandOption]

        /// What the first argument may be, where that is known.
        var choices: [String] {
            guard case .choice(let choices)? = command.arguments.first?.kind else { return [] }
            return choices
        }
    }

    let entries: [Entry]
    let program: String

    init(root: Command = CommandTable.root) {
        program = root.name
        entries = Self.entries(root, path: root.name, isRoot: true)
    }

    /// The paths of all commands below the program.
    var paths: [String] { entries.map(\.path).filter { $0 != program } }

    /// Options that want a value behind them, as `path option`, with what may be typed there.
    var values: [(option: String, choices: [String])] {
        entries.flatMap { entry in
            entry.options.compactMap { option in
                guard let value = option.value, !value.isOptional else { return nil }
                guard case .choice(let choices) = value.kind else { return (entry.path + " " + option.name, []) }
                return (entry.path + " " + option.name, choices)
            }
        }
    }

    private static func entries(_ command: Command, path: String, isRoot: Bool) -> [Entry] {
        let options = command.options + [CommandTable.help] + (isRoot ? [CommandTable.version] : [])
        return [Entry(path: path, command: command, options: options)]
            + command.commands.flatMap { entries($0, path: path + " " + $0.name, isRoot: false) }
    }
}

extension String {
    /// The text between single quotes, as the Bourne shells and zsh read it.
    var quoted: String {
        "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
