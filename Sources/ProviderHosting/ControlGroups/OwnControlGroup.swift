import Glibc

/// Where this process stands in the tree of control groups (cgroup v2).
struct OwnControlGroup {
    /// The folder of its group.
    let folder: String

    /// By the texts of `/proc/self/cgroup` and `/proc/self/mountinfo`; nil where no such tree is seen.
    init?(groups: String, mounts: String) {
        let own = groups.split(separator: "\n").first { $0.hasPrefix("0::/") }?.dropFirst(3)
        guard let own else { return nil }
        for line in mounts.split(separator: "\n") {
            let words = line.split(separator: " ")
            // Behind a hyphen, since fields before it come and go, stands which kind of file system it is.
            guard let hyphen = words.firstIndex(of: "-"), hyphen + 1 < words.count, hyphen > 4,
                words[hyphen + 1] == "cgroup2"
            else { continue }
            let (root, place) = (words[3], words[4])
            guard let rest = Self.path(own, below: root), !place.contains("\\") else { continue }
            folder = String(place) + (rest == "/" ? "" : String(rest))
            return
        }
        return nil
    }

    /// That of this process.
    static func current() -> OwnControlGroup? {
        OwnControlGroup(
            groups: ControlGroupFile.read("/proc/self/cgroup"), mounts: ControlGroupFile.read("/proc/self/mountinfo"))
    }

    private static func path(_ path: Substring, below root: Substring) -> Substring? {
        if root == "/" { return path }
        if path == root { return "/" }
        return path.hasPrefix(root + "/") ? path.dropFirst(root.utf8.count) : nil
    }
}
