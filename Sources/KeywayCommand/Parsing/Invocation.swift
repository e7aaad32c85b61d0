/// A command line, understood.
package struct Invocation: Sendable {
    /// What is to be done.
    package let action: Action
    /// The words of the command, `keyway` first.
    package let path: [String]
    private let arguments: [String: [String]]
    private let options: [String: [String]]

    init(action: Action, path: [String], arguments: [String: [String]], options: [String: [String]]) {
        self.action = action
        self.path = path
        self.arguments = arguments
        self.options = options
    }

    /// All that was typed for the argument `name`.
    package func arguments(_ name: String) -> [String] { arguments[name] ?? [] }

    /// What was typed for the argument `name`, if anything.
    package func argument(_ name: String) -> String? { arguments(name).first }

    /// Whether the option `name` was given.
    package func has(_ name: String) -> Bool { options[name] != nil }

    /// All values of the option `name`.
    package func values(_ name: String) -> [String] { options[name] ?? [] }

    /// The value of the option `name`; nil when it was not given, or alone.
    package func value(_ name: String) -> String? { values(name).last }

    /// The value of the option `name` as the number that the parser saw in it.
    package func number(_ name: String) -> Int? { value(name).flatMap { Int($0) } }
}

/// What a command line asks for.
package enum ParsedLine: Sendable {
    /// To run a command.
    case run(Invocation)
    /// To explain a command.
    case help([String])
    /// To print the release.
    case version
}

/// What is wrong with a command line.
package struct UsageError: Error, Hashable, Sendable {
    /// What is wrong, in a sentence.
    package let message: String
    /// The words of the command that was understood, whose help is offered.
    package let path: [String]
    /// What was perhaps meant.
    package let suggestion: String?
}
