import KeywayCrypto

extension CommandTable {
    static let passwords = Command(
        "passwords", "Keeps passwords and passkeys in an encrypted vault",
        commands: vaultCommands + itemCommands)

    private static let derivation = [
        CommandOption(
            "--memory", "MIB", "Memory that one guess of the master password costs (256)",
            kind: .number(Int(PasswordDerivation.floor.memoryMiB)...Int(PasswordDerivation.ceiling.memoryMiB))),
        CommandOption(
            "--passes", "N", "Passes over that memory (3)",
            kind: .number(Int(PasswordDerivation.floor.passes)...Int(PasswordDerivation.ceiling.passes))),
    ]

    private static let item = Argument("ITEM", "Its title or identifier")
    private static let account = CommandOption("--account", "USER", "Takes the item of USER, where titles are the same")
    private static let passkey = CommandOption("--passkey", "Takes the passkey, where a password has the same title")
    private static let passkeys = CommandOption("--passkeys", "Lists passkeys only")
    private static let generate = CommandOption(
        "--generate", "LENGTH", "Makes a random password (20) instead of asking for one", kind: .number(8...256),
        isOptional: true)
    private static let contents = [
        CommandOption("--user", "NAME", "The user name"),
        CommandOption(
            "--address", "URL", "Where it signs in to: a URL or domain name", isRepeatable: true, aliases: ["--url"]),
        CommandOption("--tag", "TAG", "A word to file it under", isRepeatable: true),
        generate,
        CommandOption("--notes", "Asks for notes"),
        CommandOption("--custom", "FIELD", "Asks for the value of a hidden field called FIELD", isRepeatable: true),
    ]

    private static let vaultCommands = [
        Command(
            "init", "Makes the vault", .initVault, options: derivation + [json],
            details: ["Asks for the new master password, and for the same again. Nobody can reset it."]),
        Command(
            "unlock", "Opens the vault to this terminal session and to filling", .unlockVault,
            options: [
                CommandOption("--accept-older-copy", "Takes a vault file that is older than the newest seen here"),
                json,
            ],
            details: ["Asks for the master password."]),
        Command("lock", "Locks the vault for everyone", .lockVault, options: [json]),
        Command(
            "change-master", "Changes the master password", .changeMasterPassword, options: derivation + [json],
            details: [
                "Asks for the old master password, for the new one, and for the new one again. The vault gets a new key, "
                    + "too: whoever has an older copy of it and the old password reads that copy, and nothing newer."
            ]),
        Command(
            "renew-key", "Gives the vault a new key; the master password stays", .renewKey, options: [json],
            details: [
                "Asks for the master password. Every item is sealed anew, so whoever got hold of the old key reads older "
                    + "copies of the vault, and nothing newer. `change-master` does this, too."
            ]),
    ]

    private static let itemCommands = [
        Command(
            "add", "Stores a new item", .addItem,
            arguments: [Argument("TITLE", "What it is called; without it, everything is asked for", .optional)],
            options: contents + [json],
            details: ["Asks for the password, then for the value of each --custom, then for --notes."]),
        Command(
            "show", "Shows an item", .showItem, arguments: [item],
            options: [
                CommandOption("--account", "USER", account.summary, aliases: ["--user"]),
                passkey,
                CommandOption(
                    "--field", "FIELD",
                    "Prints one field only: title, user, password, address, notes, tags, or a custom one"),
                CommandOption("--reveal", "Shows the secrets too"),
                CommandOption("--history", "Shows the passwords before, too; needs --reveal"),
                json,
            ], details: ["The key of a passkey is never shown: it does not leave the vault's service."]),
        Command(
            "edit", "Changes an item", .editItem, arguments: [item],
            options: [
                account,
                passkey,
                CommandOption("--title", "TITLE", "The new title"),
                CommandOption("--password", "Asks for a new password; the old one goes into the history"),
            ] + contents + [json],
            details: [
                "What is not named stays as it is. --address and --tag replace all there are. "
                    + "Asks in the same order as add.",
                "A passkey has no password and no addresses to change. Once it has a --user of your own, its site no "
                    + "longer renames it.",
            ]),
        Command(
            "remove", "Removes an item and its history", .removeItem, arguments: [item],
            options: [
                CommandOption("--account", "USER", account.summary, aliases: ["--user"]),
                passkey,
                CommandOption("--yes", "Does not ask"),
                json,
            ]),
        Command(
            "restore", "Takes back what a site reported of an item", .restoreItem, arguments: [item],
            options: [
                CommandOption("--account", "USER", account.summary, aliases: ["--user"]),
                passkey,
                json,
            ],
            details: [
                "What a site reports as no longer used is hidden: kept whole, and not offered. `list` shows it as hidden. "
                    + "A passkey that was not in its site's list is offered again once it stands there again; one that its "
                    + "site does not know, or that was taken back in a notification, when the person says so. "
                    + "An account that its site renames keeps its name beside the new one; `list` shows it as renamed.",
                "What is hidden is offered again; what is offered and renamed gets its name back, and its site no longer "
                    + "changes that.",
            ]),
        Command("list", "Lists all items", .listItems, options: [passkeys, json]),
        Command(
            "search", "Lists the items that hold all the words", .searchItems,
            arguments: [Argument("WORD", "In title, user name, addresses or tags", .oneOrMore)],
            options: [passkeys, json]),
        Command(
            "generate", "Prints a random password, and stores nothing", .generatePassword,
            options: [
                CommandOption("--length", "N", "How many characters (20)", kind: .number(8...256)),
                CommandOption("--no-digits", "Leaves digits out"),
                CommandOption("--no-symbols", "Leaves all but letters and digits out"),
                json,
            ]),
    ]
}
