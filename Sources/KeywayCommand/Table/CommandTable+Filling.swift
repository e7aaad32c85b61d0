extension CommandTable {
    private static let onlyProvider = CommandOption("--provider", "PROVIDER", "Asks this provider only")

    static let fill = Command(
        "fill", "Prints the password of an account", .fill,
        arguments: [
            Argument("SERVICE", "A URL or domain name; without it, the provider shows all it has", .optional)
        ],
        options: [
            CommandOption("--user", "NAME", "Takes the account of NAME"),
            CommandOption(
                "--field", "FIELD", "Prints username or password (password)", kind: .choice(["username", "password"])),
            CommandOption("--code", "Prints a one-time code instead"),
            CommandOption("--text", "Prints a text that the provider lets choose instead"),
            onlyProvider,
            CommandOption("--record", "RECORD", "Takes the account that its provider calls RECORD"),
            json,
        ],
        details: [
            "Several accounts are shown to choose from on the terminal, which need not be standard output: "
                + "pipes work. Without a terminal they are listed, and nothing is filled."
        ])

    static let save = Command(
        "save", "Offers a password to a provider, to keep", .savePassword,
        arguments: [Argument("SERVICE", "A URL or domain name")],
        options: [
            CommandOption("--user", "NAME", "The user name"),
            CommandOption("--title", "TITLE", "What the account is called"),
            onlyProvider,
            json,
        ],
        details: ["Asks for the password. The first enabled provider that keeps passwords is asked."])

    static let answer = Command(
        "answer", "Answers in this terminal what an app asks", .answerApplication, options: [json],
        details: [
            "Where no window can be shown, an app that wants to sign you in waits until you type this. You see which "
                + "program it is and which site it names, and choose what it gets."
        ])

    static let propose = Command(
        "generate", "Prints a password that a provider proposes for a service", .proposePasswords,
        arguments: [Argument("SERVICE", "A URL or domain name")],
        options: [
            CommandOption("--kind", "KIND", "Takes the proposal of this kind, such as STRONG"),
            CommandOption("--rules", "RULES", "Rules that the service has, as in the attribute of a form's field"),
            onlyProvider,
            json,
        ],
        details: [
            "Of several proposals one is chosen on the terminal, by its kind. Without a terminal the first is taken. "
                + "Nothing is stored."
        ])
}
