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

/// The signals that end or stop a process, received by its main thread instead of a handler, so that putting the
/// terminal in order may take locks and allocate. Afterwards the signal does what it always does: who waits for this
/// process sees it ended by that signal.
package final class SignalWatch: Sendable {
    /// The watch of this process.
    package static let shared = SignalWatch()

    private struct State {
        weak var observer: (any SignalObserver)?
    }

    private static let watched = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGWINCH]
    private let state = Mutex(State())

    /// Keeps these signals for ``receive()``. To be called while the process has one thread: those started later
    /// inherit that. A signal that was ignored before (nohup(1)) stays ignored.
    package func prepare() {
        var signals = Self.signals
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// Who is told from now on; nil for nobody.
    package func observe(_ observer: (any SignalObserver)?) {
        state.withLock { $0.observer = observer }
    }

    /// Waits for signals for the rest of the process's life. The main thread does this: a thread that ended instead
    /// would leave the process half visible in `/proc`.
    package func receive() -> Never {
        var signals = Self.signals
        while true {
            var signal: CInt = 0
            guard sigwait(&signals, &signal) == 0 else { continue }
            let observer = state.withLock { $0.observer }
            if signal == SIGWINCH {
                observer?.terminalWasResized()
                continue
            }
            observer?.processWillLeave()
            Self.deliver(signal)
            // Only a signal that stops comes back, when the process goes on.
            observer?.processResumed()
        }
    }

    /// Lets the signal have its way with this process, past any handler: the Swift runtime has one for SIGQUIT, which
    /// would ask questions on the terminal.
    private static func deliver(_ number: CInt) {
        signal(number, SIG_DFL)
        var one = sigset_t()
        sigemptyset(&one)
        sigaddset(&one, number)
        pthread_sigmask(SIG_UNBLOCK, &one, nil)
        raise(number)
        pthread_sigmask(SIG_BLOCK, &one, nil)
    }

    private static var signals: sigset_t {
        var signals = sigset_t()
        sigemptyset(&signals)
        for signal in watched where !isIgnored(signal) { sigaddset(&signals, signal) }
        return signals
    }

    private static func isIgnored(_ signal: CInt) -> Bool {
        var action = sigaction()
        guard sigaction(signal, nil, &action) == 0 else { return false }
        // SAFETY: both are compared as addresses and never called; SIG_IGN is a number and no function.
        let handler = unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
        return handler == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
