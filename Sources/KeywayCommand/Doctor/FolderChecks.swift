package import KeywaySystem

/// The folders of Keyway: there, and closed to everyone else.
package struct FolderChecks {
    private let machine: any Machine
    private let paths: KeywayPaths
    private let fixes: Bool

    /// Checks of the folders in `paths`.
    package init(machine: any Machine, paths: KeywayPaths, fixes: Bool) {
        self.machine = machine
        self.paths = paths
        self.fixes = fixes
    }

    /// All of them.
    package func run() -> [Check] {
        [
            check("folder:runtime", paths.runtime), check("folder:state", paths.state),
            check("folder:data", paths.data), runtimeOfTheSession,
        ] + backups
    }

    private func check(_ name: String, _ path: String) -> Check {
        guard let facts = machine.facts(path) else {
            let place = place(of: path)
            guard machine.isWritableFolder(place) else {
                return Check(
                    name, .failed, Strings.folderCannotBeMade(path, in: place), remedy: Strings.makeWritable(place))
            }
            guard fixes else { return Check(name, .ok, Strings.folderComesLater(path)) }
            return repair(name, Strings.folderMade(path)) { () throws(CommandError) in try machine.makeFolder(path) }
        }
        guard facts.kind == .folder else {
            return Check(name, .failed, Strings.notAFolder(path), remedy: Strings.remove(path))
        }
        guard facts.owner == machine.user else { return Check(name, .failed, Strings.foreignFolder(path)) }
        guard facts.mode & 0o077 != 0 else { return Check(name, .ok, path) }
        guard fixes else { return Check(name, .failed, Strings.openFolder(path), remedy: "chmod 700 \(path)") }
        return repair(name, Strings.folderClosed(path)) { () throws(CommandError) in try machine.setMode(path, 0o700) }
    }

    /// The first of the folders above that is there, or whatever stands in its place.
    private func place(of path: String) -> String {
        var place = path
        repeat {
            place = FilePath.folder(of: place)
        } while !place.isEmpty
            && machine.facts(place) == nil
        return place.isEmpty ? "/" : place
    }

    private func repair(_ name: String, _ done: String, _ body: () throws(CommandError) -> Void) -> Check {
        do {
            try body()
            return Check(name, .fixed, done)
        } catch {
            return Check(name, .failed, error.message)
        }
    }

    /// What the providers told is no matter for a backup: they send it again. What happened on this machine is none either.
    private var backups: [Check] {
        [("backups", paths.identities), ("backups:history", paths.history)].compactMap { name, folder in
            guard machine.facts(folder) != nil else { return nil }
            return machine.facts(folder + "/CACHEDIR.TAG") == nil
                ? Check(name, .warning, Strings.inBackups(folder), remedy: Strings.restartBroker)
                : Check(name, .ok, Strings.notInBackups(folder))
        }
    }

    /// Without a runtime folder of the session, sockets outlive a sign-out.
    private var runtimeOfTheSession: Check {
        paths.runtime.hasPrefix(paths.state)
            ? Check("session:runtime", .warning, Strings.noRuntimeFolder, remedy: Strings.setRuntimeFolder)
            : Check("session:runtime", .ok, paths.runtime)
    }
}
