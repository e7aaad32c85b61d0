import BrokerBase
import KeywaySystem
import Synchronization

/// What sites say in a document of theirs, each fetched when it is first wanted, and remembered for a while.
final class SiteDocuments: Sendable {
    /// How long an answer is believed, and how long its lack.
    static let lifetime = Duration.seconds(300)
    static let failureLifetime = Duration.seconds(30)
    /// The most documents that are fetched at a time, and that are remembered.
    static let fetches = 4
    static let remembered = 64

    /// Fetches what the document of a site names.
    typealias Fetch = @Sendable (_ domain: String) async throws(ProtocolError) -> [String]

    private struct Answer {
        let names: [String]?
        let time: MonotonicTime
    }

    private struct State {
        var fetch: Fetch?
        var answers: [String: Answer] = [:]
        var running = 0
    }

    private let state = Mutex(State())
    private let clock: any TimeSource

    /// Nothing is known yet, and nobody fetches.
    init(clock: any TimeSource) {
        self.clock = clock
    }

    /// From now on, documents are fetched by `fetch`.
    func use(_ fetch: @escaping Fetch) {
        state.withLock { $0.fetch = fetch }
    }

    /// What the document of `domain` names; nil where there is none, and where too many are fetched already.
    func names(of domain: String) async -> [String]? {
        let now = clock.now
        let (known, fetch) = state.withLock { state -> (Answer?, Fetch?) in
            if let answer = state.answers[domain] {
                let lifetime = answer.names == nil ? Self.failureLifetime : Self.lifetime
                if now.since(answer.time) < lifetime { return (answer, nil) }
            }
            guard state.running < Self.fetches, let fetch = state.fetch else { return (nil, nil) }
            state.running += 1
            return (nil, fetch)
        }
        guard let fetch else { return known?.names }
        let names = try? await fetch(domain)
        state.withLock { state in
            state.running -= 1
            if state.answers.count >= Self.remembered { state.answers = [:] }
            state.answers[domain] = Answer(names: names, time: clock.now)
        }
        return names
    }
}
