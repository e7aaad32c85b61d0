import AutoFillProtocol
import Foundation
import Synchronization

/// The runs of one controller whose end its delegate has not been told.
final class ControllerRuns: Sendable {
    private struct State {
        var open: [Int: Task<Void, Never>?] = [:]
        var next = 0
    }

    let broker: BrokerLink
    private let state = Mutex(State())

    init(broker: BrokerLink) {
        self.broker = broker
    }

    /// Begins a run.
    ///
    /// - Returns: its number.
    func begin() -> Int {
        state.withLock { state in
            state.next += 1
            state.open[state.next] = .some(nil)
            return state.next
        }
    }

    /// `task` is what run `number` does; it is cancelled if the run has ended already.
    func keep(_ task: Task<Void, Never>, for number: Int) {
        let isOpen = state.withLock { state in
            guard state.open[number] != nil else { return false }
            state.open[number] = task
            return true
        }
        if !isOpen { task.cancel() }
    }

    /// Ends run `number`; false where it has ended before.
    func end(_ number: Int) -> Bool {
        state.withLock { $0.open.removeValue(forKey: number) != nil }
    }

    /// Ends all runs.
    ///
    /// - Returns: how many there were.
    func endAll() -> Int {
        let open = state.withLock { state in
            defer { state.open = [:] }
            return state.open
        }
        for task in open.values { task?.cancel() }
        return open.count
    }
}

extension ASAuthorizationController {
    /// Begins a run; the controller stays until the delegate has been told its end.
    func begin(options: RequestOptions, atFields: Bool) {
        let number = runs.begin()
        // What the application changes in its requests from now on is no part of this run.
        let run = Result {
            try AuthorizationRun(
                authorizationRequests, options: options, methods: customAuthorizationMethods, over: runs.broker)
        }
        let task = Task { @MainActor in
            let outcome: Result<AuthorizeApplication.Result, any Error>
            do {
                outcome = .success(try await atFields ? run.get().performAtFields() : run.get().perform())
            } catch {
                outcome = .failure(error)
            }
            if runs.end(number) { tell(outcome) }
        }
        runs.keep(task, for: number)
    }

    /// Ends all runs; the delegate is told later, on the main actor.
    func endAll() {
        for _ in 0..<runs.endAll() {
            Task { @MainActor in
                tell(.failure(ASAuthorizationError.ended(.canceled, "The application took its request back.")))
            }
        }
    }

    @MainActor
    private func tell(_ outcome: Result<AuthorizeApplication.Result, any Error>) {
        do {
            switch try AuthorizationAnswer(try outcome.get(), to: authorizationRequests) {
            case .method(let method):
                delegate?.authorizationController(self, didCompleteWithCustomMethod: method)
            case .credential(let credential, let request):
                delegate?.authorizationController(
                    controller: self,
                    didCompleteWithAuthorization: ASAuthorization(provider: request.provider, credential: credential))
            }
        } catch {
            delegate?.authorizationController(
                controller: self, didCompleteWithError: ASAuthorizationError(error))
        }
    }
}

extension AuthorizationRun {
    /// Performs the run when a field gets the focus; as often as the person closes what they see, it waits again.
    ///
    /// - Throws: ``ASAuthorizationError``; with the code `canceled` when the task is cancelled.
    @MainActor
    func performAtFields() async throws -> AuthorizeApplication.Result {
        let (ends, sink) = AsyncStream.makeStream(of: Result<AuthorizeApplication.Result, any Error>.self)
        var offering: Task<Void, Never>?
        let number = FieldFocus.process.add {
            let task = Task {
                do {
                    sink.yield(.success(try await perform()))
                } catch ASAuthorizationError.canceled {
                } catch {
                    sink.yield(.failure(error))
                }
            }
            offering = task
            await task.value
        }
        defer {
            FieldFocus.process.remove(number)
            offering?.cancel()
        }
        for await end in ends { return try end.get() }
        throw ASAuthorizationError.ended(.canceled, "The application took its request back.")
    }
}
