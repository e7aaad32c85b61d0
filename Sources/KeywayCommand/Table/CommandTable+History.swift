extension CommandTable {
    static let history = Command(
        "history", "Lists what was filled, saved, refused and approved, the newest first", .listHistory,
        options: [
            CommandOption("--limit", "N", "Lists no more than N (100)", kind: .number(1...10_000)),
            CommandOption("--since", "TIME", "Lists what was since: a day such as 2026-11-22, or 30m, 24h, 7d, 2w ago"),
            json,
        ],
        commands: [
            Command(
                "clear", "Forgets the history", .clearHistory, options: [yes, json],
                details: [
                    "You are verified first, where there is a way to. That it was cleared, and when, is the one entry left."
                ])
        ],
        details: [
            "Each entry says when, what, which program asked, and where there are such: the account, the service, the "
                + "provider, the kind of credential, how you were verified, and why something was refused.",
            "No secret is in it, and nothing from private windows. It holds the newest 10,000 entries of a year, sealed, "
                + "and is read only while the login session is open.",
        ])
}
