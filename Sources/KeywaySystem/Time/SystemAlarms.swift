import Dispatch
import Synchronization

/// All alarms of this process, with one timer of the kernel for them.
///
/// Nearly all are called off: each request has a limit, and few reach it. So the timer is only set when an alarm comes before
/// all others, and left as it is when one is called off: a request makes no system call for its limit, and wakes nobody.
final class SystemAlarms: Sendable {
    static let shared = SystemAlarms()

    private struct Entry {
        let moment: MonotonicTime
        let body: @Sendable () -> Void
    }

    // SAFETY: a source of libdispatch may be used from any thread; its type only lacks the word.
    private struct Timer: @unchecked Sendable {
        let source: any DispatchSourceTimer
    }

    private struct State {
        var entries: [Int: Entry] = [:]
        var lastTicket = 0
        /// When the timer rings; nil where it is not set.
        var set: MonotonicTime?
    }

    private let state = Mutex(State())
    private let timer: Timer

    private init() {
        timer = Timer(source: DispatchSource.makeTimerSource(queue: DispatchQueue(label: "org.keyway.alarms")))
        timer.source.setEventHandler { [weak self] in self?.ring() }
        timer.source.activate()
    }

    /// How many alarms there are.
    var count: Int { state.withLock { $0.entries.count } }

    /// Calls `body` at `moment`, or a little later; it must not block.
    func add(at moment: MonotonicTime, _ body: @escaping @Sendable () -> Void) -> Alarm {
        let ticket = state.withLock { state in
            state.lastTicket += 1
            state.entries[state.lastTicket] = Entry(moment: moment, body: body)
            if state.set.map({ moment < $0 }) ?? true { set(moment, &state) }
            return state.lastTicket
        }
        return Alarm { self.state.withLock { _ = $0.entries.removeValue(forKey: ticket) } }
    }

    private func ring() {
        let due = state.withLock { state in
            let now = MonotonicTime.now
            let due = state.entries.filter { $0.value.moment <= now }
            for ticket in due.keys { state.entries[ticket] = nil }
            state.set = nil
            if let next = state.entries.values.map(\.moment).min() { set(next, &state) }
            return due.values.sorted { $0.moment < $1.moment }
        }
        for entry in due { entry.body() }
    }

    private func set(_ moment: MonotonicTime, _ state: inout State) {
        state.set = moment
        timer.source.schedule(
            deadline: DispatchTime(uptimeNanoseconds: moment.nanoseconds), leeway: .milliseconds(1))
    }
}
