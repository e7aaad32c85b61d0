import Glibc

/// Paths, and where they lead.
enum PathName {
    /// An absolute path without `.`, `..` and repeated slashes; links are not followed.
    static func normal(_ path: String) -> String {
        var parts: [Substring] = []
        for part in path.split(separator: "/") where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(part) }
        }
        return "/" + parts.joined(separator: "/")
    }

    /// Whether `path` is `folder` or lies in it.
    static func lies(_ path: String, in folder: String) -> Bool {
        path == folder || path.hasPrefix(folder.hasSuffix("/") ? folder : folder + "/")
    }

    /// Whether there is a folder.
    static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// What a symbolic link points to; nil when there is none, or it may not be read.
    static func target(ofLink path: String) -> String? {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = buffer.withUnsafeMutableBytes { room in
            room.withMemoryRebound(to: CChar.self) { room in
                room.baseAddress.map { readlink(path, $0, room.count) } ?? -1
            }
        }
        return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
    }

    /// The path with all links followed; as it is where there is nothing.
    static func real(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return normal(path) }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// Where an absolute path leads: its folders without links, and, with `isFollowed`, the file behind a link too. What
    /// is not there yet keeps its name.
    static func destination(of path: String, following isFollowed: Bool) -> String {
        var path = path
        // As many links as the kernel follows.
        for _ in 0..<40 {
            let isFolder = path.hasSuffix("/")
            let (folder, last) = split(path)
            guard !["", ".", ".."].contains(last) else { return existing(path) }
            let parent = existing(folder)
            let name = parent == "/" ? "/" + last : parent + "/" + last
            guard isFollowed || isFolder, let target = target(ofLink: name) else { return name }
            path = target.hasPrefix("/") ? target : parent + "/" + target
        }
        return normal(path)
    }

    /// The path with all links followed, as far as there is something.
    private static func existing(_ path: String) -> String {
        if let resolved = realpath(path, nil) {
            defer { free(resolved) }
            return String(cString: resolved)
        }
        let (folder, last) = split(path)
        return last.isEmpty ? "/" : normal(existing(folder) + "/" + last)
    }

    private static func split(_ path: String) -> (folder: String, last: String) {
        let parts = path.split(separator: "/")
        return ("/" + parts.dropLast().joined(separator: "/"), parts.last.map(String.init) ?? "")
    }
}
