extension CommandTable {
    static let importing = Command(
        "import", "Show what another password manager exported", .importFiles,
        arguments: [Argument("FILE", "What the other program exported", .oneOrMore)],
        options: [
            CommandOption("--preview", "Show what is in the files"),
            CommandOption(
                "--columns", "MAPPING", "Read any CSV file: which column holds what, as in title=Name,url=Website",
                isRepeatable: true),
            CommandOption("--reveal", "Show the secrets too, with --json"),
            json,
        ],
        details: importDetails)

    static let importDetails = [
        "Keyway recognizes the format by what is in a file: exports of browsers, 1Password, Apple Passwords, Bitwarden, "
            + "Dashlane, Enpass, KeePass, Keeper, LastPass, NordPass, Proton Pass and RoboForm, of Aegis and other "
            + "authenticators, and documents of the Credential Exchange Format. Each file is read by a program "
            + "of its own, in a sandbox.",
        "If a file has a password, the command asks for it, or reads it as a line from standard input.",
        "In MAPPING, a role is title, username, password, url, notes, otp, folder, favorite, tags, created, modified, "
            + "field or hidden (a custom field). Columns that you don't name become custom fields.",
        "With --json, the secrets of each record are null unless you add --reveal.",
    ]
}
