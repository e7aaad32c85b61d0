import KeywayCrypto

extension CommandTable {
    static let passwords = Command(
        "passwords", "Keep passwords and passkeys in an encrypted vault",
        commands: vaultCommands + itemCommands)

    private static let derivation = [
        CommandOption(
            "--memory", "MIB", "Memory that each guess of the master password takes (default: 256)",
            kind: .number(Int(PasswordDerivation.floor.memoryMiB)...Int(PasswordDerivation.ceiling.memoryMiB))),
        CommandOption(
            "--passes", "N", "Passes over that memory (default: 3)",
            kind: .number(Int(PasswordDerivation.floor.passes)...Int(PasswordDerivation.ceiling.passes))),
    ]

    private static let item = Argument("ITEM", "Its title or identifier")
    private static let file = Argument("FILE", "Its name, or the number of its section, as `show` prints them")
    private static let account = CommandOption(
        "--account", "USER", "Use the item of USER, if several have the same title")
    private static let passkey = CommandOption("--passkey", "Use the passkey, if a password has the same title")
    private static let passkeys = CommandOption("--passkeys", "List only passkeys")
    private static let generate = CommandOption(
        "--generate", "LENGTH", "Create a random password of LENGTH characters (default: 20) instead of asking",
        kind: .number(8...256),
        isOptional: true)
    private static let contents = [
        CommandOption("--user", "NAME", "The user name"),
        CommandOption(
            "--address", "URL", "A site to sign in to: a URL or domain name", isRepeatable: true, aliases: ["--url"]),
        CommandOption("--tag", "TAG", "A word to group items by", isRepeatable: true),
        CommandOption(
            "--use", "USE", "Where its password is offered: everywhere, only in forms, or only for HTTP's own sign-in",
            kind: .choice(["everywhere", "forms", "basic"])),
        generate,
        CommandOption("--notes", "Ask for notes"),
        CommandOption("--custom", "FIELD", "Ask for the value of a hidden field named FIELD", isRepeatable: true),
        CommandOption("--code", "Ask for the link (otpauth:) or the secret of its one-time codes"),
        CommandOption("--code-image", "FILE", "Take that link from the QR code in a PNG or JPEG picture"),
    ]

    private static let vaultCommands = [
        Command(
            "init", "Create the vault", .initVault, options: derivation + [json],
            details: ["Asks twice for a new master password. Nobody can reset it."]),
        Command(
            "unlock", "Unlock the vault for this terminal and for filling", .unlockVault,
            options: [
                CommandOption("--accept-older-copy", "Accept a vault file that is older than the last one used here"),
                json,
            ],
            details: ["Asks for the master password."]),
        Command("lock", "Lock the vault everywhere", .lockVault, options: [json]),
        Command(
            "change-master", "Change the master password", .changeMasterPassword, options: derivation + [json],
            details: [
                "Asks for the old master password, then twice for the new one. The vault gets a new key too: someone who "
                    + "has an older copy of the vault and the old password can read that copy, but nothing newer."
            ]),
        Command(
            "renew-key", "Give the vault a new key and keep the master password", .renewKey, options: [json],
            details: [
                "Asks for the master password and encrypts every item again. Someone who has the old key can read older "
                    + "copies of the vault, but nothing newer. `change-master` does this too."
            ]),
        Command(
            "backup", "Save the whole vault in one file", .backUpVault,
            arguments: [Argument("PATH", "The file to write; only you can read it")],
            options: [CommandOption("--force", "Replace PATH if it is there already"), json],
            details: [
                "The backup is encrypted like the vault: you need today's master password to open it, here or on another "
                    + "computer, and nothing else.",
                "Keyway reopens the copy and checks it before PATH gets its name, then reads PATH back. If the vault is "
                    + "unlocked, it checks every item; if it is locked, only the structure, and it says so.",
            ]),
        Command(
            "restore-backup", "Make a backup your vault", .restoreBackup,
            arguments: [Argument("PATH", "A file that `backup` wrote")],
            options: [
                CommandOption("--replace", "Restore it although there is a vault; that one is kept under another name"),
                CommandOption("--yes", "Don't ask for confirmation"),
                json,
            ],
            details: [
                "Asks for the master password of the backup and checks every item in it. Then Keyway verifies you. If "
                    + "anything fails, the vault that you have stays as it was. If only its master password could verify "
                    + "you and you forgot it, move the vault file away first.",
                "If the backup is older than what this computer has seen of the vault, the command says so and asks. "
                    + "With --yes, it restores the backup without asking.",
            ]),
    ]

    private static let itemCommands = [
        Command(
            "add", "Add an item", .addItem,
            arguments: [Argument("TITLE", "Its title; if omitted, the command asks for everything", .optional)],
            options: contents + [json],
            details: ["Asks for the password, then for the value of each --custom, then for --notes and --code."]),
        Command(
            "show", "Show an item", .showItem, arguments: [item],
            options: [
                CommandOption("--account", "USER", account.summary, aliases: ["--user"]),
                passkey,
                CommandOption(
                    "--field", "FIELD",
                    "Print only one field: title, user, password, address, notes, tags, or a custom one"),
                CommandOption(
                    "--section", "N", "Show only section N: a card, a file or whatever else the item holds",
                    kind: .number(1...65535)),
                CommandOption("--reveal", "Show the secrets too"),
                CommandOption("--history", "Show earlier passwords too; needs --reveal"),
                CommandOption(
                    "--code-qr",
                    "Show the QR code that moves its one-time code to a phone; with --section N, the code of that section"
                ),
                CommandOption("--output", "FILE", "Write the QR code to FILE as a PNG picture that only you can read"),
                CommandOption("--force", "Replace FILE if it is there already"),
                json,
            ],
            details: [
                "The private key of a passkey is never shown: it doesn't leave the vault's service.",
                "Whatever else the item holds (a card, an address, a network, an SSH key) is shown section by section. "
                    + "--field takes the name of anything in them, too.",
            ]),
        Command(
            "edit", "Change an item", .editItem, arguments: [item],
            options: [
                account,
                passkey,
                CommandOption("--title", "TITLE", "The new title"),
                CommandOption("--password", "Ask for a new password; the old one moves to the history"),
                CommandOption("--add-code", "Ask for one more one-time code, beside those that the item has"),
                CommandOption(
                    "--remove-section", "N", "Remove section N, as `show` numbers them", kind: .number(1...65535),
                    isRepeatable: true),
            ] + contents + [json],
            details: [
                "What you don't name stays as it is. --address and --tag replace all existing ones. "
                    + "The command asks in the same order as add.",
                "A passkey has no password or addresses to change. Once you set --user, its site can no longer rename it.",
            ]),
        Command(
            "remove", "Remove an item and its history", .removeItem, arguments: [item],
            options: [
                CommandOption("--account", "USER", account.summary, aliases: ["--user"]),
                passkey,
                CommandOption("--yes", "Don't ask for confirmation"),
                json,
            ]),
        Command(
            "restore", "Undo what a site reported about an item", .restoreItem, arguments: [item],
            options: [
                CommandOption("--account", "USER", account.summary, aliases: ["--user"]),
                passkey,
                json,
            ],
            details: [
                "When a site reports that an item is no longer used, the item is hidden: it is kept but not offered, and "
                    + "`list` marks it as hidden. If a passkey was missing from its site's list, it is offered again once "
                    + "it is back on that list. If the site doesn't know the passkey, or you undid it in a notification, "
                    + "it stays hidden until you restore it. If a site renames an account, the old name is kept too, and "
                    + "`list` marks the item as renamed.",
                "Restoring a hidden item offers it again. Restoring a renamed item gives it its old name back, and its "
                    + "site can no longer change the name.",
            ]),
        Command(
            "attach", "Attach a file to an item", .attachFile,
            arguments: [item, Argument("PATH", "The file: at most 64 MiB")],
            options: [
                CommandOption("--account", "USER", account.summary, aliases: ["--user"]),
                passkey,
                CommandOption("--name", "NAME", "What the file is called in the vault (default: its name on the disk)"),
                json,
            ],
            details: [
                "The vault keeps a copy of what is in the file, encrypted like everything else. The file on the disk stays "
                    + "as it is. `show` lists the files of an item."
            ]),
        Command(
            "save-file", "Write a file of an item to the disk", .saveFile,
            arguments: [item, file, Argument("PATH", "Where to write it; only you can read it")],
            options: [
                CommandOption("--account", "USER", account.summary, aliases: ["--user"]),
                passkey,
                CommandOption("--force", "Replace PATH if it is there already"),
                json,
            ],
            details: ["What is in a file is a secret like a password: the same verification and limits apply."]),
        Command(
            "remove-file", "Remove a file from an item", .removeFile, arguments: [item, file],
            options: [
                CommandOption("--account", "USER", account.summary, aliases: ["--user"]),
                passkey,
                CommandOption("--yes", "Don't ask for confirmation"),
                json,
            ]),
        Command("list", "List all items", .listItems, options: [passkeys, json]),
        Command(
            "search", "List the items that contain all the words", .searchItems,
            arguments: [Argument("WORD", "A word in the title, user name, addresses or tags", .oneOrMore)],
            options: [passkeys, json]),
        Command(
            "generate", "Print a random password without storing it", .generatePassword,
            options: [
                CommandOption("--length", "N", "Number of characters (default: 20)", kind: .number(8...256)),
                CommandOption("--no-digits", "Leave out digits"),
                CommandOption("--no-symbols", "Use only letters and digits"),
                json,
            ]),
    ]
}
