import Glibc

/// Paths, as text: nothing is looked up.
package enum FilePath {
    /// The folder that the path leads into; empty for what lies in `/`, and for a name alone.
    package static func folder(of path: some StringProtocol) -> String {
        String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    }

    /// The last part of the path; the path itself where there is none.
    package static func name(of path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
    }
}
