import Confinement
import Glibc
import KeywaySystem
import Synchronization

/// Tells whether any of the files behind a cached answer has changed (inotify(7)), so that the files are read again
/// only then.
///
/// The kernel queues a change before the call that made it returns, so a check afterwards sees it. If the kernel can't
/// report changes, or may have missed some, everything counts as changed (Docs/decisions/0031-asking-the-kernel.md).
package final class FileWatch: Sendable {
    /// The one that everybody in this process shares: the kernel gives a user few of them.
    package static let ofThisProcess = FileWatch()

    private struct State {
        var watches: [CInt: WatchedFile] = [:]
        var traces: [Int: Trace] = [:]
        var nextTrace = 0
        var buffer: [UInt8]
    }

    /// What is known of one ``FileTrace``.
    private struct Trace {
        var hasChanged = false
        var watches: Set<CInt> = []
        var paths: Set<String> = []
    }

    /// The most that is read for one question: more than the kernel queues.
    private static let maximumReads = 256

    private let notifications: OwnedDescriptor?
    private let mounts: OwnedDescriptor?
    private let isLocal: @Sendable (_ path: String) -> Bool
    private let state: Mutex<State>

    /// A watch over nothing yet.
    ///
    /// - Parameters:
    ///   - open: `inotify_init1`; negative where the kernel gives no more of them.
    ///   - isLocal: whether the kernel tells of every change in the file system that a path lies in.
    package init(
        open: () -> CInt = { inotify_init1(CInt(IN_NONBLOCK) | CInt(IN_CLOEXEC)) },
        isLocal: @escaping @Sendable (_ path: String) -> Bool = LocalFileSystem.holds
    ) {
        let descriptor = open()
        notifications = descriptor >= 0 ? OwnedDescriptor(descriptor) : nil
        // A file system that is mounted over a folder is no change of the folder; this file tells of it (proc(5)).
        let table = Glibc.open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC)
        mounts = table >= 0 ? OwnedDescriptor(table) : nil
        self.isLocal = isLocal
        state = Mutex(State(buffer: [UInt8](repeating: 0, count: 1 << 16)))
    }

    /// A new trace, of nothing yet.
    package func trace() -> FileTrace {
        let canTell = notifications != nil && mounts != nil
        let number = state.withLock { state in
            state.nextTrace += 1
            state.traces[state.nextTrace] = Trace(hasChanged: !canTell)
            return state.nextTrace
        }
        return FileTrace(watch: self, number: number)
    }

    // MARK: - For traces

    func isUnchanged(_ number: Int) -> Bool {
        state.withLock { state in
            guard state.traces[number]?.hasChanged == false else { return false }
            hear(&state)
            return state.traces[number]?.hasChanged == false
        }
    }

    func add(_ paths: [String], listed: Bool, to number: Int) -> Bool {
        state.withLock { state in
            guard var trace = state.traces[number] else { return false }
            let new = paths.filter { trace.paths.insert($0).inserted }
            // What was changed before counts for those who were there.
            if !trace.hasChanged { hear(&state) }
            state.traces[number]?.paths = trace.paths
            for path in new where state.traces[number]?.hasChanged == false {
                if !follow(path, listed: listed, for: number, &state) { state.traces[number]?.hasChanged = true }
            }
            return !new.isEmpty
        }
    }

    func forget(_ number: Int) {
        state.withLock { state in
            guard let trace = state.traces.removeValue(forKey: number) else { return }
            for watch in trace.watches {
                state.watches[watch]?.forget(number)
                guard state.watches[watch]?.isWanted == false else { continue }
                state.watches[watch] = nil
                if let notifications { inotify_rm_watch(notifications.rawValue, watch) }
            }
        }
    }

    // MARK: - Watching

    /// Watches whatever decides what is found at `path`: each folder on the way, for the names that the way takes in it, and
    /// the file itself, which other names may lead to.
    ///
    /// A folder is watched before anything is looked up in it: what is changed meanwhile is told.
    ///
    /// - Returns: false where the kernel would not tell.
    private func follow(_ path: String, listed: Bool, for trace: Int, _ state: inout State) -> Bool {
        var names = PathWalk.names(path)
        var place = ""
        var links = 0
        while let name = names.popLast() {
            if name == ".." {
                place = FilePath.folder(of: place)
                continue
            }
            let folder = place.isEmpty ? "/" : place
            guard watch(folder, WatchedFile.folderEvents, for: trace, of: String(name), &state) else {
                // Nothing is seen in it either; when that changes, the folder above tells.
                return errno == EACCES && access(folder, X_OK) != 0
            }
            let next = "\(place)/\(name)"
            var status = stat()
            guard lstat(next, &status) == 0 else {
                // Nothing is there, or the folder lets nobody see: when that changes, the folder tells.
                return [ENOENT, EACCES, ENAMETOOLONG].contains(errno)
            }
            switch status.st_mode & S_IFMT {
            case S_IFDIR: place = next
            case S_IFLNK:
                links += 1
                guard links <= PathWalk.maximumLinks else { return true }
                guard let target = PathWalk.target(of: next) else { return false }
                if target.hasPrefix("/") { place = "" }
                names += PathWalk.names(target)
            default:
                // A file that may not be read cannot be watched: its folder tells of its permissions.
                return watch(next, WatchedFile.fileEvents, for: trace, of: nil, &state) || errno == EACCES
            }
        }
        let folder = place.isEmpty ? "/" : place
        return watch(folder, WatchedFile.folderEvents, for: trace, of: listed ? WatchedFile.everyName : nil, &state)
            || errno == EACCES && !listed
    }

    /// Watches one file or folder.
    ///
    /// - Parameter name: whose events count for the trace, beside those of the file or folder itself.
    private func watch(
        _ path: String, _ events: UInt32, for trace: Int, of name: String?, _ state: inout State
    ) -> Bool {
        guard let notifications else { return false }
        // Links were followed: one that is there now was put there meanwhile, which is told.
        let events = events | UInt32(IN_DONT_FOLLOW) | UInt32(IN_MASK_ADD)
        let watch = inotify_add_watch(notifications.rawValue, path, events)
        guard watch >= 0 else { return false }
        state.watches[watch, default: WatchedFile(isLocal: isLocal(path))].add(trace, name)
        state.traces[trace]?.watches.insert(watch)
        errno = EXDEV
        return state.watches[watch]?.isLocal == true
    }

    // MARK: - Hearing

    /// Reads what the kernel has to tell.
    private func hear(_ state: inout State) {
        guard let notifications, let mounts else { return }
        var entries = [
            pollfd(fd: notifications.rawValue, events: Int16(POLLIN), revents: 0),
            pollfd(fd: mounts.rawValue, events: Int16(POLLPRI), revents: 0),
        ]
        let count = poll(&entries, 2, 0)
        guard count != 0 else { return }
        guard count > 0, entries[1].revents == 0 else { return changeAll(&state) }
        for _ in 0..<Self.maximumReads {
            let count = state.buffer.withUnsafeMutableBytes {
                Glibc.read(notifications.rawValue, $0.baseAddress, $0.count)
            }
            if count < 0, errno == EAGAIN { return }
            guard count > 0 else { return changeAll(&state) }
            for event in WatchEvent.events(in: state.buffer[..<count]) { take(event, &state) }
        }
        // Somebody changes faster than we read.
        changeAll(&state)
    }

    private func take(_ event: WatchEvent, _ state: inout State) {
        guard !event.isOverflow else { return changeAll(&state) }
        for trace in state.watches[event.watch]?.traces(for: event) ?? [] { state.traces[trace]?.hasChanged = true }
        // The kernel has let go of it, and may give its number to another one.
        if event.isLast { state.watches[event.watch] = nil }
    }

    private func changeAll(_ state: inout State) {
        for number in state.traces.keys { state.traces[number]?.hasChanged = true }
    }
}

/// The files that one answer was made from, from before it was made.
///
/// First the paths are added, then whoever makes the answer looks at them: what happens in between counts as a change.
package final class FileTrace: Sendable {
    private let watch: FileWatch
    private let number: Int

    fileprivate init(watch: FileWatch, number: Int) {
        self.watch = watch
        self.number = number
    }

    deinit {
        watch.forget(number)
    }

    /// Adds what is, or is not, at these paths.
    ///
    /// - Returns: whether one of them is new here.
    @discardableResult
    package func add(_ paths: [String]) -> Bool { watch.add(paths, listed: false, to: number) }

    /// Adds the names of all that is in a folder, too.
    package func addNames(in folder: String) { _ = watch.add([folder], listed: true, to: number) }

    /// Whether the kernel would have told of a change, and told of none. Changed is for good.
    package var isUnchanged: Bool { watch.isUnchanged(number) }
}
