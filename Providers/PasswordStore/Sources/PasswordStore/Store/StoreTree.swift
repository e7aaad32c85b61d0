import Foundation

/// What is in a store, by names alone: nothing is decrypted.
struct StoreTree: Sendable {
    /// The most entries that are looked at.
    static let maximumEntries = 200_000
    private static let maximumDepth = 40

    /// The entries, sorted by name.
    private(set) var entries: [EntryName] = []
    /// The paths of the folders in which entries can appear.
    private(set) var folders: [String] = []

    /// Reads the names in the folder `root`. Names that begin with a dot are the store's own affair, and names that are
    /// no UTF-8 nobody can type; links are followed, as `pass` follows them, but not in circles.
    init(root: String) {
        var ancestors: [FileNumber] = []
        visit(root, prefix: "", &ancestors)
        entries.sort()
    }

    private mutating func visit(_ path: String, prefix: String, _ ancestors: inout [FileNumber]) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, ancestors.count < Self.maximumDepth else {
            return
        }
        let number = FileNumber(device: status.st_dev, inode: status.st_ino)
        guard !ancestors.contains(number), let folder = opendir(path) else { return }
        defer { closedir(folder) }
        folders.append(path)
        ancestors.append(number)
        defer { ancestors.removeLast() }
        while let entry = readdir(folder), entries.count < Self.maximumEntries {
            guard let name = Self.name(entry), !name.hasPrefix(".") else { continue }
            switch Self.kind(entry, "\(path)/\(name)") {
            case S_IFDIR: visit("\(path)/\(name)", prefix: "\(prefix)\(name)/", &ancestors)
            case S_IFREG where name.hasSuffix(".gpg"):
                if let entry = EntryName(prefix + name.dropLast(4)) { entries.append(entry) }
            default: break
            }
        }
    }

    private static func name(_ entry: UnsafeMutablePointer<dirent>) -> String? {
        withUnsafePointer(to: &entry.pointee.d_name) { name in
            name.withMemoryRebound(to: UInt8.self, capacity: MemoryLayout.size(ofValue: name.pointee)) {
                String(validatingCString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
            }
        }
    }

    /// What stands there; for a link, what it leads to.
    private static func kind(_ entry: UnsafeMutablePointer<dirent>, _ path: String) -> mode_t {
        switch Int(entry.pointee.d_type) {
        case Int(DT_DIR): return S_IFDIR
        case Int(DT_REG): return S_IFREG
        default:
            var status = stat()
            return stat(path, &status) == 0 ? status.st_mode & S_IFMT : 0
        }
    }
}

private struct FileNumber: Hashable {
    let device: dev_t
    let inode: ino_t
}
