import AutoFillProtocol
import Foundation
import Synchronization

/// The end of one request: the first to end it decides, whoever it is and on whatever thread.
package final class RequestAnswer: Sendable {
    /// How a request ended.
    enum Ending: Sendable {
        /// The provider answered.
        case answered(PerformRequest.Result)
        /// The system took the request back.
        case withdrawn
    }

    /// A provider may keep the context of a request for ever; so nothing that came with the request, and nothing that was
    /// answered, stays here longer than until the end.
    private struct State {
        /// What is asked, while it is open.
        var request: PerformRequest.Request?
        var isOver = false
        /// The end, until somebody waits for it.
        var ending: Ending?
        var waiter: CheckedContinuation<Ending, Never>?
        var handler: CompletionHandler?
    }

    /// Whether somebody asks, and waits for the answer.
    private let isAsked: Bool
    private let state: Mutex<State>

    /// The answer to `request`, which is open. Without a request what is answered goes nowhere.
    package init(to request: PerformRequest.Request? = nil) {
        isAsked = request != nil
        state = Mutex(State(request: request))
    }

    deinit {
        // Nobody will send it any more: whoever waits for the handler learns that its time is over.
        state.withLock(\.handler)?.run(expired: true)
    }

    var isOpen: Bool { state.withLock { !$0.isOver } }

    /// Ends the request with `result` of a provider. Where that does not answer the request, it fails, and the journal
    /// says why; `handler` learns that its time is over, as it does where the request has ended before.
    func end(_ result: PerformRequest.Result, then handler: ((Bool) -> Void)? = nil) {
        let handler = handler.map(CompletionHandler.init)
        if let request = state.withLock(\.request), let fault = request.fault(of: result) {
            Log.line(fault)
            handler?.run(expired: true)
            // A report is answered by having been heard, whatever the provider calls.
            if !request.isReport { end(.answered(.failure(fault)), handler: nil) }
        } else if !end(.answered(result), handler: handler) {
            Log.line("A request was answered that had ended; the answer is dropped.")
            handler?.run(expired: true)
        }
    }

    /// Ends the request with `result` of a provider, as ``end(_:then:)`` does, and waits for what its handler would learn.
    nonisolated(nonsending) func endAndWait(_ result: PerformRequest.Result) async -> Bool {
        await withCheckedContinuation { continuation in
            end(result) { continuation.resume(returning: $0) }
        }
    }

    /// Ends the request by the system's own rules, unless it has ended.
    func endBySystem(_ ending: Ending) {
        end(ending, handler: nil)
    }

    /// Whether this was the end.
    @discardableResult
    private func end(_ ending: Ending, handler: CompletionHandler?) -> Bool {
        let (isFirst, waiter) = state.withLock { state in
            guard !state.isOver else { return (false, nil as CheckedContinuation<Ending, Never>?) }
            let waiter = state.waiter
            let unheard = isAsked && waiter == nil ? ending : nil
            state = State(isOver: true, ending: unheard, handler: isAsked ? handler : nil)
            return (true, waiter)
        }
        waiter?.resume(returning: ending)
        // Where nobody waits for the answer, it is on its way at once.
        if isFirst && !isAsked { handler?.run(expired: false) }
        return isFirst
    }

    /// Waits for the end, once; when the task is cancelled, that is the end.
    func ending() async -> Ending {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let ending = state.withLock { state in
                    if state.ending == nil { state.waiter = continuation }
                    defer { state.ending = nil }
                    return state.ending
                }
                if let ending { continuation.resume(returning: ending) }
            }
        } onCancel: {
            endBySystem(.withdrawn)
        }
    }

    /// The answer is on its way: runs the completion handler that came with it.
    func wasSent() {
        let handler = state.withLock { state in
            defer { state.handler = nil }
            return state.handler
        }
        handler?.run(expired: false)
    }
}

/// A completion handler of a provider.
private struct CompletionHandler: @unchecked Sendable {
    // SAFETY: it is called once, on the main actor. That is where controllers live, whose closures Swift isolates to it.
    let body: (Bool) -> Void

    /// Runs it later, on the main actor, with low priority.
    func run(expired: Bool) {
        Task(priority: .background) { @MainActor in body(expired) }
    }
}
