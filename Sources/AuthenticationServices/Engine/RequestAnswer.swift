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

    private struct State {
        var ending: Ending?
        var waiter: CheckedContinuation<Ending, Never>?
        var handler: CompletionHandler?
    }

    private let state = Mutex(State())

    /// A request that is open.
    package init() {}

    var isOpen: Bool { state.withLock { $0.ending == nil } }

    /// Ends the request, unless it has ended: then `handler` learns that its time is over.
    func end(_ ending: Ending, then handler: ((Bool) -> Void)?) {
        let handler = handler.map(CompletionHandler.init)
        let (isFirst, waiter) = state.withLock { state in
            guard state.ending == nil else { return (false, nil as CheckedContinuation<Ending, Never>?) }
            state.ending = ending
            state.handler = handler
            defer { state.waiter = nil }
            return (true, state.waiter)
        }
        waiter?.resume(returning: ending)
        if !isFirst { handler?.run(expired: true) }
    }

    /// Waits for the end; when the task is cancelled, that is the end.
    func ending() async -> Ending {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let ending = state.withLock { state in
                    if state.ending == nil { state.waiter = continuation }
                    return state.ending
                }
                if let ending { continuation.resume(returning: ending) }
            }
        } onCancel: {
            end(.withdrawn, then: nil)
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

extension RequestAnswer.Ending {
    /// A password: its bytes go from the string into a sealed memory file and nowhere else.
    init(_ credential: ASPasswordCredential) {
        var password = credential.password
        let memory = Swift.Result { try password.withUTF8 { try SealedMemory(copying: UnsafeRawBufferPointer($0)) } }
        switch memory {
        case .success(let memory): self = .answered(.password(user: credential.user, password: Attachment(memory)))
        case .failure: self = .init(ASExtensionError(.failed))
        }
    }

    /// An error, by domain and code, with the text that the provider wrote for the person.
    init(_ error: any Error) {
        let error = error as NSError
        let reason = error.userInfo[ASExtensionLocalizedFailureReasonErrorKey] as? String
        self = .answered(.cancelled(domain: error.domain, code: error.code, reason: reason))
    }
}
