import Confinement
import Glibc
import KeywaySystem

/// A folder that a bundle may change can hold the person's password store, and `pass` runs, outside, what lies in
/// `.extensions` there. The bundle may only read that.
enum PasswordStoreGuard {
    /// The stores: the one that the environment names, and where it lies otherwise.
    static func stores(in values: [String: String]) -> [String] {
        ProgramFolder.all("PASSWORD_STORE_DIR", in: values)
    }

    /// Where a store keeps programs.
    static func extensions(of store: String) -> String { "\(store)/.extensions" }

    /// What else is to be said of `folder`, a path without links that is seen as `path` inside, for that store.
    ///
    /// - Throws: ``ProtocolError`` with the code `refused` where what holds the programs cannot be kept as it is.
    static func places(
        of store: String, in folder: String, seenAs path: String, of identifier: String
    ) throws(ProtocolError) -> [Enclosure.Place: Enclosure.Access] {
        let store = PathWalk.canonical(store)
        guard PathWalk.isWithin(store, folder), kind(store) == S_IFDIR else { return [:] }
        let extensions = Self.extensions(of: store)
        // What is not there could be made.
        if kind(extensions) == nil { mkdir(extensions, 0o700) }
        guard kind(extensions) == S_IFDIR else {
            // A link could be led elsewhere.
            throw ProtocolError(
                .refused, "\(extensions) is no folder, so what `pass` runs could be changed.", provider: identifier)
        }
        func place(_ source: String) -> Enclosure.Place {
            .init(source: source, path: path + source.dropFirst(folder.count))
        }
        // Named by itself, the store is a mount, and so cannot be moved away with what lies in it.
        return [place(store): .write, place(extensions): .read]
    }

    private static func kind(_ path: String) -> mode_t? {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
    }
}
