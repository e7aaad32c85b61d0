import Glibc

/// Threads of our own, beside those that the language and libdispatch share out.
package enum SystemThread {
    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }

    /// Starts a thread that runs `body` and takes no signals: those are for the threads that wait for them.
    package static func start(_ body: @escaping @Sendable () -> Void) {
        var (every, before) = (sigset_t(), sigset_t())
        sigfillset(&every)
        // A thread begins with the signals that its starter takes.
        pthread_sigmask(SIG_SETMASK, &every, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        var thread = pthread_t()
        let started = pthread_create(
            &thread, nil,
            { context in
                if let context { Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run() }
                return nil
            }, Unmanaged.passRetained(Body(body)).toOpaque())
        precondition(started == 0, "no thread is left")
        pthread_detach(thread)
    }
}
