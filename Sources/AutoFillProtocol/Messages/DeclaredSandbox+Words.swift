import AutoFillWire

/// What a bundle declares, in words for the person.
extension DeclaredSandbox {
    /// The network is more than the internet. Landlock keeps sockets without a file from a provider since its version 6.
    private static let wordsOfNetwork =
        "use the network: the internet, servers on this computer (localhost) and, before Linux 6.12, the abstract "
        + "sockets of your session"

    private static let wordsOfSystemBus = "use this computer’s system services (the D-Bus system bus)"

    /// One phrase for each kind of thing that it reaches beside its own folders; empty for nothing.
    package var reaches: [String] {
        var phrases: [String] = []
        for (verb, texts) in [
            ("read", readPaths), ("read and change", writePaths), ("connect to", sockets), ("run", programs),
        ] where !texts.isEmpty {
            phrases.append("\(verb) \(texts.map(DisplayText.line).joined(separator: ", "))")
        }
        if systemBus { phrases.append(Self.wordsOfSystemBus) }
        if network { phrases.append(Self.wordsOfNetwork) }
        return phrases
    }
}
