import AutoFillProtocol
import Synchronization

/// Fetches what a site says of the apps that are its own (`Docs/apps.md`). A seam: the broker itself never goes to the
/// network.
protocol AppSiteSource: Sendable {
    /// The apps that `https://domain/.well-known/keyway-apps` names, as they stand there.
    ///
    /// - Throws: ``ProtocolError`` when there is no such document.
    func apps(of domain: String) async throws(ProtocolError) -> [String]
}

/// Whether an app belongs to a site, because the site says so.
final class AppSites: Sendable {
    /// How long an answer is believed, and how long its lack.
    static let lifetime = Duration.seconds(300)
    static let failureLifetime = Duration.seconds(30)
    /// The most documents that are fetched at a time, and that are remembered.
    static let fetches = 4
    static let remembered = 64

    private struct Answer {
        let apps: [String]?
        let time: MonotonicTime
    }

    private struct State {
        var source: (any AppSiteSource)?
        var identify: @Sendable (PeerProcess, ClientProgram) -> AppIdentity = { AppIdentity($0, $1) }
        var answers: [String: Answer] = [:]
        var running = 0
    }

    private let state = Mutex(State())
    private let clock: any BrokerClock

    init(clock: any BrokerClock) {
        self.clock = clock
    }

    /// From now on, documents come from `source`.
    func use(_ source: any AppSiteSource) {
        state.withLock { $0.source = source }
    }

    /// From now on, `identify` says which app a process is: tests have one of their own.
    func identify(_ identify: @escaping @Sendable (PeerProcess, ClientProgram) -> AppIdentity) {
        state.withLock { $0.identify = identify }
    }

    /// The app that `process` runs.
    func app(_ process: PeerProcess, _ program: ClientProgram) -> AppIdentity {
        state.withLock { $0.identify }(process, program)
    }

    /// Whether `domain` names `app`. Of an app that no site can name, no site is asked.
    func name(_ app: AppIdentity, at domain: String) async -> Bool {
        guard !app.names.isEmpty, let apps = await apps(of: domain) else { return false }
        return app.names.contains(where: apps.contains)
    }

    private func apps(of domain: String) async -> [String]? {
        let now = clock.now
        let (known, source) = state.withLock { state -> (Answer?, (any AppSiteSource)?) in
            if let answer = state.answers[domain] {
                let lifetime = answer.apps == nil ? Self.failureLifetime : Self.lifetime
                if now.since(answer.time) < lifetime { return (answer, nil) }
            }
            guard state.running < Self.fetches, let source = state.source else { return (nil, nil) }
            state.running += 1
            return (nil, source)
        }
        guard let source else { return known?.apps }
        let apps = try? await source.apps(of: domain)
        state.withLock { state in
            state.running -= 1
            if state.answers.count >= Self.remembered { state.answers = [:] }
            state.answers[domain] = Answer(apps: apps, time: clock.now)
        }
        return apps
    }
}
