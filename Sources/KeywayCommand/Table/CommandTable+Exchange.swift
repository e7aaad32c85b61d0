extension CommandTable {
    static let export = Command(
        "export", "Write everything in the vault to a file that other managers read", .exportVault,
        arguments: [Argument("PATH", "The file to write; only you can read it")],
        options: [
            CommandOption(
                "--format", "FORMAT", "The format of the file: cxf, the Credential Exchange Format 1.0 (default)",
                kind: .choice(["cxf"])),
            CommandOption("--force", "Replace PATH if it is there already"),
            yes, json,
        ],
        details: [
            "Asks for the master password each time, even though the vault is unlocked. No option or setting changes that.",
            "The file isn't encrypted: whoever reads it has all your passwords, passkeys and one-time codes. The command says "
                + "so and asks. With --yes, it doesn't ask that; it asks for the master password all the same.",
            "What the format can't say, such as former passwords, is left out and listed.",
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
