import TerminalInterface

/// What `--help` prints: the specification of a command.
package enum HelpText {
    private static let width = 79
    private static let indentation = 2
    private static let column = 26

    /// The help of the command at `path`, the program's name first; nil when there is none.
    package static func text(for path: [String], root: Command = CommandTable.root) -> String? {
        var command = root
        for word in path.dropFirst() {
            guard let next = command.command(word) else { return nil }
            command = next
        }
        let name = path.joined(separator: " ")
        var parts = ["\(Strings.usage) \(synopsis(of: command, name: name))", wrap(command.summary + ".")]
        parts += command.details.map { wrap($0) }
        parts += [commands(command), arguments(command), options(command, isRoot: path.count == 1)].compactMap { $0 }
        if path.count == 1 { parts.append(Strings.helpFooter(name)) }
        return parts.joined(separator: "\n\n") + "\n"
    }

    /// One line that shows what may be typed.
    package static func synopsis(of command: Command, name: String) -> String {
        guard command.action != nil else { return "\(name) COMMAND" }
        return ([name] + (command.options.isEmpty ? [] : ["[OPTIONS]"]) + command.arguments.map(\.synopsis))
            .joined(separator: " ")
    }

    private static func commands(_ command: Command) -> String? {
        section(Strings.commandsHeading, command.commands.map { ($0.name, $0.summary) })
    }

    private static func arguments(_ command: Command) -> String? {
        section(Strings.argumentsHeading, command.arguments.map { ($0.name, $0.summary + range($0.kind)) })
    }

    private static func options(_ command: Command, isRoot: Bool) -> String? {
        var options = command.options + [CommandTable.help]
        if isRoot { options.append(CommandTable.version) }
        return section(
            Strings.optionsHeading,
            options.map { option in
                let repeats = option.isRepeatable ? Strings.mayRepeat : ""
                return (
                    ([option.synopsis] + option.aliases).joined(separator: ", "),
                    option.summary + (option.value.map { range($0.kind) } ?? "") + repeats
                )
            })
    }

    private static func range(_ kind: ValueKind) -> String {
        if case .number(let range) = kind { return ", \(range.lowerBound) to \(range.upperBound)" }
        return ""
    }

    private static func section(_ heading: String, _ rows: [(name: String, text: String)]) -> String? {
        guard !rows.isEmpty else { return nil }
        return ([heading + ":"] + rows.flatMap { row($0.name, $0.text) }).joined(separator: "\n")
    }

    private static func row(_ name: String, _ text: String) -> [String] {
        let lines = Columns.wrap(text, into: width - column)
        let start = String(repeating: " ", count: indentation) + name
        let continued = lines.map { String(repeating: " ", count: column) + $0 }
        guard start.count < column - 1 else { return [start] + continued }
        let padding = String(repeating: " ", count: column - start.count)
        return [start + padding + lines[0]] + continued.dropFirst()
    }

    private static func wrap(_ text: String) -> String {
        Columns.wrap(text, into: width).joined(separator: "\n")
    }
}
