import Glibc
import Importing
import KeywaySystem

/// The folder of a profile, open: files in it are read whole into memory, and no link is followed.
struct ProfileFolder {
    /// The most bytes that are read of a file.
    static let longestFile = 128 << 20
    /// How often a file is read again that changes meanwhile.
    private static let attempts = 8

    /// The folder.
    let descriptor: CInt

    /// What is in a file.
    ///
    /// - Returns: nil where there is none.
    /// - Throws: ``ImportError``: `unsupported` for what is no file, `tooLarge`, `failed`.
    func contents(_ name: String) throws(ImportError) -> [UInt8]? {
        let number = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard number >= 0 else {
            if errno == ENOENT { return nil }
            throw ImportError(errno == ELOOP ? .unsupported : .failed, Self.complaint(name, errno))
        }
        let file = OwnedDescriptor(number)
        var status = stat()
        guard fstat(number, &status) == 0 else { throw ImportError(.failed, "fstat: \(errno)") }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw ImportError(.unsupported, "\(name) in the profile is no file")
        }
        guard status.st_size <= off_t(Self.longestFile) else {
            throw ImportError(.tooLarge, "\(name) in the profile has more than \(Self.longestFile >> 20) MiB")
        }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        let count = bytes.withUnsafeMutableBytes { WholeTransfer.read(into: $0, from: file.rawValue, at: 0) }
        guard let count else { throw ImportError(.failed, "read: \(errno)") }
        bytes.removeLast(bytes.count - count)
        return bytes
    }

    private static func complaint(_ name: String, _ number: CInt) -> String {
        number == ELOOP ? "\(name) in the profile is a link" : "\(name) in the profile can't be read"
    }

    /// A file and those that belong to it, all of one moment: nothing was written to any while they were read.
    ///
    /// - Returns: the contents, as ``contents(_:)`` returns them, in order.
    /// - Throws: as ``contents(_:)``; `failed` where the browser writes all the time.
    func together(_ names: [String]) throws(ImportError) -> [[UInt8]?] {
        for _ in 0..<Self.attempts {
            let before = names.map(state)
            var all: [[UInt8]?] = []
            for name in names { all.append(try contents(name)) }
            if names.map(state) == before { return all }
        }
        throw ImportError(.failed, "the browser is writing to \(names.first ?? "") in the profile")
    }

    private struct State: Equatable {
        let inode: UInt64
        let size: Int
        let seconds: Int
        let nanoseconds: Int
    }

    private func state(_ name: String) -> State? {
        var status = stat()
        guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        return State(
            inode: UInt64(status.st_ino), size: Int(status.st_size), seconds: status.st_mtim.tv_sec,
            nanoseconds: status.st_mtim.tv_nsec)
    }

    /// Whether a name is that of a file, and no link.
    func hasFile(_ name: String) -> Bool {
        var status = stat()
        return fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 && status.st_mode & S_IFMT == S_IFREG
    }
}
