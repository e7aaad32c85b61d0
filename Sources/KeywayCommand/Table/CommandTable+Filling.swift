extension CommandTable {
    private static let onlyProvider = CommandOption("--provider", "PROVIDER", "Ask only this provider")

    static let fill = Command(
        "fill", "Print the password of an account", .fill,
        arguments: [
            Argument("SERVICE", "A URL or domain name; if omitted, the provider shows all its accounts", .optional)
        ],
        options: [
            CommandOption("--user", "NAME", "Use the account NAME"),
            CommandOption(
                "--field", "FIELD", "Print username or password (default: password)",
                kind: .choice(["username", "password"])),
            CommandOption("--code", "Print a one-time code instead"),
            CommandOption("--text", "Print another text that you pick from the provider's list instead"),
            onlyProvider,
            CommandOption(
                "--record", "RECORD", "Use the account with this record ID, as `keyway suggest --json` shows it"),
            json,
        ],
        details: [
            "If several accounts match, you pick one on the terminal, even when the output goes to a pipe. Without a "
                + "terminal, the command lists them and prints no password."
        ])

    static let save = Command(
        "save", "Save a password with a provider", .savePassword,
        arguments: [Argument("SERVICE", "A URL or domain name")],
        options: [
            CommandOption("--user", "NAME", "The user name of the account"),
            CommandOption("--title", "TITLE", "A title for the account"),
            onlyProvider,
            json,
        ],
        details: ["Asks for the password. The first provider that is turned on and can save passwords stores it."])

    static let answer = Command(
        "answer", "Answer an app's request in this terminal", .answerApplication, options: [json],
        details: [
            "When there is no display, an app that wants to sign you in waits until you run this command. It shows "
                + "you which program asks and for which site, and you choose what the program gets."
        ])

    static let propose = Command(
        "generate", "Print a new password suggested by a provider", .proposePasswords,
        arguments: [Argument("SERVICE", "A URL or domain name")],
        options: [
            CommandOption("--kind", "KIND", "Use the suggestion of this kind, such as STRONG"),
            CommandOption(
                "--rules", "RULES", "The site's password rules, as in the passwordrules attribute of a form field"),
            onlyProvider,
            json,
        ],
        details: [
            "If the provider suggests several, you pick one on the terminal by its kind; without a terminal, the "
                + "command uses the first. Nothing is saved."
        ])
}
