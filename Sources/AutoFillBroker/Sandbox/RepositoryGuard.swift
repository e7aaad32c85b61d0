import Confinement
import Glibc

/// A folder that a bundle may change can be a git work tree, and the person's git runs outside whatever hooks and settings
/// it finds there. The bundle may commit; those it may only read.
enum RepositoryGuard {
    /// What else is to be said of `folder`, a path without links that is seen as `path` inside.
    static func places(in folder: String, seenAs path: String) -> [Enclosure.Place: Enclosure.Access] {
        func place(_ name: String) -> Enclosure.Place { .init(source: "\(folder)/\(name)", path: "\(path)/\(name)") }
        switch kind("\(folder)/.git") {
        case S_IFREG:
            // It names the repository; another one would have other hooks.
            return [place(".git"): .read]
        case S_IFDIR:
            if kind("\(folder)/.git/hooks") == nil { mkdir("\(folder)/.git/hooks", 0o700) }
            guard kind("\(folder)/.git/hooks") == S_IFDIR, kind("\(folder)/.git/config") == S_IFREG else {
                // A link could be led elsewhere.
                return [place(".git"): .read]
            }
            // Named by itself, `.git` is a mount, and so cannot be moved away with what lies in it.
            return [place(".git"): .write, place(".git/hooks"): .read, place(".git/config"): .read]
        default: return [:]
        }
    }

    private static func kind(_ path: String) -> mode_t? {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
    }
}
