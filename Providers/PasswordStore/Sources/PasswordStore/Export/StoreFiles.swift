import Foundation
import PassEntries

/// The files of a store below an open folder, found without ever leaving it: by no link, and by no name that begins with
/// a dot (git's folder among them).
struct StoreFiles {
    /// The most entries that are looked at.
    static let mostEntries = 100_000
    private static let mostDepth = 40

    /// The entries, sorted by name.
    private(set) var entries: [EntryName] = []
    /// The links, which are not followed, and what else is left out: its name, and why.
    private(set) var skipped: [(name: String, reason: String)] = []

    private let root: CInt

    /// Reads the names below the folder that is open as `root`, which must stay open.
    init(root: CInt) {
        self.root = root
        visit(root, prefix: "", depth: 0)
        entries.sort()
    }

    /// What is in the file of an entry.
    ///
    /// - Throws: ``StoreError``: `notFound`, also where a link has taken its place, or `tooLarge`.
    func contents(of name: EntryName) throws(StoreError) -> SecretBuffer {
        var folder = dup(root)
        defer { close(folder) }
        for part in name.parts.dropLast() {
            let next = openat(folder, String(part), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            guard next >= 0 else { throw .notFound }
            close(folder)
            folder = next
        }
        let file = openat(folder, "\(name.last).gpg", O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard file >= 0 else { throw .notFound }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { throw .notFound }
        guard status.st_size <= EntryContents.maximumBytes * 2 else { throw .tooLarge }
        let size = Int(status.st_size)
        var count = 0
        let bytes = SecretBuffer(count: size) { room in
            while count < size {
                let read = Glibc.read(file, room.baseAddress?.advanced(by: count), size - count)
                if read < 0, errno == EINTR { continue }
                guard read > 0 else { break }
                count += read
            }
        }
        return bytes.slice(0..<count)
    }

    private mutating func visit(_ folder: CInt, prefix: String, depth: Int) {
        guard depth < Self.mostDepth else {
            return skipped.append((prefix, "It lies in more than \(Self.mostDepth) folders."))
        }
        for name in Self.names(in: folder) where !name.hasPrefix(".") {
            var status = stat()
            guard fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { continue }
            switch status.st_mode & S_IFMT {
            case S_IFLNK: skipped.append((prefix + name, "It is a link, and an import follows none."))
            case S_IFDIR:
                let inner = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
                guard inner >= 0 else {
                    skipped.append((prefix + name, "The folder can't be read."))
                    continue
                }
                visit(inner, prefix: "\(prefix)\(name)/", depth: depth + 1)
                close(inner)
            case S_IFREG where name.hasSuffix(".gpg"):
                guard let entry = EntryName(prefix + name.dropLast(4)) else {
                    skipped.append((prefix + name, "That is no name for an entry."))
                    continue
                }
                guard entries.count < Self.mostEntries else {
                    return skipped.append((prefix, "The store has more than \(Self.mostEntries) entries."))
                }
                entries.append(entry)
            default: break
            }
        }
    }

    /// The names in a folder that are text, sorted.
    private static func names(in folder: CInt) -> [String] {
        // A descriptor of its own: reading a folder moves on in it.
        let own = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard own >= 0, let stream = fdopendir(own) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream), names.count < mostEntries {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
                name.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: name.pointee)) {
                    String(validatingCString: $0)
                }
            }
            if let name { names.append(name) }
        }
        return names.sorted()
    }
}
