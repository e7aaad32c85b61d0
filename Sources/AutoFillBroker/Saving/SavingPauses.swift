import KeywaySystem
import Synchronization

/// How long nobody is asked about the passwords of a site after the person did not want one saved: a page can send as many
/// forms as it likes.
final class SavingPauses: Sendable {
    /// The pause after the first time; it doubles with each further one, until a password is saved.
    static let first = Duration.seconds(60)
    /// The longest one.
    static let longest = Duration.seconds(3600)
    /// The most sites that are remembered; those that were declined first are forgotten first.
    private static let maximumCount = 256

    private struct Pause {
        var since: MonotonicTime
        var length: Duration
    }

    /// Who asks next.
    let turns = ConsentLine()
    private let pauses = Mutex<[String: Pause]>([:])

    /// The person did not want a password of `site` saved, or closed the question.
    func begin(_ site: String, at now: MonotonicTime) {
        pauses.withLock { pauses in
            let length = pauses[site].map { min($0.length * 2, Self.longest) } ?? Self.first
            pauses[site] = Pause(since: now, length: length)
            if pauses.count > Self.maximumCount,
                let oldest = pauses.min(by: { $1.value.since.since($0.value.since) > .zero })
            {
                pauses[oldest.key] = nil
            }
        }
    }

    /// A password of `site` was saved.
    func end(_ site: String) { pauses.withLock { $0[site] = nil } }

    /// Whether nobody is asked about `site` now.
    func holds(_ site: String, at now: MonotonicTime) -> Bool {
        pauses.withLock { $0[site].map { now.since($0.since) < $0.length } ?? false }
    }
}
