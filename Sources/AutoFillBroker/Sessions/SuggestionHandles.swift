package import AutoFillProtocol
import FoundationEssentials
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
        /// The services that it was offered for.
        package let services: [ServiceIdentifier]
    }

    private struct State {
        var offers: [String: Offer] = [:]
        var order: [String] = []
        var oldest = 0
    }

    /// The most handles of one connection.
    package static let maximumCount = 4096

    private let state = Mutex(State())

    /// No handles yet.
    package init() {}

    /// Makes a handle for an offer; the oldest ones beyond `limit` mean nothing from now on.
    package func add(_ offer: Offer, limit: Int = maximumCount) -> String {
        let handle = Self.random()
        state.withLock { state in
            state.offers[handle] = offer
            state.order.append(handle)
            while state.offers.count > max(limit, 1) {
                state.offers[state.order[state.oldest]] = nil
                state.oldest += 1
            }
            if state.oldest > 64 && state.oldest * 2 > state.order.count {
                state.order.removeFirst(state.oldest)
                state.oldest = 0
            }
        }
        return handle
    }

    /// What the handle means; nil when it means nothing (any more).
    package func offer(_ handle: String) -> Offer? {
        state.withLock { $0.offers[handle] }
    }

    /// How many handles mean something.
    package var count: Int { state.withLock { $0.offers.count } }

    /// 128 random bits as base64url (RFC 4648, section 5).
    private static func random() -> String {
        // The generator of the system: getrandom(2).
        var generator = SystemRandomNumberGenerator()
        var bytes = Data(capacity: 16)
        for _ in 0..<2 { withUnsafeBytes(of: generator.next()) { bytes.append(contentsOf: $0) } }
        return String(
            bytes.base64EncodedString().compactMap { character in
                switch character {
                case "+": "-"
                case "/": "_"
                case "=": nil
                default: character
                }
            })
    }
}
