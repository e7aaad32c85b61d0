extension CommandTable {
    static let verification = Command(
        "verification", "Shows how you can be verified on this machine, and when that is done", .showVerification,
        options: [json],
        commands: [
            Command(
                "set", "Says when you are verified", .changeVerification,
                options: [
                    CommandOption(
                        "--rule", "RULE",
                        "When: when-set-up (a fingerprint or a PIN), always or never; default takes back",
                        kind: .choice(Strings.rules.map(\.name) + [VerificationCommand.noRule])),
                    CommandOption(
                        "--grace", "SECONDS", "For how long a check counts", kind: .number(0...3600)),
                    CommandOption("--provider", "PROVIDER", "Sets the rule for this provider only"),
                    json,
                ],
                details: ["You are verified first. A site that wants a verified passkey is heard under every rule."]),
            Command(
                "pin", "Sets or removes the PIN of Keyway",
                commands: [
                    Command(
                        "set", "Sets the PIN", .setPIN, options: [json],
                        details: [
                            "Asks for the new PIN, and for the same again: 6 to 64 bytes. You are verified first, by "
                                + "the old one or by another method. After wrong ones it waits, longer each time."
                        ]),
                    Command(
                        "remove", "Removes the PIN", .removePIN, options: [json],
                        details: ["You are verified first."]),
                ]),
        ],
        details: [
            "This concerns what a provider gives without an interface of its own. Each method is listed with what it lacks."
        ])
}
