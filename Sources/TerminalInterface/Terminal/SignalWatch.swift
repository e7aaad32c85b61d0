import Dispatch
import Glibc
import Synchronization

/// Who has something to put in order before the process ends or stops.
package protocol SignalObserver: AnyObject, Sendable {
    /// The size of the terminal has changed.
    func terminalWasResized()
    /// The process ends, or stops until ``processResumed()``, when this returns.
    func processWillLeave()
    /// The process goes on.
    func processResumed()
}

/// The signals that end or stop a process, received by a thread of our own instead of a handler, so that putting the
/// terminal in order may take locks and allocate. Afterwards the signal does what it always does: who waits for this
/// process sees it ended by that signal.
package final class SignalWatch: Sendable {
    /// The watch of this process.
    package static let shared = SignalWatch()

    private static let ending = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
    private struct State {
        var isStarted = false
        weak var observer: (any SignalObserver)?
    }

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "org.keyway.signals")

    /// Begins to receive. To be called while the process has one thread: those started later inherit that it does not
    /// take these signals itself. A signal that was ignored before (nohup(1)) stays ignored.
    package func start() {
        let isFirst = state.withLock { state in
            defer { state.isStarted = true }
            return !state.isStarted
        }
        guard isFirst else { return }
        var signals = sigset_t()
        sigemptyset(&signals)
        for signal in Self.ending + [SIGTSTP, SIGWINCH] where !Self.isIgnored(signal) { sigaddset(&signals, signal) }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        let watched = signals
        queue.async { self.receive(watched) }
    }

    /// Who is told from now on; nil for nobody.
    package func observe(_ observer: (any SignalObserver)?) {
        state.withLock { $0.observer = observer }
    }

    private func receive(_ watched: sigset_t) {
        var watched = watched
        var signal: CInt = 0
        while sigwait(&watched, &signal) == 0 {
            let observer = state.withLock { $0.observer }
            switch signal {
            case SIGWINCH: observer?.terminalWasResized()
            case SIGTSTP:
                observer?.processWillLeave()
                Self.deliver(SIGTSTP)
                observer?.processResumed()
            default:
                observer?.processWillLeave()
                Self.deliver(signal)
            }
        }
    }

    /// Lets the signal have its way with this process; returns when it was one that only stops, and the process goes on.
    private static func deliver(_ signal: CInt) {
        var one = sigset_t()
        sigemptyset(&one)
        sigaddset(&one, signal)
        pthread_sigmask(SIG_UNBLOCK, &one, nil)
        raise(signal)
        pthread_sigmask(SIG_BLOCK, &one, nil)
    }

    private static func isIgnored(_ signal: CInt) -> Bool {
        var action = sigaction()
        guard sigaction(signal, nil, &action) == 0 else { return false }
        let handler = unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
        return handler == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
