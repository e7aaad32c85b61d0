import Glibc

/// The program that sets up a confined process: its own namespaces, and of the file system only what an ``Enclosure``
/// names.
package struct Bubblewrap: Sendable {
    /// Where it lies. A path of the person's, or what `PATH` names, would be somebody else's program.
    package static let path = "/usr/bin/bwrap"
    /// Where `keyway-confine` is seen inside.
    package static let confine = "/run/keyway-confine"
    /// The most bytes that files in folders of its own take: they lie in memory.
    static let folderBytes = 64 << 20

    private let layout: SystemLayout
    private let confinePath: String

    /// For programs that run on `layout`, and `keyway-confine` at `confine`.
    package init(layout: SystemLayout, confine: String) {
        self.layout = layout
        confinePath = confine
    }

    /// What is wrong with the program, in words; nil when it is there and nobody but root can have put it there.
    package static func problem(at path: String = path) -> String? {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return "bubblewrap is not installed (\(path)); install the package bubblewrap"
        }
        guard status.st_uid == 0, status.st_mode & 0o022 == 0 else {
            return "\(path) does not belong to root alone, so it is not run"
        }
        return nil
    }

    /// The arguments that run `command` in `enclosure`.
    package func arguments(_ enclosure: Enclosure, _ command: ConfineCommand) -> [String] {
        var arguments = [
            "--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try",
            "--die-with-parent", "--cap-drop", "ALL", "--hostname", "keyway",
        ]
        if !enclosure.usesNetwork { arguments.append("--unshare-net") }
        let programs = EnclosedPrograms(enclosure)
        arguments += system(enclosure.usesNetwork, programs)
        for folder in ["/tmp", "/dev/shm"] { arguments += Self.memory(folder, "1777") }
        for folder in enclosure.privateFolders.sorted() where folder != "/" { arguments += Self.memory(folder, "0700") }
        for (place, access) in enclosure.sortedPlaces {
            arguments += [access == .write ? "--bind" : "--ro-bind", place.source, place.path]
        }
        for path in enclosure.hidden { arguments += Self.memory(path, "0700") + ["--remount-ro", path] }
        // What is declared in them has its place by now.
        for folder in programs.emptyFolders { arguments += ["--remount-ro", folder] }
        arguments += ["--ro-bind", confinePath, Self.confine, "--remount-ro", "/", "--chdir", "/", "--"]
        return arguments + [Self.confine] + command.arguments
    }

    /// The command that holds a program, inside, to what `enclosure` names.
    package func command(
        _ enclosure: Enclosure, _ action: ConfineCommand.Action, report: Int32?
    ) -> ConfineCommand {
        var command = ConfineCommand(limits: enclosure.limits, action: action, report: report)
        command.usesNetwork = enclosure.usesNetwork
        command.readable = SystemLayout.readableFolders + ["/etc", "/proc"] + layout.libraryFolders
        command.writable = ["/tmp", "/dev/shm"] + enclosure.privateFolders.filter { $0 != "/" }.sorted()
        command.devices = SystemLayout.devices + SystemLayout.terminals
        command.runnable = SystemLayout.loaders + enclosure.programs
        command.add(enclosure, \.path)
        return command
    }

    private func system(_ usesNetwork: Bool, _ programs: EnclosedPrograms) -> [String] {
        var arguments = ["--proc", "/proc", "--dev", "/dev"]
        for folder in SystemLayout.systemFolders {
            if let target = PathWalk.target(of: folder) {
                arguments += ["--symlink", target, folder]
            } else if !programs.emptyFolders.contains(folder) {
                arguments += ["--ro-bind-try", folder, folder]
            }
        }
        for folder in programs.emptyFolders { arguments += ["--perms", "0755", "--tmpfs", folder] }
        // What was removed since it was looked for is missing inside, too.
        for path in programs.files { arguments += ["--ro-bind-try", path, path] }
        for (path, target) in programs.links { arguments += ["--symlink", target, path] }
        for path in SystemLayout.settings + (usesNetwork ? SystemLayout.networkSettings : []) {
            if let target = PathWalk.target(of: path), target.hasPrefix("/usr/") {
                arguments += ["--symlink", target, path]
            } else {
                arguments += ["--ro-bind-try", path, path]
            }
        }
        if let accounts = layout.accounts {
            arguments += ["--ro-bind", accounts.users, "/etc/passwd", "--ro-bind", accounts.groups, "/etc/group"]
        }
        for folder in layout.libraryFolders { arguments += ["--ro-bind", folder, folder] }
        return arguments
    }

    private static func memory(_ folder: String, _ mode: String) -> [String] {
        ["--perms", mode, "--size", "\(folderBytes)", "--tmpfs", folder]
    }
}

extension ConfineCommand {
    /// Names the places of an enclosure, by the paths that they have where the command runs.
    package mutating func add(_ enclosure: Enclosure, _ path: (Enclosure.Place) -> String) {
        for (place, access) in enclosure.sortedPlaces {
            switch access {
            case .read: readable.append(path(place))
            case .write: writable.append(path(place))
            case .run: runnable.append(path(place))
            }
        }
    }
}

/// The same without namespaces, for keepers of secrets and where the machine gives none: what Landlock and the filter of
/// system calls can forbid.
package struct BareConfinement: Sendable {
    private let layout: SystemLayout

    /// For programs that run on `layout`.
    package init(layout: SystemLayout) {
        self.layout = layout
    }

    /// The command that holds a program to what `enclosure` names.
    package func command(
        _ enclosure: Enclosure, _ action: ConfineCommand.Action, needsLandlock: Bool, report: Int32?
    ) -> ConfineCommand {
        var command = ConfineCommand(limits: enclosure.limits, action: action, report: report)
        command.usesNetwork = enclosure.usesNetwork
        command.isKeeper = enclosure.isKeeper
        command.needsLandlock = needsLandlock
        // The kernel would count every thread of the person's, and a browser alone has hundreds.
        command.limits.processes = nil
        command.readable =
            SystemLayout.readableFolders + SystemLayout.settings + ["/etc/passwd", "/etc/group", "/proc"]
            + layout.libraryFolders
        if enclosure.usesNetwork { command.readable += SystemLayout.networkSettings }
        command.devices = SystemLayout.devices
        command.runnable = SystemLayout.loaders + enclosure.programs
        command.add(enclosure, \.source)
        return command
    }
}
