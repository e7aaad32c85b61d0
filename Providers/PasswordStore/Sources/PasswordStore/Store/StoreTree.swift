import Foundation
import PassEntries

/// What is in a store, by names alone: nothing is decrypted.
struct StoreTree: Sendable {
    /// The most entries that are looked at.
    static let maximumEntries = 200_000
    /// The most folders that are looked at, each path counted: what is more would take longer than a person waits.
    static let maximumFolders = 50_000
    /// The most paths by which one folder is looked at. A folder may have another name (`youtube.com` → `google.com`);
    /// but two links in each folder to the next are twice as many paths with every folder.
    static let maximumPaths = 16
    private static let maximumDepth = 40

    /// The entries, sorted by name.
    private(set) var entries: [EntryName] = []
    /// The paths of the folders in which entries can appear.
    private(set) var folders: [String] = []

    /// Reads the names in the folder `root`. Names that begin with a dot are the store's own affair, and names that are
    /// no UTF-8 nobody can type; links are followed, as `pass` follows them, but not in circles, and only when all that
    /// is no link was looked at.
    init(root: String, maximumFolders: Int = Self.maximumFolders) {
        var inside = [Place(path: root, prefix: "", ancestors: [])]
        var linked: [Place] = []
        var visits: [FileNumber: Int] = [:]
        var next = 0
        while folders.count < maximumFolders {
            if let place = inside.popLast() {
                visit(place, &visits, &inside, &linked)
            } else if linked.indices.contains(next) {
                inside.append(linked[next])
                next += 1
            } else {
                break
            }
        }
        entries.sort()
    }

    /// A folder that is to be looked at.
    private struct Place {
        let path: String
        let prefix: String
        /// The folders that the path leads through.
        let ancestors: [FileNumber]
    }

    private mutating func visit(
        _ place: Place, _ visits: inout [FileNumber: Int], _ inside: inout [Place], _ linked: inout [Place]
    ) {
        var status = stat()
        guard stat(place.path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR,
            place.ancestors.count < Self.maximumDepth
        else { return }
        let number = FileNumber(device: status.st_dev, inode: status.st_ino)
        guard !place.ancestors.contains(number), visits[number, default: 0] < Self.maximumPaths,
            let folder = opendir(place.path)
        else { return }
        defer { closedir(folder) }
        visits[number, default: 0] += 1
        folders.append(place.path)
        while let entry = readdir(folder), entries.count < Self.maximumEntries {
            guard let name = Self.name(entry), !name.hasPrefix(".") else { continue }
            let path = "\(place.path)/\(name)"
            let (kind, isLink) = Self.kind(entry, path)
            switch kind {
            case S_IFDIR:
                let found = Place(
                    path: path, prefix: "\(place.prefix)\(name)/", ancestors: place.ancestors + [number])
                if !isLink {
                    inside.append(found)
                } else if linked.count < Self.maximumFolders {
                    linked.append(found)
                }
            case S_IFREG where name.hasSuffix(".gpg"):
                if let entry = EntryName(place.prefix + name.dropLast(4)) { entries.append(entry) }
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
    private static func kind(_ entry: UnsafeMutablePointer<dirent>, _ path: String) -> (mode_t, isLink: Bool) {
        switch Int(entry.pointee.d_type) {
        case Int(DT_DIR): return (S_IFDIR, false)
        case Int(DT_REG): return (S_IFREG, false)
        default:
            var own = stat()
            guard lstat(path, &own) == 0 else { return (0, false) }
            guard own.st_mode & S_IFMT == S_IFLNK else { return (own.st_mode & S_IFMT, false) }
            var status = stat()
            return (stat(path, &status) == 0 ? status.st_mode & S_IFMT : 0, true)
        }
    }
}

private struct FileNumber: Hashable {
    let device: dev_t
    let inode: ino_t
}
