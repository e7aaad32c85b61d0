/// A profile of a browser in which passwords may be stored.
package struct BrowserProfile: Hashable, Sendable {
    /// The browser.
    package let browser: Browser
    /// What people and commands call the profile: Firefox's own name for it, of others that of its folder.
    package let name: String
    /// What the person called it in the browser; nil where that is the same, or not known.
    package let title: String?
    /// Its folder.
    package let folder: String

    /// What `--from` takes for it.
    package var word: String { "\(browser.word):\(name)" }

    /// The browser and the profile, for people.
    package var text: String { "\(browser.name) (\(title ?? name))" }

    /// Files of it that are read.
    var files: [String] {
        let names =
            switch browser.family {
            case .firefox: ["logins.json", "key4.db", "cert9.db", "permissions.sqlite"]
            case .chromium: ["Login Data", "Login Data For Account"]
            }
        return names.flatMap { name in ["", "-wal", "-journal"].map { "\(folder)/\(name)\($0)" } }
    }

    /// The command that imports from it.
    package var command: String {
        let isPlain = word.allSatisfy { $0.isLetter || $0.isNumber || ":-_.".contains($0) }
        return "keyway import --from "
            + (isPlain
                ? word : "'\(word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''"))'")
    }

    /// What the browser calls itself in the login keyring.
    var keyringName: String {
        switch browser.word.split(separator: "-").first ?? "" {
        case "chrome": "chrome"
        case "brave": "brave"
        case "vivaldi": "vivaldi"
        case "edge": "microsoft-edge"
        default: "chromium"
        }
    }
}
