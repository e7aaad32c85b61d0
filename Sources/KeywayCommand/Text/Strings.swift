import AutoFillProtocol
import AutoFillWire
import KeywaySystem
import PasswordsProtocol

/// Everything that the program says, in one place: to be translated here and nowhere else.
enum Strings {
    static let program = "keyway"

    /// A message as it stands on standard error.
    static func line(_ message: String) -> String { "\(program): \(message)\n" }

    /// A failure with what to do next.
    static func failure(_ error: CommandError) -> String {
        line(DisplayText.paragraph(error.message)) + (error.hint.map { line(DisplayText.paragraph($0)) } ?? "")
    }

    // MARK: The command line

    static let usage = "Usage:"
    static let commandsHeading = "Commands"
    static let argumentsHeading = "Arguments"
    static let optionsHeading = "Options"
    static let mayRepeat = "; may be repeated"
    static func helpFooter(_ name: String) -> String {
        "`\(name) COMMAND --help` explains a command. \(name)(1) lists the exit codes."
    }
    static func unknownCommand(_ word: String) -> String { "There is no command “\(word)”." }
    static func unknownOption(_ word: String) -> String { "There is no option “\(word)”." }
    static func repeatedOption(_ name: String) -> String { "\(name) can be given only once." }
    static func noValueExpected(_ name: String) -> String { "\(name) takes no value." }
    static func missingValue(_ synopsis: String) -> String { "A value is missing: `\(synopsis)`." }
    static func missingArgument(_ name: String) -> String { "\(name) is missing." }
    static func extraArgument(_ word: String) -> String { "Unexpected argument: “\(word)”." }
    static func commandExpected(_ name: String) -> String { "`\(name)` needs a command." }
    static func notAChoice(_ name: String, _ text: String, choices: [String]) -> String {
        "\(name) can't be “\(text)”. Use one of: \(choices.joined(separator: ", "))."
    }
    static func notANumber(_ name: String, _ text: String, range: ClosedRange<Int>) -> String {
        "\(name) can't be “\(text)”. Use a number from \(range.lowerBound) to \(range.upperBound)."
    }
    static func didYouMean(_ word: String) -> String { "Did you mean `\(word)`?" }
    static func seeHelp(_ path: [String]) -> String { "See `\(path.joined(separator: " ")) --help`." }
    static func noHelp(_ words: [String]) -> String { "There is no command `\(words.joined(separator: " "))`." }

    // MARK: In general

    static let cancelled = "Cancelled."
    static let cannotWrite = "Couldn't write the output."
    static let needsTerminal = "Run this command in a terminal."
    static func inputEnded(_ question: String) -> String { "Standard input ended before “\(question)” was read." }
    static let secretsFromInput =
        "Run this command in a terminal, or write each secret to standard input on a line of its own."
    static let secretsDiffer = "The two entries don't match."
    static func again(_ question: String) -> String { "\(question), again" }

    /// What helps against a failure that came over the wire.
    static func hint(for code: ProtocolError.Code) -> String? {
        switch code {
        case .noProvider: enableProvider
        case .locked: unlockVault
        case .ambiguous: nameAccount
        case .versionMismatch: restartBroker
        case .brokerNotRunning, .connectionClosed: "Run `keyway doctor` to find out why."
        default: nil
        }
    }

    // MARK: Broker and providers

    static let brokerNotRunning = "Keyway isn't running."
    static let brokerStartsItself = "It starts by itself the first time something asks for an account."
    static let restartBroker = "Restart Keyway: run `systemctl --user restart keywayd`, or end the keywayd process."
    static let enabled = "enabled"
    static let disabled = "disabled"
    static func broker(_ status: BrokerStatus.Result) -> String {
        "version \(status.version), protocol \(status.protocol), process \(status.processIdentifier), "
            + "up \(duration(status.uptime)), connections: \(status.connections)"
            + (status.droppedAnswers.map { $0 > 0 ? ", dropped provider answers: \($0)" : "" } ?? "")
    }
    static func provider(_ provider: InstalledProvider) -> String {
        "\(provider.reference.name) (\(provider.reference.identifier)), \(provider.version), "
            + "\(state(provider)), accounts: \(provider.identities)"
            + (provider.problem.map { ": \($0)" } ?? "")
    }
    static func process(_ process: BrokerStatus.RunningProcess) -> String {
        let kind =
            switch process.role {
            case .providerService: "service"
            case .providerApplication: "app"
            default: "extension"
            }
        return "\(process.provider.name) \(kind), process \(process.processIdentifier)"
            + (process.state.map { ", \($0.rawValue)" } ?? "")
    }
    static func duration(_ seconds: Double) -> String {
        let seconds = Int(seconds)
        return switch seconds {
        case ..<60: "\(seconds) s"
        case ..<3600: "\(seconds / 60) min"
        default: "\(seconds / 3600) h \(seconds % 3600 / 60) min"
        }
    }
    static let noProviderInstalled = "No provider is installed."
    static let noProviderEnabled = "No provider is turned on."
    static let enableProvider =
        "`keyway providers list` shows the installed ones, and `keyway providers enable` turns one on."
    static let listProviders = "`keyway providers list` shows the installed providers."
    static func noSuchProvider(_ word: String) -> String { "There is no provider named “\(word)”." }
    static func severalProviders(_ word: String) -> String { "Several providers are named “\(word)”." }
    static func useIdentifier(_ identifiers: [String]) -> String {
        "Use the identifier: \(identifiers.joined(separator: ", "))."
    }
    static let nextAfterEnable = "If you have no vault yet, create one: `keyway passwords init`."

    // MARK: Suggestions and filling

    static func match(_ match: ServiceMatch) -> String {
        switch match {
        case .origin: "same origin"
        case .host: "same host"
        case .site: "same site"
        case .shared: "shares accounts"
        }
    }
    static let emptyService = "SERVICE is empty. Give a web address or a domain name."
    static func more(_ count: Int) -> String { "There are \(count) more. Use --limit to show more of them." }
    static func noAccount(_ services: [String]) -> String { "No account for \(services.joined(separator: ", "))." }
    static let chooseFromEverything = "Run `keyway fill` without a service to see all accounts."
    static func noSuchUser(_ user: String, _ services: [String]) -> String {
        "No account “\(user)” for \(services.joined(separator: ", "))."
    }
    static func usersAre(_ users: [String]) -> String { "Accounts: \(listed(users))." }
    static let chooseAccount = "Choose an account"
    static let noUserName = "(no user name)"
    static func severalAccounts(_ services: [String]) -> String {
        "Several accounts for \(services.joined(separator: ", "))."
    }
    static func nameUser(_ users: [String]) -> String { "Choose one with --user: \(listed(users))." }
    static func nameProvider(_ identifiers: [String]) -> String {
        "Choose one with --provider: \(listed(identifiers))."
    }
    static func noSuchRecord(_ record: String) -> String { "No account has the record ID “\(record)”." }
    static func nameRecord(_ accounts: [String]) -> String { "Choose one with --record: \(listed(accounts))." }
    static let listNeedsTerminal = "Without a service, the provider shows a list, which needs a terminal."
    static let nameService = "Give a service: `keyway fill SERVICE`."
    static func waitsForPerson(_ provider: String) -> String {
        "\(provider) needs to ask you something, but this isn't a terminal."
    }
    static func runInTerminal(_ command: String) -> String { "Run `\(command)` in a terminal, then try again." }

    /// The first few, so that a message stays one.
    private static func listed(_ texts: [String]) -> String {
        let shown = texts.prefix(10).joined(separator: ", ")
        return texts.count > 10 ? "\(shown), and \(texts.count - 10) more" : shown
    }
}
