import FoundationEssentials
import Glibc
import Synchronization

/// What must not stay behind when the person interrupts a test: folders, and programs that still run.
enum Interruption {
    private static let folders = Mutex<Set<String>>([])
    private static let hasHappened = Mutex(false)
    private static let signals = [SIGINT, SIGTERM, SIGHUP]

    /// Remembers a folder to be removed.
    static func note(_ folder: String) {
        folders.withLock { _ = $0.insert(folder) }
    }

    /// Forgets a folder that is gone.
    static func forget(_ folder: String) {
        folders.withLock { _ = $0.remove(folder) }
    }

    /// Keeps the signals for ``wait()``; to be called while there is one thread.
    static func prepare() {
        var set = signalSet
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Ends this process with `status`, unless it is being interrupted: then it ends with that.
    static func end(_ status: Int32) -> Never {
        if hasHappened.withLock({ $0 }) { while true { pause() } }
        exit(status)
    }

    /// Waits until the person interrupts, cleans up, and ends as that signal ends a program.
    static func wait() -> Never {
        var set = signalSet
        var number: CInt = 0
        while sigwait(&set, &number) != 0 {}
        hasHappened.withLock { $0 = true }
        // Again while somebody who is just ending, or just starting, still writes there.
        for _ in 0..<100 where !cleanUp() { usleep(20_000) }
        signal(number, SIG_DFL)
        raise(number)
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
        exit(EXIT_FAILURE)
    }

    /// Whether nothing is left.
    private static func cleanUp() -> Bool {
        let children = Children.ofThisProcess()
        for child in children { kill(child.processIdentifier, SIGKILL) }
        let left = folders.withLock { $0 }.filter { folder in
            try? FileManager.default.removeItem(atPath: folder)
            return PathName.isFolder(folder)
        }
        return children.isEmpty && left.isEmpty
    }

    private static var signalSet: sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for number in signals { sigaddset(&set, number) }
        return set
    }
}
