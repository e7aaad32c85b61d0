extension CommandTable {
    static let yes = CommandOption("--yes", "Does not ask")
    static let unconfined = CommandOption("--unconfined", "Lets it run also where this machine cannot confine it fully")

    private static let named = Argument("PROVIDER", "Its identifier or name")
    private static let program = Argument(
        "PATH", "One of the provider's apps; without it, the one that asked, or the only one", .optional)

    static let providers = Command(
        "providers", "Lists providers, turns them on and off, and sets them up",
        commands: [
            Command("list", "Lists the installed providers", .listProviders, options: [json]),
            Command(
                "show", "Shows all that is known of a provider", .showProvider, arguments: [named], options: [json]),
            Command(
                "enable", "Turns a provider on", .enableProvider, arguments: [named], options: [yes, unconfined, json],
                details: [
                    "Shows what the provider asks for and what it reaches beside its own folders, and asks. Its "
                        + "programs are started from then on when something is filled. One that shows an interface to be "
                        + "set up does so then."
                ]),
            Command(
                "disable", "Turns a provider off", .disableProvider, arguments: [named], options: [json],
                details: [
                    "Its programs are ended, what it told the system to suggest is wiped, and its apps must be "
                        + "approved anew. The folder that it shares with its app is kept."
                ]),
            Command(
                "order", "Puts the enabled providers in an order", .orderProviders,
                arguments: [Argument("PROVIDER", "Its identifier or name, the first first", .oneOrMore)],
                options: [json],
                details: [
                    "Of equal suggestions those of the first come first. Providers that are not named follow in the "
                        + "order they had."
                ]),
            Command(
                "approve", "Lets a provider's app act for it", .approveApplication, arguments: [named, program],
                options: [json],
                details: [
                    "The app may then tell the system what to suggest, and shares a folder with the provider where "
                        + "that names one. It is approved as it is: after an update it asks again."
                ]),
            Command(
                "revoke", "Lets a provider's app act for it no longer", .revokeApplication,
                arguments: [
                    named, Argument("PATH", "One of the provider's apps; without it, all of them", .optional),
                ], options: [json]),
            Command(
                "configure", "Shows the interface with which a provider is set up", .configureProvider,
                arguments: [named], options: [json]),
            Command(
                "debug", "Lets the author of a provider look at it with a debugger", .debugProvider,
                arguments: [named],
                options: [
                    CommandOption("--wait", "Starts the extension stopped, until a debugger lets it go on"),
                    CommandOption("--configure", "Asks it for the interface with which it is set up"),
                    json,
                ],
                details: [
                    "Asks you, starts the provider's extension and prints its process. It answers this terminal only, and "
                        + "nothing it does has a deadline until Control-C ends the command. Providers that are installed "
                        + "for all users can't be debugged."
                ]),
        ])
}
