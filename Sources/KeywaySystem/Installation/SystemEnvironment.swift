import Glibc

/// The variables of a program that is installed for everybody: where files lie and programs are comes from passwd, the
/// runtime folder and the installation, whatever whoever started it says.
package struct SystemEnvironment: Sendable {
    /// Taken as they are: how something looks, what systemd passes on, where a terminal is. They decide nothing.
    private static let harmless: Set<String> = [
        "LANG", "LANGUAGE", "TZ", "TERM", "NO_COLOR", "LISTEN_PID", "LISTEN_FDS", "SSH_CONNECTION", "DISPLAY",
        "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_CURRENT_DESKTOP", "XDG_SESSION_TYPE",
    ]
    /// Which files of pass and gpg are meant. A provider reaches them only where its bundle declares so and the person
    /// agreed, and never what no provider may have.
    private static let programFolders: Set<String> = ["PASSWORD_STORE_DIR", "GNUPGHOME"]

    private let user: uid_t
    private let home: String?
    private let name: String?
    private let runtimeParent: String

    /// The variables of the user of this process, as passwd has them.
    package init() {
        let entry = getpwuid(geteuid())
        self.init(
            user: geteuid(), home: entry?.pointee.pw_dir.map { String(cString: $0) },
            name: entry?.pointee.pw_name.map { String(cString: $0) })
    }

    /// Those of a user whose runtime folder lies in `runtimeParent`.
    init(user: uid_t, home: String?, name: String?, runtimeParent: String = "/run/user") {
        (self.user, self.home, self.name, self.runtimeParent) = (user, home, name, runtimeParent)
    }

    /// What a program of `installation` reads instead of `environment`.
    package func variables(_ environment: [String: String], of installation: Installation) -> [String: String] {
        var variables = environment.filter { name, _ in
            Self.harmless.contains(name) || Self.programFolders.contains(name) || name.hasPrefix("LC_")
        }
        variables["HOME"] = home.flatMap { $0.hasPrefix("/") ? $0 : nil }
        variables["USER"] = name
        variables["LOGNAME"] = name
        variables["PATH"] = "\(installation.prefix)/bin:/usr/local/bin:/usr/bin:/bin"
        variables["XDG_DATA_DIRS"] = "\(installation.prefix)/share:/usr/local/share:/usr/share"
        let runtime = "\(runtimeParent)/\(user)"
        if isOurs(runtime, S_IFDIR) {
            variables["XDG_RUNTIME_DIR"] = runtime
            let bus = "\(runtime)/bus"
            if isOurs(bus, S_IFSOCK) { variables["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=\(bus)" }
        }
        return variables
    }

    /// Whether that is ours, and, of a folder, closed to everybody else.
    private func isOurs(_ path: String, _ kind: mode_t) -> Bool {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == kind, status.st_uid == user else { return false }
        return kind != S_IFDIR || status.st_mode & 0o077 == 0
    }
}
