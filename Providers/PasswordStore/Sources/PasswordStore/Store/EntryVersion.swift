import Foundation

/// Which version of its file an entry was read from. Every change makes another one, whoever makes it.
struct EntryVersion: Equatable, Sendable {
    private let device: dev_t
    private let inode: ino_t
    private let size: off_t
    private let times: [Int]

    /// The version that is there now; nil where there is none. To be taken before the file is read: what changes
    /// meanwhile is then another version.
    init?(ofFile path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = status.st_dev
        inode = status.st_ino
        size = status.st_size
        times = [status.st_mtim, status.st_ctim].flatMap { [$0.tv_sec, $0.tv_nsec] }
    }
}
