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
}
