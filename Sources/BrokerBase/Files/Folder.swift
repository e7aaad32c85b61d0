import Glibc
package import KeywaySystem

/// The names in a folder.
package enum Folder {
    /// All but `.` and `..`, sorted; none where the folder cannot be read.
    package static func entries(_ path: String) -> [String] { (try? listed(path)) ?? [] }

    /// The same; none where there is no such folder.
    ///
    /// - Throws: ``ProtocolError`` with the code `system` where there is one that cannot be read.
    package static func listed(_ path: String) throws(ProtocolError) -> [String] {
        guard let folder = opendir(path) else {
            if errno == ENOENT { return [] }
            throw ProtocolError.system("opendir", errno)
        }
        defer { closedir(folder) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(folder) else {
                if errno != 0 { throw ProtocolError.system("readdir", errno) }
                break
            }
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }
}
