import AutoFillProtocol
import KeywaySystem
import Synchronization

@testable import AutoFillBroker

/// A way of verifying the person that a test decides about.
final class FakeCheck: VerificationCheck {
    let method: VerificationMethod
    private let answer: @Sendable () async throws(ProtocolError) -> Void
    private let available: Mutex<Bool>
    private let obstacle: VerificationMethodState.Obstacle?
    let subjects = Mutex<[VerificationSubject]>([])

    init(
        _ method: VerificationMethod = .pin, isAvailable: Bool = true,
        obstacle: VerificationMethodState.Obstacle? = .notSetUp,
        _ answer: @escaping @Sendable () async throws(ProtocolError) -> Void = {}
    ) {
        self.method = method
        self.answer = answer
        self.obstacle = obstacle
        available = Mutex(isAvailable)
    }

    /// One whose check always fails.
    static func failing(_ method: VerificationMethod = .pin) -> FakeCheck {
        FakeCheck(method) { () async throws(ProtocolError) in throw ProtocolError(.notVerified, "it was wrong") }
    }

    func set(isAvailable: Bool) { available.withLock { $0 = isAvailable } }

    var count: Int { subjects.withLock { $0.count } }

    func state() async -> VerificationMethodState {
        let isAvailable = available.withLock { $0 }
        return VerificationMethodState(
            method: method, isAvailable: isAvailable, detail: isAvailable ? nil : "it is not set up",
            obstacle: isAvailable ? nil : obstacle)
    }

    func verify(_ subject: VerificationSubject, through presenter: any PersonPresenter) async throws(ProtocolError) {
        subjects.withLock { $0.append(subject) }
        try await answer()
    }
}

/// Answers the system's questions as a test says.
final class FakePresenter: PersonPresenter {
    let questions = Mutex<[AskPerson.Verification]>([])
    private let isThere: Bool
    private let answer: @Sendable (AskPerson.Verification) async throws(ProtocolError) -> AskPerson.Answer

    init(
        isThere: Bool = true,
        _ answer: @escaping @Sendable (AskPerson.Verification) async throws(ProtocolError) -> AskPerson.Answer = {
            _ in .refused
        }
    ) {
        self.isThere = isThere
        self.answer = answer
    }

    func canAsk() async -> Bool { isThere }

    func ask(_ question: AskPerson.Question) async throws(ProtocolError) -> AskPerson.Answer {
        guard case .verification(let verification) = question else { return .refused }
        questions.withLock { $0.append(verification) }
        return try await answer(verification)
    }
}

/// What the person types, as it comes from a presenter.
func typed(_ text: String) -> AskPerson.Answer {
    do {
        return .secret(
            InterfaceSecret(try Array(text.utf8).withUnsafeBytes { bytes throws in try SealedMemory(copying: bytes) }))
    } catch {
        return .refused
    }
}
