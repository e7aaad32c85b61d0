extension CommandTable {
    static let provider = Command(
        "provider", "Helps to write a provider",
        commands: [
            Command(
                "new", "Makes a package that a new provider begins with", .newProvider,
                arguments: [Argument("NAME", "What it is called: a capital letter, then letters and digits")],
                options: [CommandOption("--directory", "FOLDER", "Makes it in FOLDER instead of here"), json],
                details: ["`make install` in the new folder builds it and puts it where providers are looked for."]),
            Command(
                "test", "Judges the bundle of a provider, rule by rule", .testProvider,
                arguments: [Argument("PATH", "The bundle's folder, NAME.appex", .optional)],
                options: [
                    CommandOption("--rule", "NAME", "Looks at this rule only", isRepeatable: true),
                    CommandOption("--list-rules", "Lists the rules and looks at nothing"),
                    CommandOption("--record", "RECORD", "A record that the provider has, where it tells of none"),
                    CommandOption("--user", "NAME", "The user name of that record"),
                    CommandOption("--service", "SERVICE", "Where that record signs in to: a URL or domain name"),
                    CommandOption(
                        "--type-from", "FILE", "Types the first line of FILE where the provider asks for a secret"),
                    CommandOption("--home", "FOLDER", "Gives the provider a copy of FOLDER as its home"),
                    CommandOption(
                        "--leaves", "PROGRAM", "Lets the provider leave PROGRAM running: an agent that it only wakes",
                        isRepeatable: true),
                    CommandOption(
                        "--requests", "N", "How many requests it must stand without growing (10000)",
                        kind: .number(1...1_000_000)),
                    json,
                ],
                details: [
                    "Starts the provider's programs as the broker does, in a home of their own that is thrown away, and "
                        + "watches what they do. Nobody is asked anything: the first row is chosen, the first button is "
                        + "pressed. A rule that could not be checked does not count as kept.",
                    "Accounts to test with are those that the provider tells the system when it starts, when its "
                        + "configuration is shown, or when its list is; else those of --record.",
                ]),
        ])
}
