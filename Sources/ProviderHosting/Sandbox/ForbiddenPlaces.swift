import Confinement
import KeywaySystem

/// What no bundle may have, whatever it declares. Each folder is known by the path that the environment names and by
/// the one without links, since what is declared may use either.
struct ForbiddenPlaces: Sendable {
    private let home: [String]
    private let bases: [String]
    private let keyway: [String]
    private let own: [String]
    private let doors: [String]
    private let runtime: [String]
    private let secretKeys: [String]
    private let extensions: [String]
    private let runLater: [String]

    /// What stands in the way of the person's folders.
    ///
    /// - Parameters:
    ///   - values: the folders by the names of their variables.
    ///   - names: which of them hold the files of every program.
    init(values: [String: String], bases names: [String], paths: KeywayPaths) {
        func folder(_ name: String) -> String? { values[name] }
        home = Self.spellings(values["HOME"] ?? "/")
        bases = names.compactMap(folder).flatMap(Self.spellings)
        keyway = [paths.data, paths.state, paths.runtime].flatMap(Self.spellings)
        own = [paths.data, paths.state].flatMap(Self.spellings).map { $0 + "/private" }
        runtime = folder("XDG_RUNTIME_DIR").map(Self.spellings) ?? []
        let inRuntime = runtime.flatMap { folder in Self.sessionDoors.map { "\(folder)/\($0)" } }
        doors = (inRuntime + Self.systemDoors).flatMap(Self.spellings)
        secretKeys = SecretKeys.homes(in: values).flatMap { Self.spellings("\($0)/\(SecretKeys.name)") }
        extensions = PasswordStoreGuard.stores(in: values).map(PasswordStoreGuard.extensions).flatMap(Self.spellings)
        var later = SecretKeys.homes(in: values)
        for (name, files) in [
            ("HOME", Self.runLaterInHome), ("XDG_CONFIG_HOME", Self.runLaterInSettings),
            ("XDG_DATA_HOME", Self.runLaterInData),
        ] {
            if let base = folder(name) { later += files.map { "\(base)/\($0)" } }
        }
        runLater = later.flatMap(Self.spellings)
    }

    /// Why no bundle may have that path, in a clause; nil when one may.
    func objection(to path: String, writes: Bool, of identifier: String) -> String? {
        let components = path.split(separator: "/")
        guard components.count > 1 else { return "would be everything there is" }
        if home.contains(where: { PathWalk.isWithin($0, path) }) { return "holds the home folder" }
        if ["proc", "sys", "dev", "boot"].contains(components[0]) { return "belongs to the kernel" }
        if writes, ["usr", "etc", "bin", "sbin", "lib", "lib32", "lib64", "libx32"].contains(components[0]) {
            return "belongs to the system"
        }
        if bases.contains(where: { PathWalk.isWithin($0, path) }) { return "holds the files of every program" }
        if isKeyways(path, identifier) { return "belongs to Keyway or to another bundle" }
        if components.contains(where: { $0 == SecretKeys.name })
            || secretKeys.contains(where: { PathWalk.isWithin(path, $0) })
        {
            return "is secret keys of gpg"
        }
        if isDoor(path) { return "could start programs outside of the sandbox" }
        if writes,
            Self.touches(path, runLater) || extensions.contains(where: { PathWalk.isWithin(path, $0) })
                || components.contains(".git")
        {
            return "is run or followed by programs outside of the sandbox"
        }
        return nil
    }

    /// Only the folder that is called like the bundle is its own, of those of the data and of the state folder.
    private func isKeyways(_ path: String, _ identifier: String) -> Bool {
        !isOwn(path, identifier) && Self.touches(path, keyway)
    }

    func isOwn(_ path: String, _ identifier: String) -> Bool {
        own.contains { PathWalk.isWithin(path, "\($0)/\(identifier)") }
    }

    private func isDoor(_ path: String) -> Bool {
        if Self.touches(path, doors) { return true }
        return runtime.contains { folder in
            path.hasPrefix(folder + "/")
                && Self.sessionDoorBeginnings.contains { path.dropFirst(folder.utf8.count + 1).hasPrefix($0) }
        }
    }

    private static func touches(_ path: String, _ places: [String]) -> Bool {
        places.contains { PathWalk.isWithin(path, $0) || PathWalk.isWithin($0, path) }
    }

    private static func spellings(_ path: String) -> [String] {
        let canonical = PathWalk.canonical(path)
        return canonical == path ? [path] : [path, canonical]
    }

    // MARK: - Lists

    /// Whoever talks with these can have any program started outside, or types into its windows.
    private static let sessionDoors = [
        "bus", "dbus-1", "at-spi", "systemd", "podman", "docker", "docker.sock", "containerd", "libvirt",
        "emacs", "hypr", "i3", "ICE",
    ]
    /// Compositors and editors number theirs.
    private static let sessionDoorBeginnings = ["wayland-", "sway-ipc.", "niri.", "nvim.", "kdeinit"]
    private static let systemDoors =
        [
            "docker", "docker.sock", "podman", "containerd", "crio", "libvirt", "incus", "lxd",
        ].flatMap { ["/run/\($0)", "/var/run/\($0)"] } + [
            "/tmp/.X11-unix", "/tmp/.ICE-unix", "/var/lib/incus", "/var/lib/lxd",
        ]

    /// Whoever writes there has programs run outside, sooner or later. No such list is complete.
    private static let runLaterInHome = [
        ".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".bash_aliases", ".profile", ".zshrc", ".zshenv",
        ".zprofile", ".zlogin", ".zlogout", ".kshrc", ".cshrc", ".tcshrc", ".login", ".logout", ".xprofile",
        ".xsession",
        ".xsessionrc", ".xinitrc", ".pam_environment", ".ssh", ".gitconfig", ".vim", ".vimrc", ".exrc", ".emacs",
        ".emacs.d", ".tmux.conf", ".gdbinit", ".mozilla", ".local/bin", ".local/lib", ".cargo/bin",
        "bin", ".vscode", ".vscode-oss", ".vscode-server",
    ]
    private static let runLaterInSettings = [
        "autostart", "autostart-scripts", "plasma-workspace", "systemd", "environment.d", "fish", "zsh", "git", "nvim",
        "emacs", "tmux", "sway", "i3", "hypr", "chromium", "google-chrome", "BraveSoftware", "microsoft-edge",
        "vivaldi", "Code", "Code - OSS", "VSCodium",
    ]
    private static let runLaterInData = ["applications", "systemd", "dbus-1", "flatpak", "gnome-shell"]
}
