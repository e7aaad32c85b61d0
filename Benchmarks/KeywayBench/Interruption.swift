import Dispatch
import Glibc

/// What happens when the person, or a time limit, ends the benchmarks early: brokers and folders go, too.
enum Interruption {
    /// Runs `cleanUp` at the first SIGINT or SIGTERM, and ends the program. Keep what it returns.
    static func handle(_ cleanUp: @escaping @Sendable () async -> Void) -> [any DispatchSourceSignal] {
        [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                Task {
                    await cleanUp()
                    _exit(128 + number)
                }
            }
            source.activate()
            return source
        }
    }
}
