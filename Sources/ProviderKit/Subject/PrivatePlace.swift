import FoundationEssentials
import Glibc
import KeywaySystem

/// The folders of a provider under test: a home of its own, thrown away afterwards.
final class PrivatePlace: Sendable {
    /// Everything below is here; mode 0700.
    let root: String
    /// The environment of the provider's programs: what the broker passes on, with these folders.
    let environment: [String: String]
    /// What may be written: its folders of the XDG Base Directory Specification, and what `--home` brought along.
    let ownFolders: [String]
    /// Where a program has its sockets that may go on after the provider: the person's own one may run already.
    let sharedFolders: [String]
    /// Where Keyway itself would keep things.
    let foreignFolders: [String]
    /// Where the provider's programs print.
    let outputPath: String

    var home: String { root + "/home" }
    var group: String { root + "/group" }

    /// Sockets of the system, which decides itself who may ask for what: the system bus says when the person leaves, the
    /// C library asks for names, and what programs have to say is collected.
    private static let systemSockets = [
        "/run/dbus/system_bus_socket", "/run/nscd/socket", "/run/systemd/userdb", "/run/systemd/journal", "/dev/log",
    ]

    /// Makes the folders below the folder `parent`, with a copy of `homeContents` as the home; programs called `leaves`
    /// may go on when the provider has ended.
    ///
    /// - Throws: ``ProtocolError`` with the code `system`.
    init(
        parent: String, homeContents: String?, leaves: [String] = [], environment: [String: String]
    ) throws(ProtocolError) {
        var template = Array("\(parent)/keyway-kit-XXXXXX".utf8CString)
        let path = template.withUnsafeMutableBufferPointer {
            $0.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
        }
        guard let path else { throw .system("mkdtemp \(parent)", errno) }
        root = PathName.real(path)
        Interruption.note(root)
        let home = root + "/home"
        outputPath = root + "/output"
        sharedFolders = leaves.contains("gpg-agent") ? ["/run/user/\(geteuid())/gnupg"] : []
        var variables = environment.filter { ["PATH", "LANG", "XDG_DATA_DIRS"].contains($0.key) }
        variables["HOME"] = home
        let folders = [
            "XDG_DATA_HOME": home + "/.local/share", "XDG_STATE_HOME": home + "/.local/state",
            "XDG_CONFIG_HOME": home + "/.config", "XDG_CACHE_HOME": home + "/.cache", "XDG_RUNTIME_DIR": root + "/run",
        ]
        self.environment = variables.merging(folders) { $1 }
        let paths = try KeywayPaths(environment: self.environment)
        foreignFolders =
            ["/identities", "/providers.json", "/applications.json", "/clients.json"].map { paths.state + $0 }
            + [paths.data + "/providers", paths.runtime]
        do {
            var brought: [String] = []
            if let homeContents {
                try FileManager.default.copyItem(atPath: homeContents, toPath: home)
                brought = try FileManager.default.contentsOfDirectory(atPath: home).map { "\(home)/\($0)" }
                // These hold the folders of other programs too.
                brought = brought.filter { $0 != home + "/.local" }
            }
            ownFolders = folders.values.sorted() + [root + "/group"] + brought
            for folder in folders.values.sorted() + [home, root + "/group"] {
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                chmod(folder, 0o700)
            }
        } catch {
            try? FileManager.default.removeItem(atPath: root)
            throw ProtocolError(.system, "The provider's folders cannot be made below \(parent).")
        }
    }

    /// Whether a provider may write the file at `path`.
    func mayWrite(_ path: String) -> Bool {
        // What processes may always open for writing keeps nothing.
        if ["/dev/null", "/dev/zero", "/dev/tty"].contains(path) { return true }
        if path.hasPrefix("/proc/") {
            return !path.split(separator: "/").contains { ["root", "cwd", "fd"].contains($0) }
        }
        if path.hasPrefix("/memfd:") || path == outputPath { return true }
        if foreignFolders.contains(where: { PathName.lies(path, in: $0) }) { return false }
        return (ownFolders + sharedFolders).contains { PathName.lies(path, in: $0) }
    }

    /// Whether a provider may speak to the socket at `path`.
    func mayReach(_ path: String) -> Bool {
        ([root] + sharedFolders + Self.systemSockets).contains { PathName.lies(path, in: $0) }
    }

    /// All files below the root but what the programs printed.
    func files() -> [String] {
        let paths = (try? FileManager.default.subpathsOfDirectory(atPath: root)) ?? []
        return paths.map { "\(root)/\($0)" }.filter { path in
            var status = stat()
            return path != outputPath && lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        }
    }

    /// A descriptor at the end of what the programs printed.
    ///
    /// - Throws: ``ProtocolError`` with the code `system`.
    func output() throws(ProtocolError) -> OwnedDescriptor {
        let flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC
        return OwnedDescriptor(try SystemCall.check("open \(outputPath)") { open(outputPath, flags, 0o600) })
    }

    /// Takes everything away.
    func remove() {
        try? FileManager.default.removeItem(atPath: root)
        Interruption.forget(root)
    }
}
