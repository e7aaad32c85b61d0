extension CommandTable {
    static let verification = Command(
        "verification", "Show how and when Keyway verifies you", .showVerification,
        options: [json],
        commands: [
            Command(
                "set", "Change when Keyway verifies you", .changeVerification,
                options: [
                    CommandOption(
                        "--rule", "RULE",
                        "Use when-set-up (a fingerprint or a PIN), always or never; default resets it",
                        kind: .choice(Strings.rules.map(\.name) + [VerificationCommand.noRule])),
                    CommandOption(
                        "--grace", "SECONDS", "How long a verification lasts", kind: .number(0...3600)),
                    CommandOption("--provider", "PROVIDER", "Set the rule only for this provider"),
                    json,
                ],
                details: [
                    "Keyway verifies you first. If a site requires verification for a passkey, you are verified under every rule."
                ]),
            Command(
                "pin", "Set or remove the Keyway PIN",
                commands: [
                    Command(
                        "set", "Set the PIN", .setPIN, options: [json],
                        details: [
                            "Keyway verifies you first, by the old PIN or another method, then asks twice for the new "
                                + "PIN (6 to 64 bytes). Each wrong PIN makes the next attempt wait longer."
                        ]),
                    Command(
                        "remove", "Remove the PIN", .removePIN, options: [json],
                        details: ["Keyway verifies you first."]),
                ]),
        ],
        details: [
            "The rule applies when a provider doesn't show a screen of its own. For each method, the list says what is missing."
        ])
}
