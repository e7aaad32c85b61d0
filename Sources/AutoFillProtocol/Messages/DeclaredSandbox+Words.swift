import AutoFillWire

/// What a bundle declares, in words for the person.
extension DeclaredSandbox {
    /// The network is more than the internet. Landlock keeps sockets without a file from a provider since its version 6.
    private static let wordsOfNetwork =
        "use the network: the internet, what programs of this machine offer on it (localhost), and, before Linux 6.12, "
        + "the session's sockets that are no files"

    private static let wordsOfSystemBus = "use the services of this machine (the system's D-Bus)"

    /// One phrase for each kind of thing that it reaches beside its own folders; empty for nothing.
    package var reaches: [String] {
        var phrases: [String] = []
        for (verb, texts) in [
            ("read", readPaths), ("read and change", writePaths), ("talk with", sockets), ("run", programs),
        ] where !texts.isEmpty {
            phrases.append("\(verb) \(texts.map(DisplayText.line).joined(separator: ", "))")
        }
        if systemBus { phrases.append(Self.wordsOfSystemBus) }
        if network { phrases.append(Self.wordsOfNetwork) }
        return phrases
    }
}
