import AutoFillProtocol
import Confinement
import Glibc
import KeywaySystem

/// What the paths of a `KeywaySandbox` mean for this person, and which of them no bundle may have.
struct SandboxFolders: Sendable {
    /// A path may begin with one of these, and something must follow.
    static let bases = [
        "HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR",
    ]
    /// Folders of programs that providers work with, which may be meant as a whole, and where they lie otherwise.
    static let programFolders = ["PASSWORD_STORE_DIR": "~/.password-store", "GNUPGHOME": "~/.gnupg"]
    /// The most bytes of one path.
    static let maximumBytes = 1024

    /// The person's home folder.
    let home: String
    private let values: [String: String]
    private let forbidden: ForbiddenPlaces

    /// The folders for an environment.
    init(environment: [String: String], paths: KeywayPaths) {
        func folder(_ name: String) -> String? {
            environment[name].flatMap { $0.hasPrefix("/") ? Self.withoutTrail($0) : nil }
        }
        let home = folder("HOME") ?? "/"
        self.home = home
        var values = ["HOME": home]
        for (name, otherwise) in [
            ("XDG_DATA_HOME", "/.local/share"), ("XDG_CONFIG_HOME", "/.config"), ("XDG_STATE_HOME", "/.local/state"),
            ("XDG_CACHE_HOME", "/.cache"),
        ] {
            values[name] = folder(name) ?? home + otherwise
        }
        values["XDG_RUNTIME_DIR"] = folder("XDG_RUNTIME_DIR")
        for (name, otherwise) in Self.programFolders {
            values[name] = folder(name) ?? home + otherwise.dropFirst()
        }
        self.values = values
        forbidden = ForbiddenPlaces(values: values, bases: Self.bases, paths: paths)
    }

    /// Those of this process.
    static let ofThisProcess: SandboxFolders? = {
        guard let paths = try? KeywayPaths.current() else { return nil }
        return SandboxFolders(environment: ProcessEnvironment.current, paths: paths)
    }()

    // MARK: - What is written

    /// Why the text cannot name a path, in a clause; nil when it can.
    static func complaint(about text: String) -> String? {
        guard text.utf8.count <= maximumBytes else { return "is too long" }
        guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f }) else { return "holds control characters" }
        let (variable, rest) = parts(text)
        guard let variable else { return "must begin with /, ~/ or one of the variables that are known" }
        let components = rest.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        if components.isEmpty {
            return programFolders[variable] != nil ? nil : "must name something in that folder"
        }
        if text == "/" { return "would be everything there is" }
        guard components.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." }) else {
            return "must be spelled without empty parts, `.` and `..`"
        }
        return nil
    }

    /// The path that is meant; nil where it begins with a variable that the person's environment has not.
    func expand(_ text: String) -> String? {
        let (variable, rest) = Self.parts(text)
        guard let variable else { return nil }
        guard !variable.isEmpty else { return String(rest) }
        return values[variable].map { ($0 == "/" ? "" : $0) + rest }
    }

    /// The variable of a program that the text begins with, if it does.
    static func programVariable(in text: String) -> String? {
        parts(text).variable.flatMap { programFolders[$0] == nil ? nil : $0 }
    }

    /// The variable (none is empty, an unknown one nil) and what follows it.
    private static func parts(_ text: String) -> (variable: String?, rest: Substring) {
        if text.hasPrefix("/") { return ("", text[...]) }
        let end = text.firstIndex(of: "/") ?? text.endIndex
        let (head, rest) = (text[..<end], text[end...])
        if head == "~" { return ("HOME", rest) }
        let name = String(head.dropFirst())
        guard head.hasPrefix("$"), bases.contains(name) || programFolders[name] != nil else { return (nil, rest) }
        return (name, rest)
    }

    private static func withoutTrail(_ path: String) -> String {
        var path = path[...]
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        return String(path)
    }

    // MARK: - What is too much

    /// Why no bundle may have that path, in a clause; nil when one may.
    func objection(to path: String, writes: Bool, of identifier: String) -> String? {
        forbidden.objection(to: path, writes: writes, of: identifier)
    }

    /// Whether that is in a folder which only the bundle can declare.
    func isOwn(_ path: String, of identifier: String) -> Bool { forbidden.isOwn(path, identifier) }

    // MARK: - Folders of programs that providers work with

    /// Where gpg may keep what is the person's.
    var gpgHomes: [String] { SecretKeys.homes(in: values) }
    /// Where `pass` may keep what is the person's.
    var passwordStores: [String] { PasswordStoreGuard.stores(in: values) }

    // MARK: - The folders of a process

    /// Folders that are there, empty, for each process: those that programs look for files of the person in.
    var privateFolders: [String] {
        let all = Set(Self.bases.compactMap { values[$0] })
        return all.filter { folder in folder == home || !PathWalk.isWithin(folder, home) }.sorted()
    }

    /// What the variables are that a process gets of `environment`: where the person's files lie and which language they
    /// read, and nothing else.
    static func passedOn(_ environment: [String: String], to declared: DeclaredSandbox?) -> [String: String] {
        let texts = declared.map { $0.readPaths + $0.writePaths + $0.sockets } ?? []
        let kept = Set(["HOME", "PATH", "LANG"] + bases + texts.compactMap(programVariable))
        return environment.filter { kept.contains($0.key) }
    }
}
