import BrokerBase
import KeywaySystem
import Synchronization

/// Whether the person can be verified on this machine, for requests that do not verify anybody. To find out, programs
/// are started and services asked, which takes longer than such a request: a good answer counts for a while.
final class VerificationProspect: Sendable {
    /// How long a good answer counts: as long as the fill that it was found at.
    static let lifetime = RecentFills.lifetime

    private struct State {
        /// When there was a method last.
        var found: MonotonicTime?
        var look: Task<Bool, Never>?
        /// How often everything was forgotten.
        var round = 0
    }

    private let verifier: any PersonVerifier
    private let clock: any TimeSource
    private let state = Mutex(State())

    /// Nothing is known yet; time is told by `clock`, which nobody sets.
    init(verifier: any PersonVerifier, clock: any TimeSource) {
        self.verifier = verifier
        self.clock = clock
    }

    /// Whether there is a method that can be used. That there was none is looked at anew each time.
    func isGood() async -> Bool {
        let look: Task<Bool, Never>? = state.withLock { state in
            if let found = state.found, clock.now.since(found) < Self.lifetime { return nil }
            let look = state.look ?? Task { [round = state.round] in await self.look(round) }
            state.look = look
            return look
        }
        return await look?.value ?? true
    }

    /// What was found counts no more: the person changed how they can be verified, or went away.
    func forget() {
        state.withLock { state in
            state.found = nil
            state.look = nil
            state.round += 1
        }
    }

    private func look(_ round: Int) async -> Bool {
        let isGood = await verifier.methods().contains(where: \.isAvailable)
        state.withLock { state in
            guard state.round == round else { return }
            state.look = nil
            state.found = isGood ? clock.now : nil
        }
        return isGood
    }
}
