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

    /// What a wait ended with.
    enum Outcome {
        case changed
        case timedOut
        /// The other end of `lifeline` is gone.
        case over
    }

    /// Waits until something changed and nothing has for a moment, so that a `git pull` is one change.
    func wait(for limit: Duration, quiet: Duration, lifeline: CInt) -> Outcome {
        var outcome = poll(limit, lifeline)
        guard outcome == .changed else { return outcome }
        // A store that never rests is looked at all the same.
        let deadline = ContinuousClock.now + quiet * 10
        repeat {
            drain()
            outcome = poll(quiet, lifeline)
        } while outcome == .changed && .now < deadline
        return outcome == .over ? .over : .changed
    }

    private func poll(_ limit: Duration, _ lifeline: CInt) -> Outcome {
        var waiting = [
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
            // Only its end is of interest: what arrives there, others read.
            pollfd(fd: lifeline, events: 0, revents: 0),
        ]
        let count = Glibc.poll(&waiting, nfds_t(waiting.count), CInt(limit / .milliseconds(1)))
        if waiting[1].revents != 0 { return .over }
        return count > 0 && waiting[0].revents != 0 ? .changed : .timedOut
    }

    private func drain() {
        var buffer = [UInt8](repeating: 0, count: 1 << 14)
        while read(descriptor, &buffer, buffer.count) > 0 {}
    }
}
