import AutoFillProtocol
import KeywaySystem
import Synchronization

@testable import AutoFillBroker

/// The person at the sheets, who answers what is put to them as a test says.
final class ScriptedPerson: PersonPresenter {
    private struct State {
        var answers: [Bool]
        var questions: [AskPerson.Question] = []
        var taken = 0
        var isThere = true
        var waits = false
        /// How many questions are answered before they think about the next for ever.
        var waitsAfter: Int?
        var nextIsClosed = false
        var next: [AskPerson.Answer] = []
    }

    private let state: Mutex<State>

    /// A person who says yes unless `answers` say otherwise, in their order.
    init(answers: Bool...) {
        state = Mutex(State(answers: answers))
    }

    /// What they were asked.
    var questions: [AskPerson.Question] { state.withLock { $0.questions } }

    /// The programs that they were asked about.
    var programs: [AskPerson.Consent] {
        questions.compactMap { if case .consent(let consent) = $0 { consent } else { nil } }
    }

    /// How many questions were taken back.
    var taken: Int { state.withLock { $0.taken } }

    /// From now on there is a display, or not.
    func set(isThere: Bool) { state.withLock { $0.isThere = isThere } }

    /// From now on they think about it for ever, or not.
    func set(waits: Bool) { state.withLock { $0.waits = waits } }

    /// They answer so many questions, and think about the next one for ever.
    func set(waitsAfter count: Int) { state.withLock { $0.waitsAfter = count } }

    /// The next question they close without an answer.
    func set(nextIsClosed: Bool) { state.withLock { $0.nextIsClosed = nextIsClosed } }

    /// The next questions they answer with these.
    func set(next answers: AskPerson.Answer...) { state.withLock { $0.next = answers } }

    /// They give these answers before those that wait.
    func add(answers: Bool...) { state.withLock { $0.answers = answers + $0.answers } }

    func canAsk() async -> Bool { state.withLock { $0.isThere } }

    func ask(_ question: AskPerson.Question) async throws(ProtocolError) -> AskPerson.Answer {
        state.withLock { $0.questions.append(question) }
        let waitsNow = state.withLock { state in
            guard let left = state.waitsAfter else { return false }
            state.waitsAfter = max(0, left - 1)
            return left == 0
        }
        while waitsNow || state.withLock({ $0.waits }) {
            do { try await Task.sleep(for: .milliseconds(2)) } catch {
                state.withLock { $0.taken += 1 }
                throw ProtocolError(.cancelled, "taken back")
            }
        }
        let isClosed = state.withLock { state in
            defer { state.nextIsClosed = false }
            return state.nextIsClosed
        }
        if isClosed { throw ProtocolError(.cancelled, "closed") }
        let next = state.withLock { state in
            state.next.isEmpty ? nil : state.next.removeFirst()
        }
        if let next { return next }
        let isAllowed = state.withLock { $0.answers.isEmpty ? true : $0.answers.removeFirst() }
        return isAllowed ? .allowed : .refused
    }
}
