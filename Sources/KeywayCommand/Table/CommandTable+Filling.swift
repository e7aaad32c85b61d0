extension CommandTable {
    private static let onlyProvider = CommandOption("--provider", "PROVIDER", "Ask only this provider")

    private static let copy = CommandOption("--copy", "Copy it to the clipboard for 45 seconds instead of printing it")
    private static let howItIsCopied =
        "With --copy, it is marked as a secret, so that many clipboard managers don't keep it, and cleared after 45 seconds "
        + "unless you copied something else. Without a display, over SSH for example, or if the Wayland compositor lets no "
        + "program copy without a window, Keyway asks the terminal to copy it (OSC 52; in tmux, set-clipboard must be on). "
        + "It can't tell whether the terminal did, and can't clear that."

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
            CommandOption(
                "--text", "Print another text that you pick from the provider's list instead, as `keyway insert` does"),
            copy,
            onlyProvider,
            CommandOption(
                "--record", "RECORD", "Use the account with this record ID, as `keyway suggest --json` shows it"),
            json,
        ],
        details: [
            "If several accounts match, you pick one on the terminal, even when the output goes to a pipe. Without a "
                + "terminal, the command lists them and prints no password.",
            howItIsCopied,
        ])

    static let insert = Command(
        "insert", "Print a text that you pick from a provider's list", .insertText,
        options: [copy, onlyProvider, json],
        details: [
            "The text can be the notes or a custom field of an item, for example. You pick it on the terminal, even when the output goes to a pipe."
        ])

    static let code = Command(
        "code", "Print a one-time code", .code,
        arguments: [
            Argument(
                "SERVICE",
                "A URL or domain name; if omitted, the provider shows all its codes. With --add, the link, which is "
                    + "asked for if omitted", .optional)
        ],
        options: [
            CommandOption("--user", "NAME", "Use the account NAME"),
            copy,
            onlyProvider,
            CommandOption(
                "--record", "RECORD", "Use the account with this record ID, as `keyway suggest --json` shows it"),
            CommandOption("--add", "Set up the codes of a link (otpauth: or otpauth-migration:)"),
            CommandOption("--qr", "Show the QR code that moves the code to a phone; only for codes of Passwords"),
            CommandOption("--output", "FILE", "Write the QR code to FILE as a PNG picture that only you can read"),
            CommandOption("--force", "Replace FILE if it is there already"),
            json,
        ],
        details: [
            "The same as `fill --code`. If an account has several codes, each is listed with what tells it from the "
                + "others, and you pick one; --user takes the whole of that, such as `ada (Work)`. Prints the current "
                + "code, even if it is about to expire; with --json, secondsLeft says how long it is valid. A "
                + "counter-based code is used up once it is printed.",
            "With --add, a Keyway window asks you whether to set the codes up, and the provider asks with which item it "
                + "keeps them. The desktop runs this for links that you open. A link in the arguments is overwritten at "
                + "once, but others may read it before that: give it on standard input instead.",
        ])

    static let save = Command(
        "save", "Save a password with a provider", .savePassword,
        arguments: [
            Argument("SERVICE", "A URL or domain name; may be omitted only with --list-never", .optional)
        ],
        options: [
            CommandOption("--user", "NAME", "The user name of the account"),
            CommandOption("--title", "TITLE", "A title for the account"),
            CommandOption("--list-never", "List the sites where Keyway never offers to save passwords"),
            CommandOption("--ask-again", "Offer to save passwords on the site SERVICE again"),
            onlyProvider,
            json,
        ],
        details: ["Asks for the password. The first provider that is turned on and can save passwords stores it."])

    static let answer = Command(
        "answer", "Answer an app's request in this terminal", .answerApplication, options: [json],
        details: [
            "When there is no display, an app that wants to sign you in waits until you run this command. It shows "
                + "you which program asks and for which site, and you choose what the program gets. An app that wants "
                + "to give its accounts to another provider waits too: you choose which, and Keyway verifies you."
        ])

    static let propose = Command(
        "generate", "Print a new password suggested by a provider", .proposePasswords,
        arguments: [Argument("SERVICE", "A URL or domain name")],
        options: [
            CommandOption("--kind", "KIND", "Use the suggestion of this kind, such as STRONG"),
            CommandOption(
                "--rules", "RULES", "The site's password rules, as in the passwordrules attribute of a form field"),
            copy,
            onlyProvider,
            json,
        ],
        details: [
            "If the provider suggests several, you pick one on the terminal by its kind; without a terminal, the "
                + "command uses the first. Nothing is saved."
        ])
}
