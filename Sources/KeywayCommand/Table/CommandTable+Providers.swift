extension CommandTable {
    static let yes = CommandOption("--yes", "Don't ask for confirmation")
    static let unconfined = CommandOption("--unconfined", "Let it run even if this computer can't sandbox it fully")

    private static let named = Argument("PROVIDER", "Its identifier or name")
    private static let program = Argument(
        "PATH", "One of the provider's apps; if omitted, the one that asked, or the only one", .optional)

    static let providers = Command(
        "providers", "List providers, turn them on and off, and set them up",
        commands: [
            Command("list", "List the installed providers", .listProviders, options: [json]),
            Command(
                "show", "Show everything Keyway knows about a provider", .showProvider, arguments: [named],
                options: [json]),
            Command(
                "enable", "Turn on a provider", .enableProvider, arguments: [named], options: [yes, unconfined, json],
                details: [
                    "Shows what the provider asks for and what it can reach besides its own folders, then asks you to "
                        + "confirm. From then on, Keyway starts its programs when needed. If the provider has a setup "
                        + "screen, it opens now."
                ]),
            Command(
                "disable", "Turn off a provider", .disableProvider, arguments: [named], options: [json],
                details: [
                    "Keyway stops the provider's programs and deletes its suggestions. Its apps need your approval again. "
                        + "The folder that it shares with its apps stays."
                ]),
            Command(
                "order", "Change the order of the providers that are turned on", .orderProviders,
                arguments: [Argument("PROVIDER", "Its identifier or name, in the order you want", .oneOrMore)],
                options: [json],
                details: [
                    "Equally good suggestions appear in this order. Providers that you don't name follow in their "
                        + "current order."
                ]),
            Command(
                "approve", "Let an app act for a provider", .approveApplication, arguments: [named, program],
                options: [json],
                details: [
                    "The app can then tell Keyway what to suggest, and shares a folder with the provider if the provider "
                        + "has one. Your approval covers this version: after an update, the app needs it again."
                ]),
            Command(
                "revoke", "Stop an app from acting for a provider", .revokeApplication,
                arguments: [
                    named, Argument("PATH", "One of the provider's apps; if omitted, all of them", .optional),
                ], options: [json]),
            Command(
                "configure", "Open a provider's setup screen", .configureProvider,
                arguments: [named], options: [json]),
            Command(
                "debug", "Run a provider for debugging", .debugProvider,
                arguments: [named],
                options: [
                    CommandOption("--wait", "Start the extension stopped, until a debugger continues it"),
                    CommandOption("--configure", "Open its setup screen"),
                    json,
                ],
                details: [
                    "For developers of a provider. Asks you to confirm, starts the extension and prints its process ID. "
                        + "Until you press Control-C, the extension answers only this terminal and has no deadlines. "
                        + "Providers that are installed for all users can't be debugged."
                ]),
        ])
}
