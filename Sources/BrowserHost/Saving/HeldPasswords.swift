import AutoFillProtocol
import AutoFillWire
import KeywayCrypto
import KeywaySystem
import Synchronization

/// Passwords that forms were sent with, until it is known whether the sign-in worked: in memory files, few, and not for
/// long.
final class HeldPasswords: Sendable {
    /// How long one is held: longer than a slow sign-in with a second factor takes.
    static let longest = Duration.seconds(300)
    /// The most at a time; those that came first go first.
    static let most = 16

    private struct Held {
        let form: SubmittedForm
        let since: MonotonicTime
    }

    private let held = Mutex<[String: Held]>([:])
    private let clock: any TimeSource

    /// Holds nothing yet.
    init(clock: any TimeSource = SystemTimeSource()) {
        self.clock = clock
    }

    /// How many are held.
    var count: Int { held.withLock { $0.count } }

    /// Holds what a form was sent with, in place of what the same session sent before.
    func hold(_ form: SubmittedForm) {
        let now = clock.nowWithSleep
        held.withLock { held in
            held = held.filter { now.since($0.value.since) < Self.longest }
            held[form.session] = Held(form: form, since: now)
            if held.count > Self.most, let oldest = held.min(by: { $0.value.since < $1.value.since }) {
                held[oldest.key] = nil
            }
        }
    }

    /// What the session sent; it is not held any more. Nil where it was too long ago.
    func take(_ session: String) -> SubmittedForm? {
        let now = clock.nowWithSleep
        return held.withLock { held in
            held = held.filter { now.since($0.value.since) < Self.longest }
            return held.removeValue(forKey: session)?.form
        }
    }

    /// Forgets all of them.
    func removeAll() { held.withLock { $0 = [:] } }
}
