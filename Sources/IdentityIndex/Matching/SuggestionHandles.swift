package import AutoFillProtocol
import KeywayCrypto
import Synchronization

/// What one connection was offered: a handle means one identity, for the services that were asked for, on this
/// connection, until newer ones push it out.
package final class SuggestionHandles: Sendable {
    /// What a handle means.
    package struct Offer: Hashable, Sendable {
        /// Whose identity it is.
        package let provider: String
        /// The identity.
        package let identity: CredentialIdentity
    }

    /// What one question was answered with.
    private struct Answer {
        let services: [ServiceIdentifier]
        let offers: [Offer]
    }

    private struct State {
        var answers: [String: Answer] = [:]
        /// The names of the answers, oldest first from `oldest` on.
        var order: [String] = []
        var oldest = 0
        var count = 0
    }

    /// How much of what it was offered one connection may still choose from.
    package struct Limits: Sendable {
        /// The most answers.
        package let answers: Int
        /// The most handles in them; the newest answer is kept even if it has more.
        package let handles: Int

        /// What one of `connections` may have: less the more there are, so that all together stay bounded.
        package init(connections: Int) {
            let share = max(1, connections)
            answers = min(512, max(4, 4096 / share))
            handles = min(4096, max(64, 32768 / share))
        }
    }

    private let state = Mutex(State())

    /// No handles yet.
    package init() {}

    /// Makes a handle for each offer; the oldest answers beyond the limits mean nothing from now on.
    package func add(_ offers: [Offer], for services: [ServiceIdentifier], limits: Limits) -> [String] {
        guard !offers.isEmpty else { return [] }
        let name = Self.random()
        state.withLock { state in
            state.answers[name] = Answer(services: services, offers: offers)
            state.order.append(name)
            state.count += offers.count
            while state.count > limits.handles && state.answers.count > 1 || state.answers.count > limits.answers {
                let oldest = state.order[state.oldest]
                state.count -= state.answers.removeValue(forKey: oldest)?.offers.count ?? 0
                state.oldest += 1
            }
            if state.oldest > 4 && state.oldest * 2 > state.order.count {
                state.order.removeFirst(state.oldest)
                state.oldest = 0
            }
        }
        return offers.indices.map { "\(name).\($0)" }
    }

    /// What the handle means, and for which services; nil when it means nothing (any more).
    package func offer(_ handle: String) -> (offer: Offer, services: [ServiceIdentifier])? {
        guard let dot = handle.firstIndex(of: "."), let index = Int(handle[handle.index(after: dot)...]) else {
            return nil
        }
        return state.withLock { state in
            guard let answer = state.answers[String(handle[..<dot])], answer.offers.indices.contains(index) else {
                return nil
            }
            return (answer.offers[index], answer.services)
        }
    }

    /// How many handles mean something.
    package var count: Int { state.withLock { $0.count } }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// 132 random bits, six for each character of base64url (RFC 4648, section 5).
    private static func random() -> String {
        let bits = SystemRandomSource().bytes(22)
        return String(unsafeUninitializedCapacity: 22) { characters in
            for index in 0..<22 { characters[index] = alphabet[Int(bits[index] & 63)] }
            return 22
        }
    }
}

extension SuggestionHandles: HoldsIdentities {
    /// Every handle means nothing from now on.
    package func forget() {
        state.withLock { $0 = State() }
    }
}
