import AutoFillWire
import Synchronization

/// What the broker has to tell, on standard error: at the end of the command, so that it never lands in what is drawn on
/// the terminal, or at once in one that draws nothing and goes on for long. The same is said once.
final class Notices: Sendable {
    private struct State {
        var waiting: [String] = []
        var known: Set<String> = []
        var isLive = false
    }

    private let sink: any ByteSink
    private let state = Mutex(State())

    init(_ sink: any ByteSink) {
        self.sink = sink
    }

    func add(_ text: String) {
        state.withLock { if $0.known.insert(text).inserted { $0.waiting.append(text) } }
        if state.withLock({ $0.isLive }) { flush() }
    }

    /// Leaves out what `isSettled` says of what waits.
    func drop(where isSettled: (String) -> Bool) {
        state.withLock { $0.waiting.removeAll(where: isSettled) }
    }

    /// From now on everything is said at once.
    func goLive() {
        state.withLock { $0.isLive = true }
        flush()
    }

    /// Says what waits.
    func flush() {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        for text in waiting { try? sink.write(Strings.line(DisplayText.paragraph(text))) }
    }
}
