import AutoFillProtocol
import Synchronization

/// Fetches what a relying party says of other origins of its own (WebAuthn Level 3, section 5.11). A seam: the broker
/// itself never goes to the network.
protocol RelatedOriginSource: Sendable {
    /// The `origins` of `https://identifier/.well-known/webauthn`, as they stand there.
    ///
    /// - Throws: ``ProtocolError`` when there is no such document.
    func origins(of identifier: String) async throws(ProtocolError) -> [String]
}

/// Whether a page may use the passkeys of another site, because that site says so.
final class RelatedOrigins: Sendable {
    /// The most names of sites that count, whatever their suffixes (section 5.11.1).
    static let mostLabels = 5
    /// How long an answer is believed, and how long its lack.
    static let lifetime = Duration.seconds(300)
    static let failureLifetime = Duration.seconds(30)
    /// The most documents that are fetched at a time, and that are remembered.
    static let fetches = 4
    static let remembered = 64

    private struct Answer {
        let origins: [String]?
        let time: MonotonicTime
    }

    private struct State {
        var source: (any RelatedOriginSource)?
        var answers: [String: Answer] = [:]
        var running = 0
    }

    private let state = Mutex(State())
    private let clock: any BrokerClock
    private let suffixes: PublicSuffixes

    init(clock: any BrokerClock, suffixes: PublicSuffixes) {
        self.clock = clock
        self.suffixes = suffixes
    }

    /// From now on, documents come from `source`.
    func use(_ source: any RelatedOriginSource) {
        state.withLock { $0.source = source }
    }

    /// Whether `party` names `page` among its origins.
    func cover(_ page: ServiceAddress, _ party: RelyingParty) async -> Bool {
        guard page.scheme == .https, page.host.kind == .domain, !page.host.isAbsolute else { return false }
        guard let origins = await origins(of: party.identifier) else { return false }
        return Self.names(page, origins, suffixes)
    }

    /// The rule of section 5.11.1: the first five names count, and however many origins each of them has.
    static func names(_ page: ServiceAddress, _ origins: [String], _ suffixes: PublicSuffixes) -> Bool {
        var labels: Set<Substring> = []
        for text in origins {
            guard let origin = ServiceAddress(ServiceIdentifier(text, kind: .url), suffixes: suffixes),
                let label = origin.site?.split(separator: ".").first
            else { continue }
            guard labels.contains(label) || labels.count < mostLabels else { continue }
            if origin.scheme == page.scheme, origin.host == page.host, origin.port == page.port { return true }
            labels.insert(label)
        }
        return false
    }

    // MARK: - Fetching

    private func origins(of identifier: String) async -> [String]? {
        let now = clock.now
        let (known, source) = state.withLock { state -> (Answer?, (any RelatedOriginSource)?) in
            if let answer = state.answers[identifier] {
                let lifetime = answer.origins == nil ? Self.failureLifetime : Self.lifetime
                if now.since(answer.time) < lifetime { return (answer, nil) }
            }
            guard state.running < Self.fetches, let source = state.source else { return (nil, nil) }
            state.running += 1
            return (nil, source)
        }
        guard let source else { return known?.origins }
        let origins = try? await source.origins(of: identifier)
        state.withLock { state in
            state.running -= 1
            if state.answers.count >= Self.remembered { state.answers = [:] }
            state.answers[identifier] = Answer(origins: origins, time: clock.now)
        }
        return origins
    }
}
