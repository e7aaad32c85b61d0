import AutoFillProtocol
import Synchronization

@testable import AutoFillBroker

/// Answers one request after another from a list, and notes what was asked.
final class RequestScript: Sendable {
    let asked = Mutex<[PerformRequest.Request]>([])
    private let answers: Mutex<[PerformRequest.Result]>

    init(_ answers: PerformRequest.Result...) { self.answers = Mutex(answers) }

    func answer(_ request: PerformRequest.Request) -> PerformRequest.Result {
        asked.withLock { $0.append(request) }
        return answers.withLock { $0.isEmpty ? cancelled(0) : $0.removeFirst() }
    }

    var entries: [String] {
        asked.withLock { $0.map { String("\($0)".prefix { $0 != "(" }) } }
    }

    /// A broker with one provider that answers so.
    func broker(
        declares information: [String: Any] = Sample.declares(Sample.keeps)
    ) async throws -> BrokerFixture {
        let fixture = try BrokerFixture(FakeBundles { request, _ in self.answer(request) }, information: information)
        try await fixture.provide([])
        return fixture
    }
}
