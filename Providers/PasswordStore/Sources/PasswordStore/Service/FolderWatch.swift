import Foundation

/// Tells when names in folders change (inotify). Where the system has no watches left, nothing is told, and whoever
/// waits looks again after a while.
final class FolderWatch {
    private static let events = UInt32(IN_CREATE | IN_DELETE | IN_MOVE | IN_DELETE_SELF | IN_MOVE_SELF | IN_CLOSE_WRITE)

    private let descriptor: CInt
    private var numbers: Set<CInt> = []

    /// Watches nothing yet.
    init() {
        descriptor = inotify_init1(CInt(IN_CLOEXEC | IN_NONBLOCK))
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Watches these folders, and no others any more.
    func watch(_ folders: [String]) {
        let new = Set(folders.map { inotify_add_watch(descriptor, $0, Self.events) }.filter { $0 >= 0 })
        for number in numbers.subtracting(new) { inotify_rm_watch(descriptor, number) }
        numbers = new
    }

    /// Waits until something changed and nothing has for a moment, so that a `git pull` is one change; or until the time
    /// is over.
    func wait(for limit: Duration, quiet: Duration) {
        guard hasNews(within: limit) else { return }
        // A store that never rests is looked at all the same.
        let deadline = ContinuousClock.now + quiet * 10
        repeat { drain() } while hasNews(within: quiet) && .now < deadline
    }

    private func hasNews(within limit: Duration) -> Bool {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&waiting, 1, CInt(limit / .milliseconds(1))) > 0
    }

    private func drain() {
        var buffer = [UInt8](repeating: 0, count: 1 << 14)
        while read(descriptor, &buffer, buffer.count) > 0 {}
    }
}
