import Foundation

/// What `pass` reads from its environment. A provider is started with a clean one, so the same names may stand in a
/// file, `keyway-password-store/settings` in the person's configuration folder, a `NAME=value` line each.
struct StoreSettings: Equatable, Sendable {
    /// The names that mean something here.
    enum Name: String, CaseIterable {
        /// The store's folder.
        case folder = "PASSWORD_STORE_DIR"
        /// Recipients that are used in place of every `.gpg-id`.
        case recipients = "PASSWORD_STORE_KEY"
        /// Fingerprints, one of which must have signed every `.gpg-id`.
        case signingKeys = "PASSWORD_STORE_SIGNING_KEY"
        /// Which permissions new files do not have, in octal.
        case umask = "PASSWORD_STORE_UMASK"
        /// How long a generated password is.
        case generatedLength = "PASSWORD_STORE_GENERATED_LENGTH"
        /// What else gpg is told.
        case options = "PASSWORD_STORE_GPG_OPTS"
        /// gpg's own folder.
        case keyring = "GNUPGHOME"
    }

    private var values: [Name: String]
    private let home: String

    /// Settings by name. Of `environment`, the names above count, and `HOME`.
    init(_ values: [Name: String] = [:], environment: [String: String]) {
        home = environment["HOME"] ?? NSHomeDirectory()
        self.values = values
        for name in Name.allCases {
            if let value = environment[name.rawValue], !value.isEmpty { self.values[name] = value }
        }
    }

    /// The variables of this process.
    static var inherited: [String: String] { ProcessInfo.processInfo.environment }

    /// What the environment and the file say.
    static func current(environment: [String: String] = inherited) -> StoreSettings {
        let text = (try? String(contentsOfFile: path(environment), encoding: .utf8)) ?? ""
        return StoreSettings(values(inFile: text), environment: environment)
    }

    /// Where the file lies.
    static func path(_ environment: [String: String] = inherited) -> String {
        let home = environment["HOME"] ?? NSHomeDirectory()
        let folder = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "\(home)/.config"
        return "\(folder)/keyway-password-store/settings"
    }

    /// The lines of a file; what is no setting of ours is left alone.
    static func values(inFile text: String) -> [Name: String] {
        var values: [Name: String] = [:]
        for line in text.split(whereSeparator: \.isNewline) where !line.hasPrefix("#") {
            guard let equals = line.firstIndex(of: "="), let name = Name(rawValue: String(line[..<equals])) else {
                continue
            }
            values[name] = String(line[line.index(after: equals)...])
        }
        return values
    }

    /// Writes another folder into the file, and leaves its other lines as they are.
    ///
    /// - Throws: what Foundation throws when the file cannot be written.
    static func setFolder(
        _ folder: String, environment: [String: String] = inherited
    ) throws {
        let file = path(environment)
        let old = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
        var lines = old.split(separator: "\n").filter { !$0.hasPrefix("\(Name.folder.rawValue)=") }
        lines.append("\(Name.folder.rawValue)=\(folder)")
        try FileManager.default.createDirectory(
            atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(fileURLWithPath: file), options: .atomic)
    }

    // MARK: What they mean

    /// The store's folder, without a slash at the end.
    var folder: String {
        Self.absolute(values[.folder] ?? "~/.password-store", home: home)
    }

    /// A folder as a person types it: `~` is the home folder, where a relative path begins, too.
    static func absolute(_ path: String, home: String) -> String {
        var path = path
        if path == "~" || path.hasPrefix("~/") { path = home + path.dropFirst() }
        if !path.hasPrefix("/") { path = "\(home)/\(path)" }
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        return path
    }

    /// A folder that the person typed.
    func absolute(_ path: String) -> String { Self.absolute(path, home: home) }

    /// The same settings with another folder.
    func with(folder: String) -> StoreSettings {
        var changed = self
        changed.values[.folder] = folder
        return changed
    }

    /// Recipients for all entries, where there are any.
    var recipients: [String] { words(.recipients) }

    /// Whose signature a `.gpg-id` must bear; nobody's when there are none.
    var signingKeys: [String] { words(.signingKeys) }

    /// What else gpg is told.
    var options: [String] { words(.options) }

    /// Which permissions new files and folders do not have.
    var umask: mode_t { values[.umask].flatMap { mode_t($0, radix: 8) }.map { $0 & 0o777 } ?? 0o077 }

    /// How many characters a generated password has.
    var generatedLength: Int {
        values[.generatedLength].flatMap { Int($0) }.flatMap { (1...1000).contains($0) ? $0 : nil } ?? 25
    }

    /// The environment of gpg and git: where the person's files lie, and nothing that leads them elsewhere.
    func environment(_ inherited: [String: String] = inherited) -> [String: String] {
        let kept: Set = [
            "HOME", "PATH", "LANG", "LC_ALL", "USER", "LOGNAME", "TZ", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME",
        ]
        var environment = inherited.filter { kept.contains($0.key) }
        environment["GNUPGHOME"] = values[.keyring].map(absolute)
        environment["GIT_CEILING_DIRECTORIES"] = (folder as NSString).deletingLastPathComponent
        environment["GIT_TERMINAL_PROMPT"] = "0"
        return environment
    }

    private func words(_ name: Name) -> [String] {
        values[name]?.split(whereSeparator: \.isWhitespace).map(String.init) ?? []
    }
}
