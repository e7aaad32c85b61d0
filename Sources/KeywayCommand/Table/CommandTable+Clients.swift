extension CommandTable {
    private static let client = Argument("ID", "The digits that `keyway clients list` shows, or the program's name")

    static let clients = Command(
        "clients", "List programs that asked to use Keyway, and allow or block them", .listClients, options: [json],
        commands: [
            Command(
                "list", "List programs that asked to use Keyway, waiting ones first", .listClients, options: [json]),
            Command(
                "approve", "Let a program use Keyway", .approveClient, arguments: [client], options: [json],
                details: [
                    "Keyway asks you in a window of its own, or verifies you here if there is no display: a program could "
                        + "have typed this command."
                ]),
            Command(
                "allow", "Let a browser profile fill a site for the first time", .allowSite,
                arguments: [client, Argument("SITE", "The site, such as example.com")], options: [json],
                details: [
                    "Use this when the browser can't ask you because there is no display. You confirm as for `approve`."
                ]),
            Command(
                "refuse", "Block a program and close its connections", .refuseClient, arguments: [client],
                options: [json], details: ["Keyway remembers this and doesn't ask you about the program again."]),
            Command(
                "forget", "Forget your decision about a program and close its connections", .forgetClient,
                arguments: [client], options: [json],
                details: ["Keyway asks you again the next time the program wants to use it."]),
            Command(
                "rename", "Rename a program in the list", .renameClient,
                arguments: [client, Argument("NAME", "Its new name")], options: [json]),
        ],
        details: [
            "Your approval covers one program file, or one profile of a browser. If the file changes other than by a "
                + "system update, Keyway asks you again."
        ])
}
