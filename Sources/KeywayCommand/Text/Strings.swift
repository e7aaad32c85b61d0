import KeywaySystem
import AutoFillWire
import AutoFillProtocol
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
        "`\(name) COMMAND --help` explains a command; \(name)(1) lists what the program ends with."
    }
    static func unknownCommand(_ word: String) -> String { "There is no command “\(word)”." }
    static func unknownOption(_ word: String) -> String { "There is no option “\(word)”." }
    static func repeatedOption(_ name: String) -> String { "\(name) may be given once." }
    static func noValueExpected(_ name: String) -> String { "\(name) takes no value." }
    static func missingValue(_ synopsis: String) -> String { "A value is missing: \(synopsis)." }
    static func missingArgument(_ name: String) -> String { "\(name) is missing." }
    static func extraArgument(_ word: String) -> String { "“\(word)” is one argument too many." }
    static func commandExpected(_ name: String) -> String { "A command is expected after `\(name)`." }
    static func notAChoice(_ name: String, _ text: String, choices: [String]) -> String {
        "\(name) cannot be “\(text)”, but one of: \(choices.joined(separator: ", "))."
    }
    static func notANumber(_ name: String, _ text: String, range: ClosedRange<Int>) -> String {
        "\(name) cannot be “\(text)”, but a number from \(range.lowerBound) to \(range.upperBound)."
    }
    static func didYouMean(_ word: String) -> String { "Did you mean `\(word)`?" }
    static func seeHelp(_ path: [String]) -> String { "See `\(path.joined(separator: " ")) --help`." }
    static func noHelp(_ words: [String]) -> String { "There is no command `\(words.joined(separator: " "))`." }

    // MARK: In general

    static let cancelled = "Cancelled."
    static let cannotWrite = "The output cannot be written."
    static let needsTerminal = "Run it in a terminal."
    static func inputEnded(_ question: String) -> String { "Standard input ended before “\(question)” was read." }
    static let secretsFromInput =
        "Run it in a terminal to be asked, or write each secret on a line of its own to standard input."
    static let secretsDiffer = "The two are not the same."
    static func again(_ question: String) -> String { "\(question), again" }

    /// What helps against a failure that came over the wire.
    static func hint(for code: ProtocolError.Code) -> String? {
        switch code {
        case .noProvider: enableProvider
        case .locked: unlockVault
        case .ambiguous: nameAccount
        case .versionMismatch: restartBroker
        case .brokerNotRunning, .connectionClosed: "`keyway doctor` says more."
        default: nil
        }
    }

    // MARK: Broker and providers

    static let brokerNotRunning = "The broker does not run."
    static let brokerStartsItself = "It starts with the first request, such as `keyway providers list`."
    static let restartBroker = "Restart the broker: `systemctl --user restart keywayd`, or end keywayd."
    static let enabled = "enabled"
    static let disabled = "disabled"
    static func broker(_ status: BrokerStatus.Result) -> String {
        "release \(status.version), protocol \(status.protocol), process \(status.processIdentifier), "
            + "up \(duration(status.uptime)), connections: \(status.connections)"
            + (status.droppedAnswers.map { $0 > 0 ? ", dropped answers of providers: \($0)" : "" } ?? "")
    }
    static func provider(_ provider: InstalledProvider) -> String {
        "\(provider.reference.name) (\(provider.reference.identifier)), \(provider.version), "
            + "\(provider.isEnabled ? enabled : disabled), accounts: \(provider.identities)"
            + (provider.problem.map { ": \($0)" } ?? "")
    }
    static func process(_ process: BrokerStatus.RunningProcess) -> String {
        let kind = process.role == .providerService ? "service" : "extension"
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
    static let noProviderEnabled = "No provider is enabled."
    static let enableProvider = "`keyway providers list` shows what there is, `keyway providers enable` turns one on."
    static let listProviders = "`keyway providers list` shows what there is."
    static func noSuchProvider(_ word: String) -> String { "No provider is called “\(word)”." }
    static func severalProviders(_ word: String) -> String { "Several providers are called “\(word)”." }
    static func useIdentifier(_ identifiers: [String]) -> String {
        "Use the identifier: \(identifiers.joined(separator: ", "))."
    }
    static let nextAfterEnable = "`keyway passwords init` makes the vault, if there is none yet."

    // MARK: Suggestions and filling

    static func match(_ match: ServiceMatch) -> String {
        switch match {
        case .origin: "same origin"
        case .host: "same host"
        case .site: "same site"
        }
    }
    static let emptyService = "A service is empty; it is a web address or a domain name."
    static func more(_ count: Int) -> String { "There are \(count) more; --limit shows more of them." }
    static func noAccount(_ services: [String]) -> String { "No account for \(services.joined(separator: ", "))." }
    static let chooseFromEverything = "`keyway fill` without a service shows all there is."
    static func noSuchUser(_ user: String, _ services: [String]) -> String {
        "No account of “\(user)” for \(services.joined(separator: ", "))."
    }
    static func usersAre(_ users: [String]) -> String { "There is: \(listed(users))." }
    static let chooseAccount = "Choose an account"
    static let noUserName = "(no user name)"
    static func severalAccounts(_ services: [String]) -> String {
        "Several accounts for \(services.joined(separator: ", "))."
    }
    static func nameUser(_ users: [String]) -> String { "Name one with --user: \(listed(users))." }
    static func nameProvider(_ identifiers: [String]) -> String { "Name one with --provider: \(listed(identifiers))." }
    static func noSuchRecord(_ record: String) -> String { "No account here is “\(record)” to its provider." }
    static func nameRecord(_ accounts: [String]) -> String { "Name one with --record: \(listed(accounts))." }
    static let listNeedsTerminal = "Without a service, the provider shows its list, and there is no terminal here."
    static let nameService = "Name a service: `keyway fill SERVICE`."
    static func waitsForPerson(_ provider: String) -> String { "\(provider) needs you, and there is no terminal here." }
    static func runInTerminal(_ command: String) -> String { "Run `\(command)` in a terminal, then try again." }

    /// The first few, so that a message stays one.
    private static func listed(_ texts: [String]) -> String {
        let shown = texts.prefix(10).joined(separator: ", ")
        return texts.count > 10 ? "\(shown), and \(texts.count - 10) more" : shown
    }
}
