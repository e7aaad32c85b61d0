/// What a bundle declares, in words for the person.
extension DeclaredSandbox {
    /// One phrase for each kind of thing that it reaches beside its own folders; empty for nothing.
    package var reaches: [String] {
        var phrases: [String] = []
        for (verb, texts) in [
            ("read", readPaths), ("read and change", writePaths), ("talk with", sockets), ("run", programs),
        ] where !texts.isEmpty {
            phrases.append("\(verb) \(texts.map(DisplayText.line).joined(separator: ", "))")
        }
        if network { phrases.append("use the network") }
        return phrases
    }
}
