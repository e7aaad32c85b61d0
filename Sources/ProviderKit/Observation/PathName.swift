import Glibc

/// Paths as text.
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
}
