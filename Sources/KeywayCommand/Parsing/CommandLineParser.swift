/// Words to what they ask for, by a table of commands.
package struct CommandLineParser {
    private let root: Command
    private var command: Command
    private var path: [String]
    private var plain: [String] = []
    private var options: [String: [String]] = [:]

    private init(root: Command) {
        self.root = root
        command = root
        path = [root.name]
    }

    /// Understands the words behind the program's name.
    package static func parse(
        _ words: [String], root: Command = CommandTable.root
    ) throws(UsageError) -> ParsedLine {
        var parser = CommandLineParser(root: root)
        return try parser.parse(words)
    }

    private mutating func parse(_ words: [String]) throws(UsageError) -> ParsedLine {
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--" {
                plain += rest
                break
            }
            if [CommandTable.help.name, "-h"].contains(word) { return .help(path) }
            if path.count == 1, [CommandTable.version.name, "-V"].contains(word) { return .version }
            if word.hasPrefix("-") && word != "-" {
                try takeOption(word, &rest)
            } else if command.action == nil || (options.isEmpty && command.command(word) != nil) {
                try descend(word)
            } else {
                plain.append(word)
            }
        }
        guard let action = command.action else { return try incomplete(words) }
        let arguments = try bindArguments()
        if action == .help { return .help([root.name] + (arguments["COMMAND"] ?? [])) }
        return .run(Invocation(action: action, path: path, arguments: arguments, options: options))
    }

    private mutating func descend(_ word: String) throws(UsageError) {
        guard let next = command.command(word) else {
            let nearest = Spelling.nearest(to: word, among: command.commands.map(\.name))
            throw error(Strings.unknownCommand(word), nearest.map { (path + [$0]).joined(separator: " ") })
        }
        command = next
        path.append(next.name)
    }

    private mutating func takeOption(_ word: String, _ rest: inout ArraySlice<String>) throws(UsageError) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let option = command.option(parts[0]) else {
            let known = command.options.map(\.name) + [CommandTable.help.name]
            throw error(Strings.unknownOption(parts[0]), Spelling.nearest(to: parts[0], among: known))
        }
        guard option.isRepeatable || options[option.name] == nil else {
            throw error(Strings.repeatedOption(option.name))
        }
        guard let value = option.value else {
            guard parts.count == 1 else { throw error(Strings.noValueExpected(option.name)) }
            options[option.name] = []
            return
        }
        if parts.count == 1 && value.isOptional {
            options[option.name] = []
            return
        }
        guard let text = parts.count == 2 ? parts[1] : rest.popFirst() else {
            throw error(Strings.missingValue(option.synopsis))
        }
        try check(text, value.kind, option.name)
        options[option.name, default: []].append(text)
    }

    private func bindArguments() throws(UsageError) -> [String: [String]] {
        var rest = plain[...]
        var bound: [String: [String]] = [:]
        for argument in command.arguments {
            switch argument.count {
            case .one, .optional: bound[argument.name] = rest.popFirst().map { [$0] } ?? []
            case .any, .oneOrMore:
                bound[argument.name] = Array(rest)
                rest = []
            }
            let values = bound[argument.name] ?? []
            switch argument.count {
            case .one, .oneOrMore:
                guard !values.isEmpty else { throw error(Strings.missingArgument(argument.name)) }
            case .optional, .any: break
            }
            for value in values { try check(value, argument.kind, argument.name) }
        }
        guard let extra = rest.first else { return bound }
        throw error(Strings.extraArgument(extra))
    }

    private func check(_ text: String, _ kind: ValueKind, _ name: String) throws(UsageError) {
        switch kind {
        case .text: return
        case .choice(let choices):
            guard !choices.contains(text) else { return }
            throw error(
                Strings.notAChoice(name, text, choices: choices), Spelling.nearest(to: text, among: choices))
        case .number(let range):
            guard let number = Int(text), range.contains(number) else {
                throw error(Strings.notANumber(name, text, range: range))
            }
        }
    }

    /// A command that only holds others, without the other: nothing at all asks for help.
    private func incomplete(_ words: [String]) throws(UsageError) -> ParsedLine {
        guard path.count == 1, words.isEmpty else { throw error(Strings.commandExpected(path.joined(separator: " "))) }
        return .help(path)
    }

    private func error(_ message: String, _ suggestion: String? = nil) -> UsageError {
        UsageError(message: message, path: path, suggestion: suggestion)
    }
}
