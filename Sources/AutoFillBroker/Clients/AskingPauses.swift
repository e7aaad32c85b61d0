import KeywaySystem

/// How long the person isn't asked about a program that poses as a browser after they refused it. Decisions are stored
/// for each profile, and such a program can make up as many profiles as it likes.
struct AskingPauses {
    /// The pause after the first time; it doubles with each further refusal, until the person lets the program ask.
    static let first = Duration.seconds(30)
    /// The longest one.
    static let longest = Duration.seconds(3600)
    /// The most programs that are remembered; those that were turned away first are forgotten first.
    private static let maximumCount = 256

    private struct Pause {
        var since: MonotonicTime
        var length: Duration
    }

    private var pauses: [ClientIdentity: Pause] = [:]

    /// The person refused the program of `client`, or closed the question.
    mutating func turnAway(_ client: ClientIdentity, isRefused: Bool, at now: MonotonicTime) {
        guard client.role == .browser else { return }
        let before = pauses[client.program]?.length
        let length = before.map { isRefused ? min($0 * 2, Self.longest) : $0 } ?? Self.first
        pauses[client.program] = Pause(since: now, length: length)
        if pauses.count > Self.maximumCount,
            let oldest = pauses.min(by: { $1.value.since.since($0.value.since) > .zero })
        {
            pauses[oldest.key] = nil
        }
    }

    /// The person let one profile of the program ask, or wants it to be asked about.
    mutating func end(_ client: ClientIdentity) { pauses[client.program] = nil }

    /// Whether nobody is asked about the program of `client` now.
    func holds(_ client: ClientIdentity, at now: MonotonicTime) -> Bool {
        pauses[client.program].map { now.since($0.since) < $0.length } ?? false
    }
}
