extension CommandTable {
    static let export = Command(
        "export", "Write everything in the vault to a file that other managers read", .exportVault,
        arguments: [Argument("PATH", "The file to write; only you can read it")],
        options: [
            CommandOption(
                "--format", "FORMAT", "The format of the file (default: cxf, the Credential Exchange Format)",
                kind: .choice(["apple-csv", "bitwarden-csv", "chrome-csv", "cxf", "cxp", "firefox-csv", "kdbx"])),
            CommandOption("--to", "REQUEST", "Encrypt for the program that made this request (cxp)"),
            CommandOption("--fingerprint", "DIGITS", "The fingerprint that the program shows for its request"),
            CommandOption("--force", "Replace PATH if it is there already"),
            yes, json,
        ],
        details: [
            "Asks for the master password each time, even though the vault is unlocked. No option or setting changes that.",
            "FORMAT is what the other program reads: cxf (the Credential Exchange Format 1.0) holds most; then kdbx (KeePass "
                + "and KeePassXC), bitwarden-csv, apple-csv (Apple Passwords), chrome-csv (Chrome, Edge, Brave, Google "
                + "Password Manager) and firefox-csv. Another program that speaks the Credential Exchange Protocol makes a "
                + "request, and cxp answers that.",
            "A kdbx file is encrypted under a password that the command asks for twice, or reads as the line of standard "
                + "input behind the master password. A cxp file is encrypted for the keys in REQUEST. Compare its "
                + "fingerprint with what the other program shows, or name it with --fingerprint: --yes doesn't.",
            "Every other file isn't encrypted: whoever reads it has all your passwords, passkeys and one-time codes. The "
                + "command says so and asks. With --yes, it doesn't ask that; it asks for the master password all the same.",
            "In CSV files, values that begin as formulas do (with =, +, -, @, a tab or a carriage return) are written as they "
                + "are, and listed: don't open the file in a spreadsheet.",
            "What the format can't hold, such as former passwords, is left out and listed.",
        ])

    static let exchange = Command(
        "exchange", "Hand the accounts of one provider over to another", .exchangeAccounts,
        options: [
            CommandOption("--from", "PROVIDER", "Hand over the accounts of this provider"),
            CommandOption("--to", "PROVIDER", "Offer only this provider to take them"),
            CommandOption("--window", "Ask in a window instead of in this terminal"),
            json,
        ],
        details: [
            "Both providers must be turned on. Keyway asks which provider is to have the accounts, verifies you, and starts the "
                + "apps of both. The first one may ask for your master password or passphrase, the second one shows what it "
                + "would store and asks.",
            "Nothing is deleted: the first provider keeps what it has. Then the command lists what couldn't be carried, or only "
                + "in another form, such as passkeys that the other provider has no place for.",
            "Without --from, there must be only one provider that hands accounts over.",
        ])
}
