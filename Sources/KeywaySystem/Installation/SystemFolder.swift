import Glibc

/// Whether what lies in a folder was put there by the system's administrator.
package enum SystemFolder {
    /// Whether `path` and every folder above it belong to root, and nobody else can write there.
    ///
    /// A folder that is not there yet is the system's where only root could make it. A folder above it in which others
    /// may make files, but rename and remove their own only (the sticky bit, as `/tmp` has it), is no harm as long as the
    /// next one is there and root's. A folder that cannot be looked at is nobody's. Links are not followed: whoever
    /// asks resolves them first.
    package static func isOne(_ path: String) -> Bool {
        var current = ""
        var isShared = false
        let parts: [Substring] = [""] + path.split(separator: "/")
        for part in parts {
            current += current.hasSuffix("/") ? String(part) : "/\(part)"
            var status = stat()
            guard lstat(current, &status) == 0 else { return errno == ENOENT && !isShared }
            guard status.st_mode & S_IFMT == S_IFDIR, status.st_uid == 0 else { return false }
            isShared = status.st_mode & 0o022 != 0
            if isShared && status.st_mode & S_ISVTX == 0 { return false }
        }
        return !isShared
    }
}

/// A folder by the path that leads to it without links; the part that is not there yet stays as it is written.
struct RealFolder: Equatable {
    /// The path: absolute, without slashes at its end or in a row.
    let path: String
    private let device: UInt
    private let inode: UInt

    init(_ written: String) {
        var rest: [Substring] = written.split(separator: "/")
        var missing: [Substring] = []
        var found: String?
        while found == nil && !rest.isEmpty {
            found = Self.resolved("/" + rest.joined(separator: "/"))
            if found == nil { missing.insert(rest.removeLast(), at: 0) }
        }
        let base = found.map { $0 == "/" ? "" : $0 } ?? ""
        path = missing.isEmpty && !base.isEmpty ? base : base + "/" + missing.joined(separator: "/")
        var status = stat()
        let isThere = stat(path, &status) == 0
        device = isThere ? UInt(status.st_dev) : 0
        inode = isThere ? UInt(status.st_ino) : 0
    }

    /// The same folder, be it mounted at two places.
    static func == (one: RealFolder, other: RealFolder) -> Bool {
        one.path == other.path || one.inode != 0 && (one.device, one.inode) == (other.device, other.inode)
    }

    /// Each folder where it stands first.
    static func distinct(_ folders: [RealFolder]) -> [RealFolder] {
        folders.reduce(into: []) { result, folder in
            if !result.contains(folder) { result.append(folder) }
        }
    }

    private static func resolved(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }
}
