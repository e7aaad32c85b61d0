import Glibc

/// The installation that a program belongs to.
package struct Installation: Hashable, Sendable {
    /// The folder with `bin`, `libexec` and `share`.
    package let prefix: String
    /// Whether root installed it for everybody, with a group for Keyway's own programs: then nothing that decides is
    /// taken from the environment (``SystemEnvironment``).
    package let isSystemWide: Bool

    /// The installation of this process's program; nil when it lies nowhere where Keyway is installed.
    package static let current = Installation(program: KeywayPaths.ownProgram())

    /// The installation of the program at `path`: `PREFIX/bin/keyway`, or `PREFIX/libexec/keyway/NAME`.
    package init?(program path: String?) {
        guard let path, let prefix = Self.prefix(of: path) else { return nil }
        self.init(prefix: prefix)
    }

    init(prefix: String, isSystemWide: Bool? = nil) {
        self.prefix = prefix
        self.isSystemWide = isSystemWide ?? Self.isSystems(Self.groupFile(in: prefix))
    }

    /// The file that names the group of Keyway's own programs.
    package var groupFile: String { Self.groupFile(in: prefix) }

    /// Whether the file that names the group is there, whosever it is. In a user namespace that has no number for root,
    /// root's file is one of nobody.
    package var namesGroup: Bool { access(groupFile, F_OK) == 0 }

    private static func groupFile(in prefix: String) -> String { "\(prefix)/share/keyway/group" }

    private static func prefix(of program: String) -> String? {
        if let prefix = KeywayPaths.prefix(ofProgram: program) { return prefix }
        guard program.hasSuffix("/bin/keyway") else { return nil }
        return String(program.dropLast("/bin/keyway".count))
    }

    /// Whether root alone can have written that file.
    private static func isSystems(_ file: String) -> Bool {
        var status = stat()
        guard lstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
        return status.st_uid == 0 && status.st_mode & 0o022 == 0
            && SystemFolder.isOne(FilePath.folder(of: file))
    }
}
