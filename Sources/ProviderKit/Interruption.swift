import FoundationEssentials
import Glibc
import Synchronization

/// What must not stay behind when the person interrupts a test: folders, and programs that still run.
enum Interruption {
    private static let folders = Mutex<Set<String>>([])
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

    /// Waits until the person interrupts, cleans up, and ends as that signal ends a program.
    static func wait() -> Never {
        var set = signalSet
        var number: CInt = 0
        while sigwait(&set, &number) != 0 {}
        for child in Children.ofThisProcess() { kill(child.processIdentifier, SIGKILL) }
        for folder in folders.withLock({ $0 }) { try? FileManager.default.removeItem(atPath: folder) }
        signal(number, SIG_DFL)
        raise(number)
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
        exit(EXIT_FAILURE)
    }

    private static var signalSet: sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for number in signals { sigaddset(&set, number) }
        return set
    }
}
