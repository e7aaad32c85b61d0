/// What a command does when it is run.
package enum Action: String, CaseIterable, Sendable {
    case status, doctor, setup
    case listProviders, showProvider, enableProvider, disableProvider, orderProviders
    case approveApplication, revokeApplication, configureProvider, debugProvider
    case suggest, fill, code, insertText, savePassword, proposePasswords, answerApplication
    case initVault, unlockVault, lockVault, changeMasterPassword, renewKey, backUpVault, restoreBackup
    case exportVault, exchangeAccounts
    case addItem, showItem, editItem, removeItem, restoreItem, listItems, searchItems, generatePassword
    case attachFile, saveFile, removeFile
    case importFiles
    case newProvider, testProvider
    case listHistory, clearHistory
    case showVerification, changeVerification, setPIN, removePIN
    case listClients, approveClient, refuseClient, forgetClient, renameClient, allowSite
    case completions, help
}

/// One command of `keyway`, as a value: parsing, help, completions and the checks of the man page all come from it.
package struct Command: Sendable {
    /// What is typed.
    package let name: String
    /// What it does, in one line without a full stop.
    package let summary: String
    /// More about it: paragraphs.
    package let details: [String]
    /// What it does when it is run; nil for one that only holds others.
    package let action: Action?
    /// What is typed behind it, in order.
    package let arguments: [Argument]
    /// The options it takes, `--help` aside.
    package let options: [CommandOption]
    /// The commands under it.
    package let commands: [Command]

    /// A command that does something; and may hold others, where it takes no arguments.
    package init(
        _ name: String, _ summary: String, _ action: Action, arguments: [Argument] = [], options: [CommandOption] = [],
        commands: [Command] = [], details: [String] = []
    ) {
        self.init(
            name: name, summary: summary, details: details, action: action, arguments: arguments, options: options,
            commands: commands)
    }

    /// A command that holds others.
    package init(_ name: String, _ summary: String, commands: [Command], details: [String] = []) {
        self.init(
            name: name, summary: summary, details: details, action: nil, arguments: [], options: [], commands: commands)
    }

    private init(
        name: String, summary: String, details: [String], action: Action?, arguments: [Argument],
        options: [CommandOption], commands: [Command]
    ) {
        self.name = name
        self.summary = summary
        self.details = details
        self.action = action
        self.arguments = arguments
        self.options = options
        self.commands = commands
    }

    /// The command under this one that is called `name`.
    package func command(_ name: String) -> Command? { commands.first { $0.name == name } }

    /// The option that is spelled `spelling`.
    package func option(_ spelling: String) -> CommandOption? {
        options.first { $0.name == spelling || $0.aliases.contains(spelling) }
    }
}

/// What may be typed for a value, for the parser and for completions.
package enum ValueKind: Hashable, Sendable {
    /// Anything.
    case text
    /// One of these.
    case choice([String])
    /// A number in this range.
    case number(ClosedRange<Int>)
}

/// Something that is typed behind a command.
package struct Argument: Sendable {
    /// How many there may be.
    package enum Count: Sendable {
        case one, optional, any, oneOrMore
    }

    /// What help calls it: upper case.
    package let name: String
    /// What it is, without a full stop.
    package let summary: String
    /// How many there may be.
    package let count: Count
    /// What may be typed.
    package let kind: ValueKind

    /// An argument called `name`.
    package init(_ name: String, _ summary: String, _ count: Count = .one, kind: ValueKind = .text) {
        self.name = name
        self.summary = summary
        self.count = count
        self.kind = kind
    }

    /// As a synopsis shows it.
    package var synopsis: String {
        switch count {
        case .one: name
        case .optional: "[\(name)]"
        case .any: "[\(name)…]"
        case .oneOrMore: "\(name)…"
        }
    }
}

/// An option of a command.
package struct CommandOption: Sendable {
    /// What follows an option.
    package struct Value: Sendable {
        /// What help calls it: upper case.
        package let name: String
        /// What may be typed.
        package let kind: ValueKind
        /// Whether the option also stands alone; then the value can only be given as `--option=VALUE`.
        package let isOptional: Bool
    }

    /// How it is typed, dashes included.
    package let name: String
    /// Other spellings.
    package let aliases: [String]
    /// What it does, without a full stop.
    package let summary: String
    /// What follows it; nil for a switch.
    package let value: Value?
    /// Whether it may be given more than once.
    package let isRepeatable: Bool

    /// A switch.
    package init(_ name: String, _ summary: String, aliases: [String] = []) {
        self.name = name
        self.aliases = aliases
        self.summary = summary
        value = nil
        isRepeatable = false
    }

    /// An option with a value called `valueName`.
    package init(
        _ name: String, _ valueName: String, _ summary: String, kind: ValueKind = .text, isOptional: Bool = false,
        isRepeatable: Bool = false, aliases: [String] = []
    ) {
        self.name = name
        self.aliases = aliases
        self.summary = summary
        value = Value(name: valueName, kind: kind, isOptional: isOptional)
        self.isRepeatable = isRepeatable
    }

    /// As help shows it: `--user NAME`, `--generate[=LENGTH]`.
    package var synopsis: String {
        guard let value else { return name }
        return value.isOptional ? "\(name)[=\(value.name)]" : "\(name) \(value.name)"
    }
}
