extension CommandTable {
    private static let client = Argument("ID", "Digits from the list, or the program's name")

    static let clients = Command(
        "clients", "Lists the programs that asked, and lets them ask or not", .listClients, options: [json],
        commands: [
            Command("list", "Lists the programs that asked, those first that wait", .listClients, options: [json]),
            Command(
                "approve", "Lets a program ask", .approveClient, arguments: [client], options: [json],
                details: [
                    "You are asked in a window of the system's own; where there is no display, you are verified here. "
                        + "Whoever types this command may be a program."
                ]),
            Command(
                "allow", "Lets a browser's profile fill a site for the first time", .allowSite,
                arguments: [client, Argument("SITE", "The site, such as example.com")], options: [json],
                details: [
                    "You are asked as for an approval. It is for where your browser cannot ask you: without a display."
                ]),
            Command(
                "refuse", "Lets a program ask no longer, and ends its connections", .refuseClient, arguments: [client],
                options: [json], details: ["It is remembered: the program is not asked about again."]),
            Command(
                "forget", "Forgets what was said to a program, and ends its connections", .forgetClient,
                arguments: [client], options: [json], details: ["You are asked again when it asks the next time."]),
            Command(
                "rename", "Gives a program a name of your own", .renameClient,
                arguments: [client, Argument("NAME", "The new name")], options: [json]),
        ],
        details: [
            "A program is approved as the file that it runs, each profile of a browser by itself. A program that is "
                + "changed, other than by an update of the system, is asked about again."
        ])
}
