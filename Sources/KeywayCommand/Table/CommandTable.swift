import KeywayCrypto

/// Everything that can be typed.
package enum CommandTable {
    /// The program.
    package static let root = Command(
        "keyway", "AutoFill for Linux",
        commands: [
            Command(
                "status", "Shows whether the broker runs, and what runs under it", .status, options: [json],
                details: ["Starts nothing."]),
            doctor, providers, provider, clients, suggest, fill, save, propose, answer, passwords, verification,
            history,
            Command(
                "completions", "Prints the completions for a shell", .completions,
                arguments: [
                    Argument("SHELL", "bash, zsh or fish", kind: .choice(["bash", "zsh", "fish"]))
                ]),
            Command(
                "help", "Explains a command", .help,
                arguments: [Argument("COMMAND", "The words of the command", .any)]),
        ],
        details: [
            "Secrets are never part of a command line. They are asked for on the terminal without being shown; where "
                + "standard input is not a terminal, they are read from it instead, one a line, in the order asked."
        ])

    /// Options of every command.
    package static let help = CommandOption("--help", "Explains the command", aliases: ["-h"])
    /// Option of the program itself.
    package static let version = CommandOption("--version", "Prints the release", aliases: ["-V"])

    static let json = CommandOption("--json", "Prints one JSON object instead of text")

    private static let doctor = Command(
        "doctor", "Checks every part, and says what to do", .doctor,
        options: [
            CommandOption("--fix", "Repairs what can be repaired without asking"),
            json,
        ],
        details: [
            "With --fix it makes missing folders, closes open ones, and registers the browser host with every browser "
                + "of this user. It never turns a provider on, and never changes what another program owns: then it "
                + "prints the command to run."
        ])

    private static let suggest = Command(
        "suggest", "Lists the accounts for a service", .suggest,
        arguments: [Argument("SERVICE", "A URL or domain name, the most specific first", .oneOrMore)],
        options: [
            CommandOption("--limit", "N", "Lists no more than N (50)", kind: .number(1...1000)),
            json,
        ],
        details: ["Starts no provider and needs no unlocked vault. No secret is shown."])
}
