extension CommandTable {
    static let history = Command(
        "history", "List what was filled, saved, refused and approved, newest first", .listHistory,
        options: [
            CommandOption("--limit", "N", "List at most N entries (default: 100)", kind: .number(1...10_000)),
            CommandOption(
                "--since", "TIME", "List entries since a day such as 2026-11-22, or since 30m, 24h, 7d or 2w ago"),
            json,
        ],
        commands: [
            Command(
                "clear", "Clear the history", .clearHistory, options: [yes, json],
                details: [
                    "Keyway verifies you first if it can. One entry remains: that the history was cleared, and when."
                ])
        ],
        details: [
            "Each entry says what happened, when, and which program asked. Where they apply, it also names the account, "
                + "the site, the provider, the kind of credential, how you were verified and why Keyway refused.",
            "The history contains no secrets and nothing from private windows. Keyway keeps up to 10,000 entries for a "
                + "year, encrypted, and reads them only while you are logged in.",
        ])
}
