import Glibc

/// Where a path leads, link by link.
package enum PathWalk {
    /// What is found at its end.
    package enum End: Hashable, Sendable {
        /// The path without links.
        case place(String)
        /// Something on the way is missing.
        case nothing
        /// The way leads through a folder that was to be avoided: whoever may change that decides where it ends.
        case avoided
    }

    /// Links that lead in a circle lead nowhere: as many as the kernel follows.
    package static let maximumLinks = 40

    /// Follows `path`, and looks nothing up in, or below, any of `folders`, which are paths without links.
    ///
    /// - Parameter passing: is told of each link on the way: its own path, without links, and what it says.
    package static func end(
        of path: String, avoiding folders: some Collection<String>,
        passing: (_ link: String, _ target: String) -> Void = { _, _ in }
    ) -> End {
        var names = Self.names(path)
        var place = ""
        var links = 0
        while let name = names.popLast() {
            if name == ".." {
                place = String(place[..<(place.lastIndex(of: "/") ?? place.startIndex)])
                continue
            }
            if folders.contains(where: { isWithin(place, $0) }) { return .avoided }
            let next = "\(place)/\(name)"
            var status = stat()
            guard lstat(next, &status) == 0 else { return .nothing }
            guard status.st_mode & S_IFMT == S_IFLNK else {
                place = next
                continue
            }
            links += 1
            guard links <= maximumLinks, let target = target(of: next) else { return .nothing }
            passing(next, target)
            if target.hasPrefix("/") { place = "" }
            names += Self.names(target)
        }
        return .place(place.isEmpty ? "/" : place)
    }

    /// The path without links, as far as it is there.
    package static func canonical(_ path: String) -> String {
        var known = path[...]
        while !known.isEmpty {
            if case .place(let place) = end(of: String(known), avoiding: []) {
                let rest = path[known.endIndex...]
                return place == "/" && !rest.isEmpty ? String(rest) : place + rest
            }
            known = known[..<(known.lastIndex(of: "/") ?? known.startIndex)]
        }
        return path
    }

    /// Whether `path` is `folder`, or lies in it.
    package static func isWithin(_ path: String, _ folder: String) -> Bool {
        path == folder || path.hasPrefix(folder == "/" ? "/" : folder + "/")
    }

    /// The parts of a path, the last one first.
    package static func names(_ path: String) -> [Substring] {
        path.split(separator: "/").filter { $0 != "." }.reversed()
    }

    /// What a link says; nil where there is none.
    package static func target(of link: String) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(link, &buffer, buffer.count)
        return count > 0 ? String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
    }
}
