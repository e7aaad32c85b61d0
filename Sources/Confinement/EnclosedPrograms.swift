import Glibc

/// The system's programs as one process sees them in its namespace: what is declared, by all names that lead to it, in
/// folders that are empty but for that.
struct EnclosedPrograms {
    /// The folders that are empty: those of the machine, but what is declared as a whole.
    let emptyFolders: [String]
    /// What lies in them all the same, by its path without links.
    let files: [String]
    /// The links in them that lead there, and what they say.
    let links: [(path: String, target: String)]

    /// What of this machine's programs `enclosure` declares.
    init(_ enclosure: Enclosure) {
        var ends: Set<String> = []
        var passed: [String: String] = [:]
        // A path of anywhere else is not the system's to show, wherever it leads by now.
        for path in enclosure.programs where Self.isSystems(path) {
            var links: [String: String] = [:]
            guard case .place(let end) = PathWalk.end(of: path, avoiding: [], passing: { links[$0] = $1 }) else {
                continue
            }
            ends.insert(end)
            passed.merge(links) { $1 }
        }
        let shown = ends.union(enclosure.privateFolders).union(enclosure.places.keys.flatMap { [$0.path, $0.source] })
        let empty = (SystemLayout.programFolders + SystemLayout.helperFolders).filter { folder in
            Self.isFolder(folder) && !shown.contains { $0 != "/" && PathWalk.isWithin(folder, $0) }
        }
        func isMissing(_ path: String) -> Bool { empty.contains { PathWalk.isWithin(path, $0) } }
        let missing = ends.filter(isMissing)
        // In a folder that is there, everything is.
        func isOutside(_ path: String) -> Bool { !missing.contains { $0 != path && PathWalk.isWithin(path, $0) } }
        emptyFolders = empty
        files = missing.filter(isOutside).sorted()
        links = passed.filter { isMissing($0.key) && isOutside($0.key) }.sorted { $0.key < $1.key }
            .map { (path: $0.key, target: $0.value) }
    }

    private static func isSystems(_ path: String) -> Bool {
        SystemLayout.systemFolders.contains { PathWalk.isWithin(path, $0) }
    }

    /// Whether it is one, which no link leads to: what that leads to is another one, or not there inside.
    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return PathWalk.end(of: path, avoiding: []) == .place(path) && lstat(path, &status) == 0
            && status.st_mode & S_IFMT == S_IFDIR
    }
}
