import Confinement
import Glibc

/// A folder that a bundle may change can be a git work tree, and the person's git runs outside what it finds in the
/// repository: hooks, settings, and whatever another file there leads it to. The bundle may only read it, and the broker
/// commits for it (``RepositoryCommit``).
enum RepositoryGuard {
    /// What else is to be said of `folder`, a path without links that is seen as `path` inside.
    static func places(in folder: String, seenAs path: String) -> [Enclosure.Place: Enclosure.Access] {
        var status = stat()
        // A folder, a file that names one elsewhere, or a link: named by itself it is a mount, and cannot be moved away.
        guard lstat("\(folder)/.git", &status) == 0 else { return [:] }
        return [.init(source: "\(folder)/.git", path: "\(path)/.git"): .read]
    }
}
