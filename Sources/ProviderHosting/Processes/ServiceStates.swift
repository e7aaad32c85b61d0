package import AutoFillProtocol
import Synchronization

/// What the services of the bundles last said of themselves, and who waits for one to become ready.
package final class ServiceStates: Sendable {
    private struct Entry {
        var state: ServiceState?
        /// Counts how often it became ready.
        var readyCount = 0
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    }

    private struct State {
        var entries: [String: Entry] = [:]
        var nextTicket = 0
    }

    private let state = Mutex(State())

    /// What the service of `provider` last said; nil when it does not run or said nothing.
    package func current(_ provider: String) -> ServiceState? {
        state.withLock { $0.entries[provider]?.state }
    }

    /// How often the service of `provider` became ready: to be asked before something is tried that may need it.
    package func readyCount(_ provider: String) -> Int {
        state.withLock { $0.entries[provider]?.readyCount ?? 0 }
    }

    /// Takes what the service says, or nil when it has ended.
    ///
    /// - Returns: what it had said before.
    @discardableResult
    func set(_ provider: String, _ new: ServiceState?) -> ServiceState? {
        let (before, waiting) = state.withLock { state in
            var entry = state.entries[provider] ?? Entry()
            let before = entry.state
            entry.state = new
            var waiting: [CheckedContinuation<Void, Never>] = []
            if new == .ready {
                entry.readyCount += 1
                waiting = Array(entry.waiting.values)
                entry.waiting = [:]
            }
            state.entries[provider] = entry
            return (before, waiting)
        }
        for continuation in waiting { continuation.resume() }
        return before
    }

    /// Waits until the service became ready more often than `count` times, or the task is cancelled.
    package func waitUntilReady(_ provider: String, beyond count: Int) async {
        let ticket = state.withLock { state in
            defer { state.nextTicket += 1 }
            return state.nextTicket
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    var entry = state.entries[provider] ?? Entry()
                    guard entry.readyCount <= count, !Task.isCancelled else { return true }
                    entry.waiting[ticket] = continuation
                    state.entries[provider] = entry
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.entries[provider]?.waiting.removeValue(forKey: ticket) }?.resume()
        }
    }
}
