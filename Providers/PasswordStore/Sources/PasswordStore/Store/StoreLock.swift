import Foundation

/// The right to change a store, which one holder has at a time: each terminal has an extension of its own, and all of
/// them write into one store.
///
/// It is a lock (flock) on the store's folder itself, so there is no file of it, and git has nothing to see. `pass` knows
/// of no lock: what it writes is noticed by ``EntryVersion``.
final class StoreLock: Sendable {
    private static let interval = Duration.milliseconds(10)

    private let folder: CInt

    /// Waits for the right to change the store in `path`.
    ///
    /// A file system that cannot lock a folder (NFS) is changed without it.
    ///
    /// - Throws: ``StoreError``: `noStore`, or `failed` when others have it for longer than `limit`; and
    ///   `CancellationError`.
    init(_ path: String, limit: Duration = .seconds(60)) async throws {
        folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw StoreError.noStore(path) }
        let end = ContinuousClock.now + limit
        // Asked again and again, since waiting would hold a thread that all tasks share.
        while flock(folder, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK || errno == EINTR {
            guard ContinuousClock.now < end else { throw StoreError.failed("The password store is being changed.") }
            try await Task.sleep(for: Self.interval)
        }
    }

    /// Gives it back. A holder calls this, rather than to let go of the object: that may happen as soon as it is used no
    /// more, before the change is made.
    func release() {
        flock(folder, LOCK_UN)
    }

    deinit {
        if folder >= 0 { close(folder) }
    }
}
