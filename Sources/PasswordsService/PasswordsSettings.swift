import FoundationEssentials

/// What the person may set about the vault's service: `passwords.json` in the state folder. No secret belongs there.
package struct PasswordsSettings: Hashable, Sendable {
    /// The name of the file in the state folder.
    package static let fileName = "passwords.json"
    /// Seconds without use after which the vault locks: 1 to 86,400.
    package var idleSeconds = 600

    /// The settings of a machine where nobody set any.
    package init() {}

    private struct File: Decodable {
        let idleSeconds: Int?
    }

    /// Reads the file.
    ///
    /// - Returns: the settings, and what is wrong with the file, for the log; what is wrong is not used.
    package static func read(from path: String) -> (settings: PasswordsSettings, complaint: String?) {
        var settings = PasswordsSettings()
        guard FileManager.default.fileExists(atPath: path) else { return (settings, nil) }
        guard let data = FileManager.default.contents(atPath: path),
            let file = try? JSONDecoder().decode(File.self, from: data)
        else {
            return (settings, "\(path) isn't a valid settings file and is ignored.")
        }
        guard let idleSeconds = file.idleSeconds else { return (settings, nil) }
        guard (1...86_400).contains(idleSeconds) else {
            return (settings, "\(path): idleSeconds must be from 1 to 86400 and is ignored.")
        }
        settings.idleSeconds = idleSeconds
        return (settings, nil)
    }
}
