extension CommandTable {
    static let importing = Command(
        "import", "Import what another password manager exported into Passwords", .importFiles,
        arguments: [Argument("FILE", "What the other program exported", .any)],
        options: [
            CommandOption(
                "--from", "BROWSER",
                "Import what a browser has stored itself, as in firefox:default or chromium:Default",
                isRepeatable: true),
            CommandOption("--list-browsers", "List the profiles of your browsers in which passwords may be stored"),
            CommandOption("--preview", "Only show what is in the files; needs no vault"),
            CommandOption(
                "--conflicts", "CHOICE", "What to do if the vault has an account with another secret",
                kind: .choice(ImportStoring.choices.keys.sorted())),
            CommandOption(
                "--columns", "MAPPING", "Read any CSV file: which column holds what, as in title=Name,url=Website",
                isRepeatable: true),
            CommandOption("--key-file", "PATH", "The key file that opens the files, beside or in place of a password"),
            CommandOption("--reveal", "Show the secrets too, with --preview and --json"),
            CommandOption("--undo", "Take back the last import"),
            CommandOption(
                "--request", "PATH", "Write a request for an encrypted export, for another program to answer"),
            CommandOption("--yes", "Don't ask for confirmation"),
            json,
        ],
        details: importDetails)

    static let importDetails = [
        "Keyway recognizes the format by what is in a file: exports of browsers, 1Password, Apple Passwords, Bitwarden, "
            + "Dashlane, Enpass, KeePass, Keeper, LastPass, NordPass, Proton Pass and RoboForm, of Aegis and other "
            + "authenticators, and documents of the Credential Exchange Format. Each file is read by a program "
            + "of its own, in a sandbox. A folder of pass, the password store, is imported like a file; gpg decrypts its "
            + "entries, and may ask for the passphrase of your key.",
        "With --from, the passwords come from a browser's own profile instead of a file: firefox, chromium, chrome, brave, "
            + "edge or vivaldi, and the name of the profile behind a colon if several have passwords. You are verified first, "
            + "as before a password is filled. If Firefox has a primary password, the command asks for it. The browser may be "
            + "running, and keeps its passwords.",
        "The command says what is new, what the vault has already, and what it has with another secret, and asks. Then "
            + "either all of the files are stored, or nothing is. It lists what was left out or changed, and why. "
            + "--undo takes all of it back in one step, except items that you changed since.",
        "For accounts that the vault has with another secret, --conflicts says what to do: keep-both, skip (leave out the "
            + "entry of the file) or replace (the old password moves to the history of its item). Without it, "
            + "the command asks on a terminal, and keeps both elsewhere and with --yes.",
        "In the end, on a terminal and without --yes, the command offers to delete each file that isn't encrypted. "
            + "Deleting isn't erasing: on most disks, the file can be recovered for a while.",
        "If a file has a password, the command asks for it, or reads it as a line from standard input. It also asks before "
            + "decrypting takes more than 256 MiB of memory.",
        "--request makes a request of the Credential Exchange Protocol. Another program answers it with a file that only "
            + "this computer can open, once, within a day and before you log out. Compare the request's fingerprint there, "
            + "then import the answer like any file.",
        "In MAPPING, a role is title, username, password, url, notes, otp, folder, favorite, tags, created, modified, "
            + "field or hidden (a custom field). Columns that you don't name become custom fields.",
        "With --preview and --json, the secrets of each record are null unless you add --reveal.",
    ]
}
