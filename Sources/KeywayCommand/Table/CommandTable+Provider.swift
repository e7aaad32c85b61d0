extension CommandTable {
    static let provider = Command(
        "provider", "Create and test your own provider",
        commands: [
            Command(
                "new", "Create a package for a new provider", .newProvider,
                arguments: [Argument("NAME", "Its name: a capital letter, then letters and digits")],
                options: [CommandOption("--directory", "FOLDER", "Create it in FOLDER instead of here"), json],
                details: ["Run `make install` in the new folder to build the provider and install it for Keyway."]),
            Command(
                "test", "Check a provider bundle, rule by rule", .testProvider,
                arguments: [Argument("PATH", "The bundle's folder, NAME.appex", .optional)],
                options: [
                    CommandOption("--rule", "NAME", "Check only this rule", isRepeatable: true),
                    CommandOption("--list-rules", "List the rules and check nothing"),
                    CommandOption(
                        "--record", "RECORD", "The ID of a record to test with, if the provider doesn't announce any"),
                    CommandOption("--user", "NAME", "The user name of that record"),
                    CommandOption("--service", "SERVICE", "The site of that record: a URL or domain name"),
                    CommandOption(
                        "--type-from", "FILE", "Type the first line of FILE when the provider asks for a secret"),
                    CommandOption("--home", "FOLDER", "Give the provider a copy of FOLDER as its home folder"),
                    CommandOption(
                        "--leaves", "PROGRAM",
                        "Let the provider leave PROGRAM running, such as an agent that it only wakes",
                        isRepeatable: true),
                    CommandOption(
                        "--requests", "N",
                        "How many requests it must handle without using more memory (default: 10000)",
                        kind: .number(1...1_000_000)),
                    json,
                ],
                details: [
                    "Starts the provider's programs as Keyway does, in a temporary home folder, and watches what they do. "
                        + "It asks you nothing: it picks the first row and presses the first button. A rule that could "
                        + "not be checked does not count as passed.",
                    "The test uses the accounts that the provider announces when it starts, shows its configuration or "
                        + "shows its list. If there are none, it uses --record.",
                ]),
        ])
}
