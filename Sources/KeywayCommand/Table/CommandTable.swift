import KeywayCrypto

/// Everything that can be typed.
package enum CommandTable {
    /// The program.
    package static let root = Command(
        "keyway", "AutoFill for Linux",
        commands: [
            Command(
                "status", "Show whether Keyway is running, and which providers run", .status, options: [json],
                details: ["Doesn't start anything."]),
            setup, doctor, providers, provider, clients, suggest, fill, code, insert, save, propose, answer, passwords,
            importing, export, exchange, verification,
            history,
            Command(
                "completions", "Print the completions for a shell", .completions,
                arguments: [
                    Argument("SHELL", "bash, zsh or fish", kind: .choice(["bash", "zsh", "fish"]))
                ]),
            Command(
                "help", "Explain a command", .help,
                arguments: [Argument("COMMAND", "The command, such as `passwords add`", .any)]),
        ],
        details: [
            "Never put secrets on a command line. Commands ask for them on the terminal and don't show what you type. If "
                + "standard input is not a terminal, they read one secret per line from it, in the order asked."
        ])

    /// Options of every command.
    package static let help = CommandOption("--help", "Explain the command", aliases: ["-h"])
    /// Option of the program itself.
    package static let version = CommandOption("--version", "Print the version", aliases: ["-V"])

    static let json = CommandOption("--json", "Print one JSON object instead of text")

    private static let setup = Command(
        "setup", "Set up Keyway: Passwords, its vault, a PIN and your browsers", .setup,
        options: [yes, unconfined, json],
        details: [
            "Turns on Passwords, creates its vault with a master password that you choose or that Keyway proposes, offers "
                + "a PIN, and registers Keyway with your browsers. Then it says what works and what doesn't.",
            "You can run it as often as you like: it leaves alone what is there, and goes on where it was cancelled. If you "
                + "told a browser never to offer this, browsers offer it again while Keyway isn't set up.",
        ])

    private static let doctor = Command(
        "doctor", "Check the installation and say how to fix problems", .doctor,
        options: [
            CommandOption("--fix", "Fix what can be fixed without asking"),
            json,
        ],
        details: [
            "With --fix, it creates missing folders, closes folders that are open to other users, and registers Keyway with "
                + "each of your browsers. It never turns on a provider or changes what another program owns; it "
                + "prints the command for you to run instead."
        ])

    private static let suggest = Command(
        "suggest", "List the accounts for a site", .suggest,
        arguments: [Argument("SERVICE", "URLs or domain names, the most specific first", .oneOrMore)],
        options: [
            CommandOption("--limit", "N", "List at most N accounts (default: 50)", kind: .number(1...1000)),
            json,
        ],
        details: ["Doesn't start a provider, works while the vault is locked, and shows no secrets."])
}
